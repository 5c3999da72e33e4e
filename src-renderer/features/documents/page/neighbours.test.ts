import { describe, expect, it } from 'vitest';
import { neighboursOf } from './neighbours.ts';

describe('neighbours of a document', () => {
  it('come from the newest list that contains the document', () => {
    const lists = [
      { updatedAt: 2, ids: [5, 6, 7], total: 3 },
      { updatedAt: 3, ids: [9, 6, 1], total: 40 },
      { updatedAt: 4, ids: [2, 3], total: 2 },
    ];
    expect(neighboursOf(lists, 6)).toEqual({ previous: 9, next: 1, position: { at: 2, total: 40 } });
  });
  it('are null at the ends of the list', () => {
    expect(neighboursOf([{ updatedAt: 1, ids: [5, 6], total: 2 }], 5)).toEqual({
      previous: null,
      next: 6,
      position: { at: 1, total: 2 },
    });
    expect(neighboursOf([{ updatedAt: 1, ids: [5, 6], total: 2 }], 6)).toEqual({
      previous: 5,
      next: null,
      position: { at: 2, total: 2 },
    });
  });
  it('are null without a list', () =>
    expect(neighboursOf([{ updatedAt: 1, ids: [5], total: 1 }], 8)).toEqual({
      previous: null,
      next: null,
      position: null,
    }));
});
