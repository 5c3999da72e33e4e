import { describe, expect, it } from 'vitest';
import { findText, firstHitFrom, searchTerms } from './find.ts';
import type { ViewerPage } from './page.ts';

const PAGES: ViewerPage[] = [
  {
    page: 1,
    width: 600,
    height: 800,
    words: [
      ['Hämoglobin', 0.1, 0.1, 0.2, 0.02],
      ['12.9', 0.5, 0.1, 0.08, 0.02],
      ['white', 0.8, 0.1, 0.1, 0.02],
      ['cells', 0.1, 0.14, 0.1, 0.02],
      ['Straße', 0.3, 0.14, 0.12, 0.02],
    ],
  },
  {
    page: 2,
    width: 600,
    height: 800,
    words: [
      ['Ferritin', 0.1, 0.1, 0.16, 0.02],
      ['globin', 0.4, 0.1, 0.12, 0.02],
    ],
  },
];

describe('find', () => {
  it('ignores case and accents', () => {
    const [hit] = findText(PAGES, 'HAMOGLOBIN');
    expect(hit?.page).toBe(1);
    expect(hit?.boxes.map((box) => box.map((value) => Number(value.toFixed(3))))).toEqual([[0.1, 0.1, 0.2, 0.02]]);
    expect(findText(PAGES, 'strasse')).toHaveLength(1);
  });
  it('marks the part of a word that matches', () => {
    const [first, second] = findText(PAGES, 'globin');
    expect(first?.page).toBe(1);
    expect(first?.boxes[0]?.[0]).toBeCloseTo(0.18);
    expect(first?.boxes[0]?.[2]).toBeCloseTo(0.12);
    expect(second?.page).toBe(2);
  });
  it('finds a phrase across a line break with a box on each line', () => {
    expect(findText(PAGES, '"white cells"')[0]?.boxes).toHaveLength(2);
    expect(findText(PAGES, 'white cells')[0]?.boxes).toHaveLength(2);
  });
  it('falls back to single words at word starts, like the full-text search', () => {
    expect(findText(PAGES, 'ferr hamo -white').map((hit) => hit.page)).toEqual([1, 2]);
    expect(findText(PAGES, 'ritin oglobin')).toEqual([]);
  });
  it('finds nothing for an empty query', () => {
    expect(findText(PAGES, '   ')).toEqual([]);
    expect(findText([], 'iron')).toEqual([]);
  });
});

it('extracts the words to mark from a search query', () => {
  expect(searchTerms('"white  cells" ferr* -old doctor:Keller OR hb')).toEqual(['white cells', 'ferr', 'keller', 'hb']);
});

it('starts at the current page', () => {
  const hits = findText(PAGES, 'globin');
  expect(firstHitFrom(hits, 2)).toBe(1);
  expect(firstHitFrom(hits, 3)).toBe(0);
});
