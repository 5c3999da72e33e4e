import type { Database } from '../../platform/database/connection.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { aliasKey } from './name-key.ts';
import type { MovedReferences, ReferenceRepository } from './reference-repository.ts';
import { OWN_COLUMNS } from './references.ts';
import { requireEntry, type EntryRow, type NameRepository } from './repository.ts';

export interface MergeRow {
  id: number;
  kind: NameKind;
  target_id: number;
  target_created: boolean;
  sources: { entries: EntryRow[]; filled: Record<string, unknown> };
  aliases: { alias_id: number; entry_id: number | null }[];
  moved: MovedReferences[];
  user_id: number | null;
  created_at: string;
  undone_at: string | null;
}
export type MergeTarget = { id: number } | { canonical_code: string; canonical_display: string };

interface RawMerge extends Omit<MergeRow, 'target_created' | 'sources' | 'aliases' | 'moved'> {
  target_created: number;
  sources: string;
  aliases: string;
  moved: string;
}
const parse = ({ target_created, sources, aliases, moved, ...row }: RawMerge): MergeRow => ({
  ...row,
  target_created: target_created === 1,
  sources: JSON.parse(sources) as MergeRow['sources'],
  aliases: JSON.parse(aliases) as MergeRow['aliases'],
  moved: JSON.parse(moved) as MovedReferences[],
});

/** Counts the references that a merge moved. */
export const countMoved = (moved: readonly MovedReferences[]): number =>
  moved.reduce((sum, { ids }) => sum + ids.length, 0);

interface Deps {
  db: Database;
  repository: NameRepository;
  references: ReferenceRepository;
}

export type Merges = ReturnType<typeof createMerges>;

/** Merges entries and undoes merges, as part of the caller's transaction. */
export const createMerges = (deps: Deps) =>
  bindFirst(deps, {
    merge: mergeEntries,
    get: findMerge,
    latest: listLatestMerges,
    undo: undoMerge,
    forgetBefore: removeMergesBefore,
  });

/** Merges entries into an existing or a new one. @throws `name.not_found`, `name.self_merge`, `name.code_taken` */
function mergeEntries(
  deps: Deps,
  kind: NameKind,
  sourceIds: readonly number[],
  requestedTarget: MergeTarget,
  by: { userId: number; now: string },
): MergeRow {
  const { repository, references } = deps;
  const sources = [...new Set(sourceIds)].map((id) => requireEntry(repository, kind, id));
  if ('id' in requestedTarget && sourceIds.includes(requestedTarget.id)) throw fail('name.self_merge');
  const target =
    'id' in requestedTarget
      ? requireEntry(repository, kind, requestedTarget.id)
      : createTarget(repository, kind, requestedTarget, sources, by.now);
  const filled = fillFromSources(repository, kind, target, sources);
  const movedReferences = sources.flatMap(({ id }) => references.move(kind, id, target.id));
  const aliases = moveSpellings(repository, kind, sources, target, by.now);
  for (const { id } of sources) repository.remove(kind, id);
  return insertMerge(deps, {
    kind,
    target_id: target.id,
    target_created: !('id' in requestedTarget),
    sources: { entries: sources, filled },
    aliases,
    moved: movedReferences,
    user_id: by.userId,
    created_at: by.now,
    undone_at: null,
  });
}

function createTarget(
  repository: NameRepository,
  kind: NameKind,
  { canonical_code, canonical_display }: Exclude<MergeTarget, { id: number }>,
  sources: readonly EntryRow[],
  now: string,
): EntryRow {
  const holder = repository.byCanonicalCode(kind, canonical_code);
  if (holder && !sources.some(({ id }) => id === holder.id)) throw fail('name.code_taken');
  if (holder) releaseCode(repository, kind, holder.id);
  const name = kind === 'doctors' || kind === 'facilities' ? { name: canonical_display } : {};
  const id = repository.insert(kind, { canonical_code, canonical_display, created_at: now, ...name });
  return requireEntry(repository, kind, id);
}

/** Frees the code for another entry of the same transaction. */
const releaseCode = (repository: NameRepository, kind: NameKind, id: number): void =>
  repository.reseed(kind, id, { canonical_code: `~${id}` });

/** Fills the target's empty columns from the first source that has a value; returns these values. */
function fillFromSources(
  repository: NameRepository,
  kind: NameKind,
  target: EntryRow,
  sources: readonly EntryRow[],
): Record<string, unknown> {
  const emptyColumns = OWN_COLUMNS[kind].filter((column) => target[column] === null);
  const filled = Object.fromEntries(
    emptyColumns.flatMap((column) => {
      const from = sources.find((source) => source[column] !== null);
      return from ? [[column, from[column]]] : [];
    }),
  );
  if (Object.keys(filled).length > 0) repository.reseed(kind, target.id, filled);
  return filled;
}

