import { describe, expect, it } from 'vitest';
import type { NameKind } from '../../platform/database/schema/names.ts';
import { aliasKey } from './name-key.ts';
import { pairKey, proposeMerges, type Candidate } from './proposals.ts';

let next = 0;
const candidate = (kind: NameKind, display: string, more: Partial<Candidate> = {}): Candidate => ({
  id: (next += 1),
  display,
  keys: [aliasKey(kind, display)],
  code: null,
  existingEntry: null,
  uses: 1,
  city: null,
  ...more,
});
const propose = (kind: NameKind, candidates: Candidate[], apart: [Candidate, Candidate][] = []) =>
  proposeMerges(kind, candidates, new Set(apart.map(([a, b]) => pairKey(a.id, b.id)))).map(
    ({ target_id, source_ids, reason_code, source, confidence }) => ({
      into: nameOf(candidates, target_id),
      from: source_ids.map((id) => nameOf(candidates, id)),
      reason_code,
      source,
      confidence,
    }),
  );
const nameOf = (candidates: Candidate[], id: number): string => candidates.find((one) => one.id === id)?.display ?? '';

describe('proposals from the knowledge base', () => {
  const entryOf = (entry: string, by: 'code' | 'alias' | 'folded') => ({ entry, code: 'X1', by });
  it('join entries it knows as one into the one with its code, and mark folded matches for review', () => {
    expect(
      propose('lab_tests', [
        candidate('lab_tests', 'Eisen', { existingEntry: entryOf('iron', 'alias'), uses: 9 }),
        candidate('lab_tests', 'Iron', { existingEntry: entryOf('iron', 'code') }),
        candidate('lab_tests', 'Fe enzymat.', { existingEntry: entryOf('iron', 'folded') }),
      ]),
    ).toEqual([
      { into: 'Iron', from: ['Eisen'], reason_code: 'same_in_knowledge', source: 'knowledge_base', confidence: 'high' },
      {
        into: 'Iron',
        from: ['Fe enzymat.'],
        reason_code: 'same_in_knowledge',
        source: 'knowledge_base',
        confidence: 'review',
      },
    ]);
  });
  it('do not join different entries, even if they share a code or look alike', () => {
    expect(
      propose('diagnoses', [
        candidate('diagnoses', 'Folate deficiency', { existingEntry: entryOf('folate-deficiency', 'code') }),
        candidate('diagnoses', 'Folate deficiencx', { existingEntry: entryOf('cobalamin-deficiency', 'code') }),
      ]),
    ).toEqual([]);
  });
  it('join entries with the same code that is unknown to the knowledge base', () => {
    expect(
      propose('diagnoses', [
        candidate('diagnoses', 'Erste', { code: 'Q99.7' }),
        candidate('diagnoses', 'Zweite', { code: 'Q99.7', uses: 5 }),
      ]),
    ).toMatchObject([{ into: 'Zweite', from: ['Erste'], reason_code: 'same_code', confidence: 'high' }]);
  });
});

describe('proposals from similarity', () => {
  const known = (display: string) =>
    candidate('lab_tests', display, { existingEntry: { entry: display, code: display, by: 'code' } });
  it.each([
    ['MT4', ['fT4', 'fT3'], ['fT4']],
    ['HbA1lc', ['HbA1c', 'HbA'], ['HbA1c']],
    ['TSN', ['TSH'], ['TSH']],
    ['IgX', ['IgA', 'IgG'], []],
    ['CRPX', ['CRP', 'CRP X'], ['CRP X']],
    ['fT9', ['fT4'], []],
  ])('join the unknown test %s, of %j, into %j', (unknown, tests, expected) =>
    expect(propose('lab_tests', [candidate('lab_tests', unknown), ...tests.map(known)])).toEqual(
      expected.map((into) => expect.objectContaining({ into, from: [unknown] })),
    ),
  );
  it('join no short names of which none or both are known', () => {
    expect(propose('lab_tests', [candidate('lab_tests', 'MT4'), candidate('lab_tests', 'fT4')])).toEqual([]);
    expect(propose('lab_tests', [known('GGT'), known('GPT')])).toEqual([]);
    expect(propose('medications', [candidate('medications', 'MT4'), known('fT4')])).toEqual([]);
  });
  it.each<[NameKind, string, string, string, string]>([
    ['lab_tests', 'Sonderwert XY', 'Sonderwert X-Y', 'same_spelling', 'high'],
    ['diagnoses', 'Gonarthrosis', 'Gonarthrosls', 'slip_of_letters', 'review'],
    ['medications', 'Prednisolon', 'Prednisalon', 'slip_of_letters', 'review'],
    ['doctors', 'A. Meier', 'Anna Meier', 'initial', 'review'],
    ['doctors', 'Meier', 'Anna Meier', 'part_of_name', 'review'],
    ['doctors', 'Andrea Meier', 'Andreas Meier', 'slip_of_letters', 'review'],
    ['facilities', 'Synlab', 'Synlab Bern', 'other_place', 'review'],
  ])('%s: %s and %s, by %s: %s', (kind, a, b, reason_code, confidence) =>
    expect(propose(kind, [candidate(kind, a), candidate(kind, b)])).toMatchObject([
      { reason_code, confidence, source: 'similarity' },
    ]),
  );
  it.each<[NameKind, string, string]>([
    ['lab_tests', 'IgG', 'IgM'],
    ['lab_tests', 'Vitamin B1', 'Vitamin B12'],
    ['doctors', 'Anna Meier', 'Andreas Meier'],
    ['doctors', 'Anna Meier', 'Anna Keller'],
    ['facilities', 'Spital Thun', 'Spital Thusis'],
  ])('%s: %s and %s are not proposed', (kind, a, b) =>
    expect(propose(kind, [candidate(kind, a), candidate(kind, b)])).toEqual([]),
  );

  it('offer an abbreviation to each doctor it fits, but never join those doctors', () => {
    const found = propose('doctors', [
      candidate('doctors', 'A. Meier'),
      candidate('doctors', 'Anna Meier'),
      candidate('doctors', 'Andreas Meier'),
    ]);
    expect(found.map(({ into, from }) => [into, from])).toEqual([
      ['Anna Meier', ['A. Meier']],
      ['Andreas Meier', ['A. Meier']],
    ]);
  });
  it('skip contradicting spellings, facilities in different cities, and entries declared different', () => {
    const [a, b] = [
      candidate('doctors', 'B. Keller', { keys: ['b keller', 'beat keller'] }),
      candidate('doctors', 'Bruno Keller'),
    ];
    expect(propose('doctors', [a, b])).toEqual([]);
    expect(
      propose('facilities', [
        candidate('facilities', 'Klinik Aarehof', { city: 'Bern' }),
        candidate('facilities', 'Klinik Aarehoff', { city: 'Thun' }),
      ]),
    ).toEqual([]);
    const pair: [Candidate, Candidate] = [
      candidate('lab_tests', 'Sonderwert XY'),
      candidate('lab_tests', 'Sonderwert X-Y'),
    ];
    expect(propose('lab_tests', pair, [pair])).toEqual([]);
  });
});
