import { describe, expect, it } from 'vitest';
import type { NameKind } from '../../platform/database/schema/names.ts';
import { createKnowledge, KNOWLEDGE_KINDS } from '../../reading/knowledge/service.ts';
import { aliasKey } from './name-key.ts';
import { pairKey, proposeMerges, type Candidate } from './proposals.ts';
import { specimenOf } from './seed-entries.ts';
import { createKnownSpellings } from './similar-entry.ts';

let next = 0;
const candidate = (display: string, more: Partial<Candidate> = {}): Candidate => ({
  id: (next += 1),
  display,
  keys: [display.toLowerCase()],
  code: null,
  existingEntry: null,
  uses: 1,
  city: null,
  ...more,
});
const reasons = (kind: NameKind, ...candidates: Candidate[]) =>
  proposeMerges(kind, candidates, new Set()).map(({ reason_code, confidence }) => `${reason_code} ${confidence}`);

describe('a proposal to merge names', () => {
  it('is made where only one of two similar names has a code', () => {
    expect(reasons('lab_tests', candidate('sonderwert xy', { code: 'A' }), candidate('sonderwert x y'))).toEqual([
      'same_spelling high',
    ]);
    expect(reasons('lab_tests', candidate('sonderwert xy'), candidate('sonderwert x y', { code: 'A' }))).toEqual([
      'same_spelling high',
    ]);
    expect(
      reasons('lab_tests', candidate('sonderwert xy', { code: 'A' }), candidate('sonderwert x y', { code: 'B' })),
    ).toEqual([]);
  });

  it('is made for facilities unless both name a city and the cities differ', () => {
    const inCities = (a: string | null, b: string | null) =>
      reasons('facilities', candidate('klinik aarehof', { city: a }), candidate('klinik aarehoff', { city: b }));
    expect([inCities('Bern', null), inCities(null, 'Bern'), inCities('Bern', 'Bern'), inCities(null, null)]).toEqual(
      Array.from({ length: 4 }, () => ['slip_of_letters review']),
    );
    expect(inCities('Bern', 'Thun')).toEqual([]);
  });

  it('gives the best of several reasons', () => {
    expect(
      reasons(
        'facilities',
        candidate('synlab', { keys: ['synlab', 'labor sued'] }),
        candidate('synlab bern', { keys: ['synlab bern', 'laborsued'] }),
      ),
    ).toEqual(['same_spelling high']);
  });

  it('looks at contradicting spellings of doctors only', () => {
    const keys = (...all: string[]): Partial<Candidate> => ({ keys: all });
    expect(
      reasons('lab_tests', candidate('a', keys('sonderwert xy', 'anders')), candidate('b', keys('sonderwertxy', 'x'))),
    ).toEqual(['same_spelling high']);
    expect(
      reasons('doctors', candidate('a', keys('beat keller')), candidate('b', keys('b keller', 'bruno keller'))),
    ).toEqual([]);
  });

  it('takes a name into one proposal, and lists certain ones first', () => {
    const iron = (by: 'code' | 'alias' | 'folded') => ({ existingEntry: { entry: 'iron', code: 'X1', by } });
    expect(
      reasons(
        'lab_tests',
        candidate('iron', iron('code')),
        candidate('iro n', iron('folded')),
        candidate('sonderwert xy'),
        candidate('sonderwert x y'),
      ),
    ).toEqual(['same_spelling high', 'same_in_knowledge review']);
  });

  it.each([
    ['synlab', 'synlab bern', ['other_place review']],
    ['synlab sankt gallen', 'synlab', ['other_place review']],
    ['synlab', 'synlab bern mitte west', []],
    ['labor', 'labor bern', []],
    ['synlab', 'synlabor bern', []],
  ])('is made or not for %s and %s in another place', (a, b, expected) => {
    expect(reasons('facilities', candidate(a), candidate(b))).toEqual(expected);
  });

  it('has one key for two names in either order', () => {
    expect([pairKey(1, 2), pairKey(2, 1), pairKey(10, 9)]).toEqual(['1-2', '1-2', '9-10']);
  });
});

describe('the spellings of the knowledge base', () => {
  it('are folded once for each kind, without ambiguous ones', async () => {
    const knowledge = createKnowledge();
    let lists = 0;
    const entries: typeof knowledge.entries = (kind) => {
      lists += 1;
      return knowledge.entries(kind);
    };
    const spellings = createKnownSpellings({ ...knowledge, entries });
    const [first] = KNOWLEDGE_KINDS;
    if (!first) throw new Error('there are no kinds');
    const folded = spellings.of(first);
    expect(spellings.of(first)).toBe(folded);
    expect(lists).toBe(1);
    await spellings.prepare();
    expect(lists).toBe(KNOWLEDGE_KINDS.length);
    expect(spellings.of(first)).toBe(folded);
    for (const kind of KNOWLEDGE_KINDS) {
      const expected = knowledge
        .entries(kind)
        .flatMap((entry) =>
          entry.aliases
            .filter(({ ambiguous }) => !ambiguous)
            .map(({ alias }) => aliasKey(kind, alias, specimenOf(entry))),
        );
      expect(spellings.of(kind).map(({ key }) => key)).toEqual(expected);
    }
    expect(lists).toBe(KNOWLEDGE_KINDS.length);
  });
});
