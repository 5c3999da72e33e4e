import type { NameProposal } from '../../../src-shared/contract/names.ts';
import { squeeze } from '../../../src-shared/medical/name-fold.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import { comparePeople } from './doctor-name.ts';
import { blocksOf, compareSpellings } from './similarity.ts';

/** An entry as proposals look at it. */
export interface Candidate {
  id: number;
  display: string;
  /** Its folded spellings. */
  keys: string[];
  /** The code that a person or the knowledge base gave it; null where several things share that code. */
  code: string | null;
  /** The entry of the knowledge base that it is (`canonicalCode`), its code, and how that is known. */
  known: { entry: string; code: string; by: 'code' | 'alias' | 'folded' } | null;
  uses: number;
  /** City of a facility. */
  city: string | null;
}

type Finding = Pick<NameProposal, 'reason_code' | 'confidence' | 'code'>;
interface Pair extends Finding {
  a: Candidate;
  b: Candidate;
}

/** Larger blocks are too unspecific to compare all pairs. */
const BLOCK = 120;

/**
 * Merges that seem right, each with why: first what the knowledge base knows, then what looks alike. `apart`: pairs
 * `1-2` that a person parted.
 */
export function proposeMerges(
  kind: NameKind,
  candidates: readonly Candidate[],
  apart: ReadonlySet<string>,
): NameProposal[] {
  const isApart = (a: Candidate, b: Candidate): boolean => apart.has(pairKey(a.id, b.id));
  const taken = new Set<number>();
  const proposals: NameProposal[] = [];
  for (const { pairs, source } of [
    { pairs: knownPairs(candidates), source: 'knowledge_base' as const },
    { pairs: likePairs(kind, candidates), source: 'similarity' as const },
  ]) {
    for (const group of groupsOf(pairs.filter(({ a, b }) => !isApart(a, b) && !taken.has(a.id) && !taken.has(b.id)))) {
      const target = best(group.members, kind);
      const sources = group.members.filter((member) => member !== target && !isApart(member, target));
      if (sources.length === 0) continue;
      for (const member of [target, ...sources]) taken.add(member.id);
      proposals.push({
        target_id: target.id,
        source_ids: sources.map(({ id }) => id),
        ...group.finding,
        reason: REASONS[group.finding.reason_code].replace('{code}', group.finding.code ?? ''),
        source,
      });
    }
  }
  return proposals.sort((a, b) => a.confidence.localeCompare(b.confidence));
}

export const pairKey = (a: number, b: number): string => (a < b ? `${a}-${b}` : `${b}-${a}`);

const REASONS: Record<NameProposal['reason_code'], string> = {
  same_code: 'Both have the code {code}.',
  same_in_knowledge: 'The knowledge base knows both as {code}.',
  same_spelling: 'They differ only in case, accents, spaces or punctuation.',
  slip_of_letters: 'They differ by one letter.',
  initial: 'One has the first name abbreviated.',
  part_of_name: 'One has a name more than the other.',
  other_place: 'One has a place in its name and the other has not.',
};

/** How well the knowledge base knows a candidate: best by its code. */
function rank({ known }: Candidate): number {
  if (!known) return 0;
  return known.by === 'code' ? 2 : 1;
}

/** What the knowledge base knows best, then what is used most, of doctors the fuller name, then what came first. */
function best(members: readonly Candidate[], kind?: NameKind): Candidate {
  return [...members].sort(
    (a, b) =>
      rank(b) - rank(a) ||
      b.uses - a.uses ||
      (kind === 'doctors' ? b.display.length - a.display.length : 0) ||
      a.id - b.id,
  )[0] as Candidate;
}

function knownPairs(candidates: readonly Candidate[]): Pair[] {
  const groups = Map.groupBy(
    candidates.filter((one) => identityOf(one) !== null),
    identityOf,
  );
  return [...groups.values()].flatMap((members) => {
    const target = best(members);
    const code = target.known?.code ?? target.code;
    return members
      .filter((one) => one !== target)
      .map((one): Pair => {
        const isCode =
          (one.known === null || one.known.by === 'code') && (target.known === null || target.known.by === 'code');
        const isSure = isCode || [one, target].every(({ known }) => known?.by !== 'folded');
        return {
          a: target,
          b: one,
          code: one.code !== null && one.code === target.code ? one.code : code,
          reason_code: isCode ? 'same_code' : 'same_in_knowledge',
          confidence: isSure ? 'high' : 'review',
        };
      });
  });
}

