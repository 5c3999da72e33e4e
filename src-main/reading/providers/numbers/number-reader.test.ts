import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { LONG } from '../../../../test/support/long.ts';
import { systemClock } from '../../../platform/kernel/clock.ts';
import type { GrayscaleImage } from '../page/prepare/grayscale.ts';
import { decodeSteps } from './decode-steps.ts';
import { createNumberReader } from './number-reader.ts';
import { toInput } from './to-input.ts';

const reader = createNumberReader({ clock: systemClock, idleMs: 60_000 });
afterAll(() => reader.close());

async function printed(text: string): Promise<GrayscaleImage> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${40 + text.length * 24}" height="60">
    <rect width="100%" height="100%" fill="white"/><text x="16" y="44" font-family="DejaVu Sans, Liberation Sans, Arial"
    font-size="36">${text.replace('<', '&lt;')}</text></svg>`;
  const { data, info } = await sharp(Buffer.from(svg)).grayscale().raw().toBuffer({ resolveWithObject: true });
  return { data: new Uint8Array(data), width: info.width, height: info.height };
}

describe('a recognizer of numbers', () => {
  it('reads numbers, ranges, comparators and arrows', async () => {
    const texts = ['3.2', '14,1', '136-145', '<5,0', '(0,5-1,6)', '1.005-1.030'];
    const found = await reader.readNumbers(await Promise.all(texts.map(printed)), new AbortController().signal);
    expect(found.map(({ text }) => text.normalize('NFKC').replaceAll(' ', ''))).toEqual(texts);
    for (const { confidence } of found) expect(confidence).toBeGreaterThan(0.3);
  });

  it('finds nothing on blank paper', async () => {
    const blank = { data: new Uint8Array(90 * 40).fill(255), width: 90, height: 40 };
    const [found] = await reader.readNumbers([blank], new AbortController().signal);
    expect(found).toEqual({ text: '', confidence: 0 });
  });

  it('stops when nobody waits any more, and reads the next ones', LONG, async () => {
    const image = await printed('42');
    const stop = new AbortController();
    const reading = reader.readNumbers(
      Array.from({ length: 64 }, () => image),
      stop.signal,
    );
    stop.abort();
    await expect(reading).rejects.toThrow();
    expect((await reader.readNumbers([image], new AbortController().signal))[0]?.text).toBe('42');
  });
});

describe('its answer', () => {
  const row = (best: number, score: number) => [0, 1, 2, 3].map((index) => (index === best ? score : 0.01));

  it('is the likeliest characters without repetitions, as sure as the least certain one', () => {
    const steps = [row(0, 0.9), row(1, 0.8), row(1, 0.9), row(0, 0.9), row(1, 0.7), row(3, 0.6)];
    const found = decodeSteps(new Float32Array(steps.flat()), { steps: 6, classes: 4 }, ['4', '2', '.']);
    expect(found.text).toBe('44.');
    expect(found.confidence).toBeCloseTo(0.6);
  });
});

describe('its input', () => {
  it('keeps the shape of the picture, and is between -1 for black and 1 for white', async () => {
    const { data, width } = await toInput({
      data: new Uint8Array(100 * 24).fill(255).fill(0, 0, 100 * 12),
      width: 100,
      height: 24,
    });
    expect([width, data.length]).toEqual([200, 3 * 48 * 200]);
    expect([data[0], data[48 * 200 - 1], data[48 * 200]]).toEqual([-1, 1, -1]);
  });

  it('has bounds', async () => {
    expect((await toInput({ data: new Uint8Array(4000), width: 4000, height: 1 })).width).toBe(960);
    expect((await toInput({ data: new Uint8Array(400), width: 1, height: 400 })).width).toBe(48);
  });
});
