import type { ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { names as contract } from '../../../src-shared/contract/names.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import type { Knowledge } from '../../reading/knowledge/service.ts';
import type { Entries } from './entries.ts';
import { aliasKey } from './name-key.ts';
import { pairKey, proposeMerges, type Candidate } from './proposals.ts';
import type { ReferenceRepository } from './reference-repository.ts';
import { CODE_COLUMN, isSeededKind, type Viewer } from './references.ts';
import type { EntryRow, NameRepository } from './repository.ts';
import type { NameRights } from './rights.ts';

export interface CandidateDeps {
  repository: NameRepository;
  references: ReferenceRepository;
  rights: NameRights;
  entries: Entries;
  knowledge: Knowledge;
}

/** Proposes merges of entries that the user may change, without changing anything. */
export function proposeUserMerges(
  deps: CandidateDeps,
  kind: NameKind,
  user: UserCaller,
): ReplyInput<typeof contract.autoMerge> {
  const { repository, rights, entries } = deps;
  const visibleIds = entries.visibleIds(kind, user);
  const rows = repository.entries(kind).filter(({ id }) => visibleIds.has(id));
  const apart = new Set(repository.distinctions(kind).map(({ low_id, high_id }) => pairKey(low_id, high_id)));
  const proposals = proposeMerges(kind, candidatesOf(deps, kind, rows, deps.rights.viewer(user)), apart).filter(
    ({ target_id, source_ids }) => [target_id, ...source_ids].every((id) => rights.mayChange(user, kind, id)),
  );
  const mentionedIds = new Set(proposals.flatMap(({ target_id, source_ids }) => [target_id, ...source_ids]));
  const mentioned = rows.filter(({ id }) => mentionedIds.has(id));
  return { proposals, entries: entries.wire(kind, mentioned, user) };
}

/** Entries with the spellings and uses that a viewer sees. */
export function candidatesOf(
  { repository, references, knowledge }: CandidateDeps,
  kind: NameKind,
  rows: readonly EntryRow[],
  viewer: Viewer,
): Candidate[] {
  const aliases = Map.groupBy(repository.keys(kind, viewer), ({ entry_id }) => entry_id);
  const ids = rows.map(({ id }) => id);
  const uses = references.uses(kind, ids, viewer);
  return rows.map((row) => {
    const keys = (aliases.get(row.id) ?? []).map(({ alias_key }) => alias_key);
    return candidateOf(knowledge, kind, row, keys, uses.get(row.id) ?? 0);
  });
}

function candidateOf(
  knowledge: Knowledge,
  kind: NameKind,
  row: EntryRow,
  keys: readonly string[],
  uses: number,
): Candidate {
  const column = CODE_COLUMN[kind];
  const printedCode = column === undefined ? null : (row[column] as string | null);
  const isShared = printedCode !== null && isSeededKind(kind) && knowledge.isShared(kind, printedCode);
  return {
    id: row.id,
    display: row.canonical_display,
    keys: [...new Set([aliasKey(kind, row.canonical_display), ...keys])].filter((key) => key !== ''),
    code: isShared ? null : printedCode,
    existingEntry: knowledgeOf(knowledge, kind, row, printedCode),
    uses,
    city: (row['city'] as string | null | undefined) ?? null,
  };
}

/** The entry of the knowledge base for a row, found by its code, otherwise by its display. */
function knowledgeOf(
  knowledge: Knowledge,
  kind: NameKind,
  row: EntryRow,
  code: string | null,
): Candidate['existingEntry'] {
  if (!isSeededKind(kind)) return null;
  const coded =
    (row.seeded === 1 ? knowledge.byCanonicalCode(kind, row.canonical_code) : null) ??
    (code === null ? null : knowledge.byCode(kind, code, row.canonical_display));
  if (coded) return { entry: coded.canonicalCode, code: coded.code, by: 'code' };
  const match = code === null ? knowledge.match(kind, row.canonical_display) : null;
  return match && { entry: match.entry.canonicalCode, code: match.entry.code, by: match.by };
}