/** What an entry surely is: an entry of the knowledge base, or whatever has its code. */
const identityOf = ({ known, code }: Candidate): string | null => (known ? `known ${known.entry}` : code);

function likePairs(kind: NameKind, candidates: readonly Candidate[]): Pair[] {
  const blocks = new Map<string, Set<Candidate>>();
  for (const candidate of candidates)
    for (const key of candidate.keys) {
      for (const block of [...blocksOf(squeeze(key)), ...key.split(' ').filter((word) => word.length > 2)]) {
        const members = blocks.get(block) ?? new Set();
        blocks.set(block, members.add(candidate));
      }
    }
  const pairs = new Map<string, Pair>();
  const seen = new Set<string>();
  for (const members of blocks.values()) {
    if (members.size > BLOCK) continue;
    const list = [...members];
    for (const [index, a] of list.entries())
      for (const b of list.slice(index + 1)) {
        const key = pairKey(a.id, b.id);
        if (seen.has(key)) continue;
        seen.add(key);
        const finding = compare(kind, a, b);
        if (finding) pairs.set(key, { a, b, ...finding });
      }
  }
  return [...pairs.values()];
}

/** How two entries are alike by their spellings; null where they are not. Different codes are different things. */
function compare(kind: NameKind, a: Candidate, b: Candidate): Finding | null {
  const [one, other] = [identityOf(a), identityOf(b)];
  if (one !== null && other !== null && one !== other) return null;
  const findings = a.keys.flatMap((x) => b.keys.flatMap((y) => compareKeys(kind, x, y) ?? []));
  if (
    kind === 'doctors' &&
    a.keys.some((x) =>
      b.keys.some((y) => comparePeople(x.split(' '), y.split(' ')) === null && compareSpellings(x, y) === null),
    )
  )
    return null;
  if (kind === 'facilities' && a.city !== null && b.city !== null && a.city !== b.city) return null;
  return (
    findings.sort(
      (x, y) => ORDER.indexOf(x.reason_code) - ORDER.indexOf(y.reason_code) || x.confidence.localeCompare(y.confidence),
    )[0] ?? null
  );
}
const ORDER: readonly NameProposal['reason_code'][] = [
  'same_spelling',
  'slip_of_letters',
  'initial',
  'part_of_name',
  'other_place',
];

function compareKeys(kind: NameKind, x: string, y: string): Finding | null {
  const found = (reason_code: Finding['reason_code'], confidence: Finding['confidence']): Finding => ({
    reason_code,
    confidence,
    code: null,
  });
  if (squeeze(x) === squeeze(y)) return found('same_spelling', 'high');
  const spelling = compareSpellings(x, y);
  if (kind === 'doctors') {
    const likeness = comparePeople(x.split(' '), y.split(' '));
    if (likeness === 'initial' || likeness === 'part_of_name') return found(likeness, 'review');
    // A letter can make another first name: Andrea is not Andreas.
    return spelling === null ? null : found('slip_of_letters', 'review');
  }
  // Nephrology and neurology, hyperkalaemia and hypercalcaemia are one letter apart in some language.
  if (spelling !== null) return found('slip_of_letters', 'review');
  return kind === 'facilities' && isWithPlace(x, y) ? found('other_place', 'review') : null;
}

/** One is the other with a word or two behind it. */
function isWithPlace(x: string, y: string): boolean {
  const [shorter, longer] = x.length < y.length ? [x, y] : [y, x];
  return (
    longer.startsWith(`${shorter} `) && shorter.length >= 6 && longer.slice(shorter.length + 1).split(' ').length <= 2
  );
}

/**
 * Sure pairs that hang together are one group. Doubtful ones are not joined: `A. Meier` may be Anna or Andreas, but
 * those two are not one.
 */
function groupsOf(pairs: readonly Pair[]): { members: Candidate[]; finding: Finding }[] {
  const joined = new Map<Candidate, { members: Set<Candidate>; finding: Finding }>();
  for (const { a, b, ...finding } of pairs.filter(({ confidence }) => confidence === 'high')) {
    const group = {
      members: new Set([...(joined.get(a)?.members ?? [a]), ...(joined.get(b)?.members ?? [b])]),
      finding,
    };
    for (const member of group.members) joined.set(member, group);
  }
  const doubtful = pairs
    .filter(({ confidence }) => confidence === 'review')
    .map(({ a, b, ...finding }) => ({ members: [a, b], finding }));
  return [
    ...[...new Set(joined.values())].map(({ members, finding }) => ({ members: [...members], finding })),
    ...doubtful,
  ];
}
