import { describe, expect, it } from 'vitest';
import { printedPage } from '../../../test/fixtures/printed-page.ts';
import { buildLayout } from '../layout/layout.ts';
import type { RowContext } from '../row-context.ts';
import { readDiagnoses } from './diagnoses.ts';

const ctx: RowContext = { language: 'en', sex: null, dates: () => ({ collected: null, event: null }), parseDate: () => null };
const read = (lines: readonly string[]) => readDiagnoses(buildLayout([printedPage(lines)]), ctx).map((row) => [row.diagnosis_original, row.diagnosis_code]);

describe('readDiagnoses', () => {
  it('reads a list under its heading up to the next heading', () => {
    expect(read(['Diagnosen', '1. Arterielle Hypertonie (I10)', '2. Gicht', 'Befund', 'Herztöne rein'])).toEqual([['Arterielle Hypertonie', 'I10'], ['Gicht', null]]);
  });

  it('leaves a heading that stands in a column of its own out of the diagnosis', () => {
    expect(read(['Diagnostics          Diverticulose sigmoïdienne (K57.3)'])).toEqual([['Diverticulose sigmoïdienne', 'K57.3']]);
  });

  it('drops strokes of a form before the words', () => {
    expect(read(['Diagnosi:', '_Calcolosi renale (N20.0)'])).toEqual([['Calcolosi renale', 'N20.0']]);
  });

  it('finds none in prose', () => {
    expect(read(['The patient came for a routine visit and was in good health.'])).toEqual([]);
  });
});
