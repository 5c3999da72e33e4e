import { describe, expect, it } from 'vitest';
import { lineAround, textToFind } from './snippet.ts';

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

describe('text to find on the pages of a hit', () => {
  it('is the typed one if the hit has a word of it', () => {
    expect(textToFind('Hamo', `low ${hit('Hämoglobin')}`)).toBe('Hamo');
    expect(textToFind('low ferritin', `${hit('low')} ${hit('ferritin')}`)).toBe('low ferritin');
    expect(textToFind('knee', undefined)).toBe('knee');
  });
  it('is the found one if it is in another language', () => {
    expect(textToFind('Knie', `MRI right ${hit('knee')}`)).toBe('knee');
  });
});
