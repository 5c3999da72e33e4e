import { expect, it } from 'vitest';
import { chosen } from './toggle-selection.ts';

const ids = [10, 20, 30, 40, 50];
const after = (before: number[], id: number, anchor: number | null = null): number[] =>
  [...chosen(new Set(before), ids, { id, anchor })].sort((a, b) => a - b);

it('turns one row over', () => {
  expect(after([], 30)).toEqual([30]);
  expect(after([30, 40], 30)).toEqual([40]);
});

it('selects through to a row above or below, and clears through likewise', () => {
  expect(after([20], 40, 20)).toEqual([20, 30, 40]);
  expect(after([40], 10, 40)).toEqual([10, 20, 30, 40]);
  expect(after([10, 20, 30, 40], 30, 10)).toEqual([40]);
});

it('takes the row alone when the anchor is no longer listed', () => {
  expect(after([], 30, 99)).toEqual([30]);
});
