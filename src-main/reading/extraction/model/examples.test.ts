import { describe, expect, it } from 'vitest';
import { exampleText, type Correction } from './examples.ts';

const NEAR = { doc_type: 'lab_test', facility: 'Synlabor Mittelland AG' } as const;
const corrected = (documentId: number, more: Partial<Correction> = {}): Correction => ({
  ...{
    documentId,
    doc_type: 'invoice',
    facility: null,
    field: 'event_date',
    read: null,
    right: `2025-01-0${documentId}`,
  },
  ...more,
});
const datesIn = (text: string): string[] => text.match(/2025-01-0\d/g) ?? [];

describe('examples for a model', () => {
  it('are of the two documents that are nearest by facility, then by type, then by age', () => {
    const all = [
      corrected(4),
      corrected(3),
      corrected(2, { doc_type: 'lab_test' }),
      corrected(1, { facility: 'SYNLABOR Mittelland AG' }),
    ];
    expect(datesIn(exampleText(all, NEAR, 'details'))).toEqual(['2025-01-01', '2025-01-02']);
    expect(datesIn(exampleText(all.slice(0, 2), NEAR, 'details'))).toEqual(['2025-01-04', '2025-01-03']);
  });

  it('are at most eight lines of a hundred characters for a value, each once', () => {
    const many = Array.from({ length: 30 }, (_one, index) =>
      corrected(1, { field: 'medications.dosage', right: `${index}${'x'.repeat(500)}` }),
    );
    const lines = exampleText(many, NEAR, 'rows').split('\n');
    expect(lines).toHaveLength(8);
    for (const line of lines) expect(line.length).toBeLessThan(200);
    expect(exampleText([corrected(1), corrected(1)], NEAR, 'details').split('\n')).toHaveLength(1);
  });

  it('are of the fields that the question is about, without numbers and prose', () => {
    const all = ['lab_results.value', 'summary_en', 'patient_id', 'lab_results'].map((field) =>
      corrected(1, { field }),
    );
    for (const question of ['details', 'rows'] as const) expect(exampleText(all, NEAR, question)).toBe('');
    const name = [corrected(1, { field: 'lab_results.unit', read: 'mg', right: 'mmol/L' })];
    expect(exampleText(name, NEAR, 'rows')).toBe('- invoice, unit: “mg” was read, “mmol/L” is right');
    expect(exampleText(name, NEAR, 'details')).toBe('');
  });
});
