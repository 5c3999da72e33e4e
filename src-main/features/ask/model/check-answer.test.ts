import { describe, expect, it } from 'vitest';
import { completeSentences, createAnswerCheck } from './check-answer.ts';

const LINES = [
  { text: 'TSH: 1,90 mU/L am 12. Mai 2026 [1]', numbers: [1] },
  { text: 'Ferritin: 34 µg/L am 12. Mai 2026 [2]', numbers: [2] },
];
const kept = (answer: string, question = 'Wie sind die Werte?'): string[] =>
  createAnswerCheck(LINES, question)(answer).kept;

describe('an answer of a model', () => {
  it('keeps sentences whose figures are in the lines that they cite', () => {
    expect(kept('TSH was 1.9 mU/L on 12 May 2026 [1]. Ferritin was 34. [2]')).toEqual([
      'TSH was 1.9 mU/L on 12 May 2026 [1].',
      'Ferritin was 34 [2].',
    ]);
  });

  it('loses a figure that is in no line, or only in a line that it does not cite', () => {
    expect(kept('TSH was 2.9 mU/L [1].')).toEqual([]);
    expect(kept('TSH was 34 mU/L [1].')).toEqual([]);
    expect(kept('TSH was 1.9 mU/L.')).toEqual([]);
  });

  it('loses a sentence that cites what it was not given', () => {
    expect(createAnswerCheck(LINES, '')('All is well [7].')).toEqual({ kept: [], dropped: 1 });
  });

  it('loses a disease, medicine or test that its lines do not have under any name', () => {
    expect(kept('TSH was 1.9 mU/L [1], which proves diabetes mellitus.')).toEqual([]);
    expect(kept('TSH was 1.9 mU/L under levothyroxine [1].')).toEqual([]);
    expect(kept('Ferritin was normal [1].')).toEqual([]);
    expect(kept('You have epilepsy.')).toEqual([]);
    // Another name of the same, in another language.
    const lines = [{ text: 'Euthyrox 75 µg, Diagnose: Bluthochdruck [1]', numbers: [1] }];
    const answer = 'Levothyroxine 75 µg is taken, and there is hypertension [1].';
    expect(createAnswerCheck(lines, '')(answer).kept).toEqual([answer]);
  });

  it('may deny what was asked about, but not affirm it', () => {
    expect(kept('There is no evidence of epilepsy.', 'Do I have epilepsy?')).toHaveLength(1);
    expect(kept('Yes, you have epilepsy.', 'Do I have epilepsy?')).toEqual([]);
  });

  it('may repeat figures of the question, and speak without figures', () => {
    expect(kept('In 2019 nothing was measured. Please ask a physician.', 'TSH 2019?')).toHaveLength(2);
  });

  it('is shown up to the sentence that may still get a citation', () => {
    expect(completeSentences('TSH was 1.9 [1]. Ferritin was')).toBe('TSH was 1.9 [1]. ');
    expect(completeSentences('TSH was 1.9. [1')).toBe('');
    expect(completeSentences('TSH was 1.')).toBe('');
    expect(completeSentences('- TSH 1.9 [1]\n- Ferr')).toBe('- TSH 1.9 [1]\n');
  });
});
