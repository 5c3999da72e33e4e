import { expect, test } from 'vitest';
import { toApiSearch, toLiveSearch } from './search-line.ts';

test.each([
  ['arzt:weber', 'doctor:weber'],
  ['-Titel:"arzt: Weber"*', '-title:"arzt: Weber"*'],
  ['ferritin ODER inhalt:eisen', 'ferritin OR text:eisen'],
  ['oder or "ODER" -ODER', 'oder or "ODER" -ODER'],
  ['zusammenfassung:iron fach:derma', 'english:iron label:derma'],
  ['10:30 unknown:word https://example.org', '10:30 unknown:word https://example.org'],
  ['type:lab summary:iron', 'label:lab english:iron'],
  ['  arzt: weber  ', '  arzt: weber  '],
  ['', ''],
])('translates %j to %j for the API', (line, expected) => {
  expect(toApiSearch(line)).toBe(expected);
});

test.each([
  ['kontrol', 'kontrol*'],
  ['arzt:web', 'doctor:web*'],
  ['ferritin ', 'ferritin '],
  ['"low ferritin"', '"low ferritin"'],
  ['x', 'x'],
  ['iron -ferr', 'iron -ferr'],
  ['iron ODER', 'iron OR'],
  ['', ''],
])('while the user types, %j also finds words that begin with the last one: %j', (line, expected) => {
  expect(toLiveSearch(line)).toBe(expected);
});
