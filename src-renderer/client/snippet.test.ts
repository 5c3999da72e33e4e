import { describe, expect, it } from 'vitest';
import { lineAround } from './snippet.ts';

const hit = (word: string): string => `\uE000${word}\uE001`;

describe('line of a search hit', () => {
  it('starts at a word shortly before the hit', () => {
    expect(lineAround(`the patient came to the ward with low ${hit('ferritin')} and fatigue`)).toBe(
      `…ward with low ${hit('ferritin')} and fatigue`,
    );
  });
  it('keeps a short start, and texts without a hit', () => {
    expect(lineAround(`low ${hit('ferritin')}`)).toBe(`low ${hit('ferritin')}`);
    expect(lineAround('no hit\n in  this line of the page')).toBe('no hit in this line of the page');
  });
  it('starts with the hit if the word before it is very long', () => {
    expect(lineAround(`${'x'.repeat(60)}-${hit('b12')}`)).toBe(`…${hit('b12')}`);
  });
});
