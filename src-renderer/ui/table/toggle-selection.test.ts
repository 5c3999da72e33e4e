import { expect, it } from 'vitest';
import { toggleSelection } from './toggle-selection.ts';

const ids = [10, 20, 30, 40, 50];
const after = (before: number[], id: number, anchor: number | null = null): number[] =>
  [...toggleSelection(new Set(before), ids, { id, anchor })].sort((a, b) => a - b);

it('toggles one row', () => {
  expect(after([], 30)).toEqual([30]);
  expect(after([30, 40], 30)).toEqual([40]);
});

it('selects or clears every row between the anchor and the clicked row', () => {
  expect(after([20], 40, 20)).toEqual([20, 30, 40]);
  expect(after([40], 10, 40)).toEqual([10, 20, 30, 40]);
  expect(after([10, 20, 30, 40], 30, 10)).toEqual([40]);
});

it('toggles the row alone when the anchor is no longer listed', () => {
  expect(after([], 30, 99)).toEqual([30]);
});
