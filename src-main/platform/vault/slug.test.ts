import { expect, test } from 'vitest';
import { isDeviceName, slugOf } from './slug.ts';

test.each([
  ['Müller, José', 'mueller-jose'],
  ['Ångström Øre', 'angstroem-ore'],
  ['ŁUKASZ  ŻÓŁĆ', 'lukasz-zolc'],
  ["Dr. O'Brien-D’Angelo", 'dr-obrien-dangelo'],
  ['Straße 5/6', 'strasse-5-6'],
  ['Ελένη Παπαδοπούλου', 'eleni-papadopoyloy'],
  ['Щербаков Юрий', 'shcherbakov-yuriy'],
  ['ﬁnal ½', 'final-1-2'],
  ['---', 'none'],
  ['漢字', 'none'],
  ['', 'none'],
  ['CON', 'con-file'],
  ['LPT1', 'lpt1-file'],
])('%j → %s', (text, slug) => {
  expect(slugOf(text, 'none')).toBe(slug);
});

test('limits a slug to 60 characters without a dash at its end', () => {
  expect(slugOf('a'.repeat(300), 'none')).toBe('a'.repeat(60));
  expect(slugOf(`${'a'.repeat(59)} b`, 'none')).toBe('a'.repeat(59));
});

test('avoids device names in any case and with any extension', () => {
  for (const name of ['con', 'NUL.pdf', 'Com9.tar.gz', 'aux .txt', 'CONIN$', 'com²'])
    expect(isDeviceName(name), name).toBe(true);
  for (const name of ['console', 'com', 'com10', 'nulls.pdf', 'my con']) expect(isDeviceName(name), name).toBe(false);
});
