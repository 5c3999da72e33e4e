import { expect, test } from 'vitest';
import { batchesOf } from './batches.ts';

const MEBIBYTE = 2 ** 20;
const sizesOf = (sizes: readonly number[]): number[][] =>
  [...batchesOf(sizes.map((size) => ({ size })))].map((batch) => batch.map(({ size }) => size));

test('a batch has at most 64 files', () => {
  const count = (files: number): number[] =>
    sizesOf(Array.from({ length: files }, () => 1)).map((batch) => batch.length);
  expect([0, 1, 63, 64, 65, 128, 129].map(count)).toEqual([[], [1], [63], [64], [64, 1], [64, 64], [64, 64, 1]]);
});

test('a batch ends with the file that brings it to 64 MiB', () => {
  expect(sizesOf([64 * MEBIBYTE, 1])).toEqual([[64 * MEBIBYTE], [1]]);
  expect(sizesOf([64 * MEBIBYTE - 1, 1, 2])).toEqual([[64 * MEBIBYTE - 1, 1], [2]]);
  expect(sizesOf([64 * MEBIBYTE - 2, 1, 2, 3])).toEqual([[64 * MEBIBYTE - 2, 1, 2], [3]]);
  expect(sizesOf([500 * MEBIBYTE, 500 * MEBIBYTE])).toEqual([[500 * MEBIBYTE], [500 * MEBIBYTE]]);
});

test('sizes are counted for each batch anew', () => {
  expect(sizesOf([40 * MEBIBYTE, 40 * MEBIBYTE, 40 * MEBIBYTE, 40 * MEBIBYTE]).map((batch) => batch.length)).toEqual([
    2, 2,
  ]);
});
