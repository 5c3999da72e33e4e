import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fontSource } from '../../scripts/firmware-font/emit.ts';
import { COMPOSITES, TEXT_SET } from '../../scripts/firmware-font/faces.ts';

it('the font is the output of the script for Inter', () => {
  const { source, bytes } = fontSource();
  expect(
    readFileSync(new URL('../../firmware/core/text/generated/glyphs.cpp', import.meta.url), 'utf8') === source,
  ).toBe(true);
  expect(bytes).toBeLessThan(20_000);
});

it('the font covers money and German, French, Italian, Spanish, Nordic, Polish, Czech, Hungarian, Turkish and Romanian', () => {
  const drawn = new Set([...TEXT_SET, ...COMPOSITES.map(({ character }) => character)]);
  const wanted =
    '€£¥$₿äöüÄÖÜßàâæçéèêëîïôœùûüÿÀÂÆÇÉÈÊËÎÏÔŒÙÛÜŸìíòóúñÑ¡'.replace('¡', '') +
    'åÅøØąćęłńóśźżĄĆĘŁŃÓŚŹŻčďěňřšťůýžČĚŇŘŠŮÝŽőűŐŰğışĞİŞăâîșțĂÂÎȘȚ’–—…·«»';
  expect([...wanted].filter((character) => !drawn.has(character))).toEqual([]);
});
