import type { NameProposal } from '../../../src-shared/contract/names.ts';
import { removeSpaces } from '../../../src-shared/medical/name-fold.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import { comparePeople } from './doctor-name.ts';
import { blocksOf, compareSpellings, mayBeMisread } from './similarity.ts';

/** The properties of an entry that proposals compare. */
export interface Candidate {
  id: number;
  display: string;
  /** Its folded spellings. */
  keys: string[];
  /** Its code from a user or the knowledge base; null if several entries share that code. */
  code: string | null;
  /** The matching entry of the knowledge base (`canonicalCode`), its code, and how it was matched. */
  existingEntry: { entry: string; code: string; by: 'code' | 'alias' | 'folded' } | null;
  uses: number;
  /** City of a facility. */
  city: string | null;
}

type Finding = Pick<NameProposal, 'reason_code' | 'confidence' | 'code'>;
interface Pair extends Finding {
  a: Candidate;
  b: Candidate;
}

/** Pairs in larger blocks are not compared, because such blocks are too unspecific. */
const MAX_BLOCK_SIZE = 120;

/**
 * Proposes merges with reasons: first entries that the knowledge base identifies as one, then similar ones. `apart`
 * contains the pairs (`1-2`) that a user declared different.
 */
export function proposeMerges(
  kind: NameKind,
  candidates: readonly Candidate[],
  apart: ReadonlySet<string>,
): NameProposal[] {
  const isApart = (a: Candidate, b: Candidate): boolean => apart.has(pairKey(a.id, b.id));
  const usedIds = new Set<number>();
  const proposals: NameProposal[] = [];
  for (const { pairs, source } of [
    { pairs: knownPairs(candidates), source: 'knowledge_base' as const },
    { pairs: similarPairs(kind, candidates), source: 'similarity' as const },
  ]) {
    for (const group of groupsOf(
      pairs.filter(({ a, b }) => !isApart(a, b) && !usedIds.has(a.id) && !usedIds.has(b.id)),
    )) {
      const target = bestTarget(group.members, kind);
      const sources = group.members.filter((member) => member !== target && !isApart(member, target));
      if (sources.length === 0) continue;
      for (const member of [target, ...sources]) usedIds.add(member.id);
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

/** The same key for two entries in either order. */
export const pairKey = (a: number, b: number): string => (a < b ? `${a}-${b}` : `${b}-${a}`);

const REASONS: Record<NameProposal['reason_code'], string> = {
  same_code: 'Both have the code {code}.',
  same_in_knowledge: 'The knowledge base knows both as {code}.',
  same_spelling: 'They differ only in case, accents, spaces or punctuation.',
  slip_of_letters: 'They differ by one letter.',
  initial: 'One has the first name abbreviated.',
  part_of_name: 'One has an additional name.',
  other_place: 'One has a place in its name, the other does not.',
  by_model: 'A language model takes them for the same.',
};

/** Ranks candidates by how the knowledge base matched them; a match by code ranks first. */
function rank({ existingEntry }: Candidate): number {
  if (!existingEntry) return 0;
  return existingEntry.by === 'code' ? 2 : 1;
}

/** Selects the target: best match of the knowledge base, then most used, then a doctor's fuller name, then oldest. */
function bestTarget(members: readonly Candidate[], kind?: NameKind): Candidate {
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
    const target = bestTarget(members);
    const code = target.existingEntry?.code ?? target.code;
    return members
      .filter((one) => one !== target)
      .map((one): Pair => {
        const isCode =
          (one.existingEntry === null || one.existingEntry.by === 'code') &&
          (target.existingEntry === null || target.existingEntry.by === 'code');
        const isSure = isCode || [one, target].every(({ existingEntry }) => existingEntry?.by !== 'folded');
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

/** Identifies an entry by its match in the knowledge base, otherwise by its code. */
export const identityOf = ({ existingEntry, code }: Candidate): string | null =>
  existingEntry ? `known ${existingEntry.entry}` : code;

function similarPairs(kind: NameKind, candidates: readonly Candidate[]): Pair[] {
  const pairs: Pair[] = [];
  const misread = new Map<Candidate, Pair[]>();
  for (const [a, b] of comparablePairs(candidates)) {
    const finding = compare(kind, a, b);
    if (finding) pairs.push({ a, b, ...finding });
    const unknown = finding || kind !== 'lab_tests' ? null : misreadOf(a, b);
    if (unknown) misread.set(unknown, [...(misread.get(unknown) ?? []), { a, b, ...MISREAD }]);
  }
  const similar = new Set(pairs.flatMap(({ a, b }) => [a, b]));
  // What may be several tests may be any of them.
  const clear = [...misread].filter(([unknown, all]) => all.length === 1 && !similar.has(unknown));
  return [...pairs, ...clear.flatMap(([, all]) => all)];
}

/** Pairs of entries with a word, a start or an end in common, each pair once. */
function* comparablePairs(candidates: readonly Candidate[]): Generator<[Candidate, Candidate]> {
  const blocks = new Map<string, Set<Candidate>>();
  for (const candidate of candidates)
    for (const key of candidate.keys) {
      for (const block of [...blocksOf(removeSpaces(key)), ...key.split(' ').filter((word) => word.length > 2)]) {
        const members = blocks.get(block) ?? new Set();
        blocks.set(block, members.add(candidate));
      }
    }
  const seen = new Set<string>();
  for (const members of blocks.values()) {
    if (members.size > MAX_BLOCK_SIZE) continue;
    const list = [...members];
    for (const [index, a] of list.entries())
      for (const b of list.slice(index + 1)) {
        const key = pairKey(a.id, b.id);
        if (seen.has(key)) continue;
        seen.add(key);
        yield [a, b];
      }
  }
}

const MISREAD: Finding = { reason_code: 'slip_of_letters', confidence: 'review', code: null };

/** The entry without a code that may be the other one, misread; null if both or none of them are known. */
function misreadOf(a: Candidate, b: Candidate): Candidate | null {
  if ((identityOf(a) === null) === (identityOf(b) === null)) return null;
  if (!a.keys.some((x) => b.keys.some((y) => mayBeMisread(x, y)))) return null;
  return identityOf(a) === null ? a : b;
}

/** Compares two entries by their spellings; null if they are not similar. Different codes mean different things. */
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
      (x, y) =>
        REASON_ORDER.indexOf(x.reason_code) - REASON_ORDER.indexOf(y.reason_code) ||
        x.confidence.localeCompare(y.confidence),
    )[0] ?? null
  );
}
const REASON_ORDER: readonly NameProposal['reason_code'][] = [
  'same_spelling',
  'slip_of_letters',
  'initial',
  'part_of_name',
  'other_place',
];

function compareKeys(kind: NameKind, x: string, y: string): Finding | null {
  const finding = (reason_code: Finding['reason_code'], confidence: Finding['confidence']): Finding => ({
    reason_code,
    confidence,
    code: null,
  });
  if (removeSpaces(x) === removeSpaces(y)) return finding('same_spelling', 'high');
  const spelling = compareSpellings(x, y);
  if (kind === 'doctors') {
    const similarity = comparePeople(x.split(' '), y.split(' '));
    if (similarity === 'initial' || similarity === 'part_of_name') return finding(similarity, 'review');
    // A letter can make another first name: Andrea is not Andreas.
    return spelling === null ? null : finding('slip_of_letters', 'review');
  }
  // Nephrology and neurology, hyperkalaemia and hypercalcaemia are one letter apart in some language.
  if (spelling !== null) return finding('slip_of_letters', 'review');
  return kind === 'facilities' && isWithPlace(x, y) ? finding('other_place', 'review') : null;
}

/** Whether one name is the other plus one or two words at the end. */
function isWithPlace(x: string, y: string): boolean {
  const [shorter, longer] = x.length < y.length ? [x, y] : [y, x];
  return (
    longer.startsWith(`${shorter} `) && shorter.length >= 6 && longer.slice(shorter.length + 1).split(' ').length <= 2
  );
}

/**
 * Groups certain pairs that share an entry. Uncertain pairs are not grouped: `A. Meier` may be Anna or Andreas, but
 * Anna and Andreas are two people.
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
