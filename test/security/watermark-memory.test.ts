/** @module-tag long */
import { expect, it } from 'vitest';
import { measureWatermark } from '../support/measure-watermark.ts';

const MIB = 2 ** 20;

it('a PDF of 20 pages is stamped page by page, in little memory, by a process beside that of the household', async () => {
  const { bytes, largest, before, own, drawing, worked } = await measureWatermark(20);
  console.info(
    `the process that draws holds at most ${Math.round((drawing ?? 0) / MIB)} MB, the other ` +
      `${Math.round(own / MIB)} MB; longest work of its event loop ${worked.toFixed(1)} ms`,
  );
  expect(largest).toBeLessThan(bytes / 10);
  if (drawing !== null) expect(drawing / MIB).toBeLessThan(300);
  // Of the copy, a few pages are in memory at one time.
  expect((own - before) / MIB).toBeLessThan(60);
  // A page takes a few hundred milliseconds to draw.
  expect(worked).toBeLessThan(100);
});