/** Moves the spellings of the sources to the target, and adds the displays as spellings. */
function moveSpellings(
  repository: NameRepository,
  kind: NameKind,
  sources: readonly EntryRow[],
  target: EntryRow,
  now: string,
): MergeRow['aliases'] {
  const aliases: MergeRow['aliases'] = sources.flatMap(({ id }) => {
    const ids = aliasIdsOf(repository, kind, id);
    repository.moveAliases(kind, ids, id, target.id);
    return ids.map((alias_id) => ({ alias_id, entry_id: id }));
  });
  for (const { canonical_display: alias } of [...sources, target]) {
    const key = aliasKey(kind, alias);
    if (key === '') continue;
    const added = repository.addAlias(kind, { entryId: target.id, alias, key, auto: false, now });
    if (added !== null) aliases.push({ alias_id: added, entry_id: null });
  }
  return aliases;
}

const aliasIdsOf = (repository: NameRepository, kind: NameKind, entryId: number): number[] =>
  repository.aliasesOf(kind, [entryId]).map(({ alias_id }) => alias_id);

function insertMerge({ db }: Deps, row: Omit<MergeRow, 'id'>): MergeRow {
  const { lastInsertRowid } = db
    .prepare(
      `INSERT INTO name_merges (kind, target_id, target_created, sources, aliases, moved, user_id, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.kind,
      row.target_id,
      Number(row.target_created),
      JSON.stringify(row.sources),
      JSON.stringify(row.aliases),
      JSON.stringify(row.moved),
      row.user_id,
      row.created_at,
    );
  return { id: Number(lastInsertRowid), ...row };
}

function findMerge({ db }: Deps, kind: NameKind, id: number): MergeRow | undefined {
  const row = db.prepare('SELECT * FROM name_merges WHERE kind = ? AND id = ?').get(kind, id) as RawMerge | undefined;
  return row && parse(row);
}

/** Lists the latest merges, newest first. */
const listLatestMerges = ({ db }: Deps, kind: NameKind, limit: number): MergeRow[] =>
  (db.prepare('SELECT * FROM name_merges WHERE kind = ? ORDER BY id DESC LIMIT ?').all(kind, limit) as RawMerge[]).map(
    parse,
  );

/**
 * Restores the sources and every reference that still points to the target; returns the number of references.
 *
 * @throws `name.merge_superseded`
 */
function undoMerge({ db, repository, references }: Deps, kind: NameKind, merge: MergeRow, now: string): number {
  const { target_id, sources, aliases, moved } = merge;
  reclaimCodes(repository, kind, merge);
  for (const entry of sources.entries) repository.insert(kind, entry);
  const movedBack = moved.reduce((sum, part) => sum + references.moveBack(part, target_id), 0);
  for (const { alias_id, entry_id } of aliases)
    if (entry_id !== null) repository.moveAliases(kind, [alias_id], target_id, entry_id);
  repository.removeAliases(
    kind,
    aliases.filter(({ entry_id }) => entry_id === null).map(({ alias_id }) => alias_id),
  );
  const target = requireEntry(repository, kind, target_id);
  const stillFilled = Object.keys(sources.filled).filter((column) => target[column] === sources.filled[column]);
  if (stillFilled.length > 0)
    repository.reseed(kind, target_id, Object.fromEntries(stillFilled.map((column) => [column, null])));
  if (merge.target_created) removeCreatedTarget(repository, references, kind, target);
  db.prepare('UPDATE name_merges SET undone_at = ? WHERE id = ?').run(now, merge.id);
  return movedBack;
}

/** Frees the codes of the sources. @throws `name.merge_superseded` if entries or codes are used again */
function reclaimCodes(
  repository: NameRepository,
  kind: NameKind,
  { target_id, target_created, sources }: MergeRow,
): void {
  if (!repository.exists(kind, target_id) || sources.entries.some(({ id }) => repository.exists(kind, id)))
    throw fail('name.merge_superseded');
  for (const { canonical_code } of sources.entries) {
    const holder = repository.byCanonicalCode(kind, canonical_code);
    if (holder && !(target_created && holder.id === target_id)) throw fail('name.merge_superseded');
    if (holder) releaseCode(repository, kind, holder.id);
  }
}

/** Removes a target that the merge created, unless later records refer to it. */
function removeCreatedTarget(
  repository: NameRepository,
  references: ReferenceRepository,
  kind: NameKind,
  { id, canonical_code }: EntryRow,
): void {
  if (!references.isUsed(kind, id)) {
    repository.removeAliases(kind, aliasIdsOf(repository, kind, id));
    return repository.remove(kind, id);
  }
  // The code belongs to the restored entry again.
  if (canonical_code === `~${id}`) repository.reseed(kind, id, { canonical_code: `merged-${id}` });
}

/** Deletes merges that can no longer be undone. */
function removeMergesBefore({ db }: Deps, timestamp: string): void {
  db.prepare('DELETE FROM name_merges WHERE created_at < ?').run(timestamp);
}
