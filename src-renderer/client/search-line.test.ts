import { expect, test } from 'vitest';
import { toApiSearch } from './search-line.ts';

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
