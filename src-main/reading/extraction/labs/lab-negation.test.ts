import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../../../test/support/printed-labs.ts';
import { polarityOf } from './lab-words.ts';

const words = (lines: readonly string[]) =>
  rowsOf(lines).map((row) => [row.test_name_original, row.value_text, row.is_abnormal]);

describe('a denied result', () => {
  it('fills its cell from its first word, in four languages', () => {
    expect(
      words([
        'Untersuchung                 Ergebnis              Referenz',
        'Treponema-pallidum-AK        nicht nachgewiesen    negativ',
        'HEV-IgM                      nicht reaktiv         nicht reaktiv',
      ]),
    ).toEqual([
      ['Treponema-pallidum-AK', 'nicht nachgewiesen', false],
      ['HEV-IgM', 'nicht reaktiv', false],
    ]);
    expect(
      words([
        'Test                         Result                Reference',
        'Legionella antigen           not detectable        negative',
        'Examined for ova             detected              not detected',
      ]),
    ).toEqual([
      ['Legionella antigen', 'not detectable', false],
      ['Examined for ova', 'detected', true],
    ]);
    expect(
      words([
        'Examen                       Résultat              Référence',
        'Antigène p24                 non détectable        négatif',
        'Anticorps anti-VHC           non réactif           non réactif',
      ]),
    ).toEqual([
      ['Antigène p24', 'non détectable', false],
      ['Anticorps anti-VHC', 'non réactif', false],
    ]);
    expect(
      words([
        'Esame                        Esito                 Riferimento',
        'Antigene Giardia             non rilevabile        assente',
        'Anticorpi anti-HIV           non reattivo          non reattivo',
      ]),
    ).toEqual([
      ['Antigene Giardia', 'non rilevabile', false],
      ['Anticorpi anti-HIV', 'non reattivo', false],
    ]);
  });

  it('is not torn from its negation when a comment follows it', () => {
    expect(words(['Adenovirus-Antigen ........ nicht nachweisbar (Schnelltest)']).map((row) => row[1])).toEqual([
      'nicht nachweisbar',
    ]);
  });

  it('says the opposite of the word it denies', () => {
    const said = ['kein Wachstum', 'pas de germes', 'assenza di crescita', 'not positive', 'nicht negativ', 'gelb'];
    expect(said.map(polarityOf)).toEqual(['negative', 'negative', 'negative', 'negative', 'positive', null]);
  });
});
