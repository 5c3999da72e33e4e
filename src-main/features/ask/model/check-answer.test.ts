import { describe, expect, it } from 'vitest';
import { checkAnswer, completeSentences } from './check-answer.ts';

const LINES = [
  { text: 'TSH: 1,90 mU/L am 12. Mai 2026 [1]', numbers: [1] },
  { text: 'Ferritin: 34 µg/L am 12. Mai 2026 [2]', numbers: [2] },
];
const kept = (answer: string, question = 'Wie sind die Werte?'): string[] => checkAnswer(answer, LINES, question).kept;

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
    expect(checkAnswer('All is well [7].', LINES, '')).toEqual({ kept: [], dropped: 1 });
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
