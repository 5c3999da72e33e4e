import { describe, expect, it } from 'vitest';
import { kinWordsFor } from './kin.ts';

const TODAY = '2026-11-28';
const wordsOf = (sex: 'M' | 'F' | 'O' | null, born: string | null) => kinWordsFor({ sex, born }, TODAY);

describe('what a family may call a person', () => {
  it('is a child as long as somebody is young', () => {
    expect(wordsOf('F', '2020-03-01')).toEqual(expect.arrayContaining(['daughter', 'tochter']));
    expect(wordsOf('F', '2020-03-01')).not.toContain('mum');
  });

  it('is a parent later: the daughter in a question about a woman of forty is somebody else', () => {
    expect(wordsOf('F', '1984-06-03')).toContain('mum');
    expect(wordsOf('F', '1984-06-03')).not.toContain('daughter');
    expect(wordsOf('M', '1981-09-17')).toEqual(expect.arrayContaining(['papa', 'opa']));
    expect(wordsOf('M', '1981-09-17')).not.toContain('sohn');
  });

  it('may be anything where age and sex are unknown', () => {
    expect(wordsOf(null, null)).toEqual(expect.arrayContaining(['daughter', 'son', 'mum', 'opa']));
  });
});
