import { expect, it } from 'vitest';
import { measureWatermark } from '../support/measure-watermark.ts';

const MIB = 2 ** 20;

it('a PDF of 300 pages is stamped in under 300 MB', { timeout: 900_000 }, async () => {
  const { bytes, largest, before, own, drawing, together, worked } = await measureWatermark(300);
  console.info(
    `300 pages, ${Math.round(bytes / MIB)} MB: the process that draws holds at most ${Math.round((drawing ?? 0) / MIB)} MB, ` +
      `the other ${Math.round(own / MIB)} MB (${Math.round(before / MIB)} MB before); longest work of its event loop ` +
      `${worked.toFixed(1)} ms`,
  );
  expect(largest).toBeLessThan(bytes / 100);
  if (drawing !== null && together !== null) {
    expect(drawing / MIB).toBeLessThan(300);
    expect((together - before) / MIB).toBeLessThan(300);
  }
  expect((own - before) / MIB).toBeLessThan(60);
});
