import type { Database } from '../../platform/database/connection.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import { fail } from '../../platform/kernel/errors.ts';
import type { AliasRow } from './alias-repository.ts';
import { createMergeRepository, type MergeRepository, type MergeRow } from './merge-repository.ts';
import { aliasKey } from './name-key.ts';
import type { MovedReferences, ReferenceRepository } from './reference-repository.ts';
import { OWN_COLUMNS } from './references.ts';
import { requireEntry, type EntryRow, type NameRepository } from './repository.ts';

export type MergeTarget = { id: number } | { canonical_code: string; canonical_display: string };

/** Counts the references that a merge moved. */
export const countMoved = (moved: readonly MovedReferences[]): number =>
  moved.reduce((sum, { ids }) => sum + ids.length, 0);

interface Deps {
  stored: MergeRepository;
  repository: NameRepository;
  references: ReferenceRepository;
  /** The entries among which codes and spellings must be unique; without it, all. */
  around?: (entry: EntryRow) => NameRepository;
}
const around = ({ around: find, repository }: Deps, entry: EntryRow): NameRepository => find?.(entry) ?? repository;

export type Merges = ReturnType<typeof createMerges>;

/** Merges entries and undoes merges, as part of the caller's transaction. */
export function createMerges({ db, ...others }: Omit<Deps, 'stored'> & { db: Database }) {
  const stored = createMergeRepository(db);
  return {
    ...bindFirst({ ...others, stored }, { merge: mergeEntries, undo: undoMerge }),
    get: stored.get,
    /** All merges that are still stored, newest first. */
    latest: stored.latest,
    /** Deletes merges that can no longer be undone. */
    forgetBefore: stored.removeBefore,
  };
}

/** Merges entries into an existing or a new one. @throws `name.not_found`, `name.self_merge`, `name.code_taken` */
function mergeEntries(
  deps: Deps,
  kind: NameKind,
  sourceIds: readonly number[],
  requestedTarget: MergeTarget,
  by: { userId: number; now: string },
): MergeRow {
  const { stored, repository, references } = deps;
  const sources = [...new Set(sourceIds)].map((id) => requireEntry(repository, kind, id));
  if ('id' in requestedTarget && sourceIds.includes(requestedTarget.id)) throw fail('name.self_merge');
  const target =
    'id' in requestedTarget
      ? requireEntry(repository, kind, requestedTarget.id)
      : createTarget(deps, kind, requestedTarget, sources, by.now);
  const filled = fillFromSources(repository, kind, target, sources);
  const movedReferences = sources.flatMap(({ id }) => references.move(kind, id, target.id));
  const { aliases, dropped } = moveSpellings(deps, kind, sources, target, by.now);
  for (const { id } of sources) repository.remove(kind, id);
  return stored.insert({
    kind,
    target_id: target.id,
    target_created: !('id' in requestedTarget),
    sources: { entries: sources, filled, dropped },
    aliases,
    moved: movedReferences,
    user_id: by.userId,
    created_at: by.now,
    undone_at: null,
  });
}

function createTarget(
  deps: Deps,
  kind: NameKind,
  { canonical_code, canonical_display }: Exclude<MergeTarget, { id: number }>,
  sources: readonly EntryRow[],
  now: string,
): EntryRow {
  const { repository } = deps;
  const holders = [
    ...new Set(
      sources.flatMap((source) => around(deps, source).withCanonicalCode(kind, canonical_code)).map(({ id }) => id),
    ),
  ];
  if (holders.some((holder) => sources.every(({ id }) => id !== holder))) throw fail('name.code_taken');
  for (const holder of holders) releaseCode(repository, kind, holder);
  const name = kind === 'doctors' || kind === 'facilities' ? { name: canonical_display } : {};
  const [{ home_patient_id, home_user_id } = { home_patient_id: null, home_user_id: null }] = sources;
  const id = repository.insert(kind, {
    canonical_code,
    canonical_display,
    created_at: now,
    home_patient_id,
    home_user_id,
    ...name,
  });
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

/**
 * Moves the spellings of the sources to the target, and adds the displays as spellings. A spelling that the target has
 * already is dropped, and its sources count for the target's.
 */
function moveSpellings(
  deps: Deps,
  kind: NameKind,
  sources: readonly EntryRow[],
  target: EntryRow,
  now: string,
): { aliases: MergeRow['aliases']; dropped: AliasRow[] } {
  const { repository } = deps;
  const aliases: MergeRow['aliases'] = [];
  const dropped: AliasRow[] = [];
  for (const row of sources.flatMap(({ id }) => repository.aliasesOf(kind, [id]))) {
    const same = repository.spellingOf(kind, target.id, row.alias_key);
    if (same) {
      for (const source of repository.sources(row.alias_id)) repository.addSource(same.alias_id, source);
      repository.removeAliases(kind, [row.alias_id]);
      dropped.push(row);
    } else {
      repository.moveAliases(kind, [row.alias_id], row.entry_id, target.id);
      aliases.push({ alias_id: row.alias_id, entry_id: row.entry_id });
    }
  }
  for (const { canonical_display: alias } of [...sources, target]) {
    const key = aliasKey(kind, alias);
    // A spelling of the target may be hidden from its circle; a second one would show it.
    if (key === '' || repository.spellingOf(kind, target.id, key)) continue;
    const added = around(deps, target).addAlias(kind, { entryId: target.id, alias, key, auto: false, now });
    if (added !== null) aliases.push({ alias_id: added, entry_id: null });
  }
  return { aliases, dropped };
}

const aliasIdsOf = (repository: NameRepository, kind: NameKind, entryId: number): number[] =>
  repository.aliasesOf(kind, [entryId]).map(({ alias_id }) => alias_id);

/**
 * Restores the sources and every reference that still points to the target; returns the number of references.
 *
 * @throws `name.merge_superseded`
 */
function undoMerge(deps: Deps, kind: NameKind, merge: MergeRow, now: string): number {
  const { stored, repository, references } = deps;
  const { target_id, sources, aliases, moved } = merge;
  reclaimCodes(deps, kind, merge);
  for (const entry of sources.entries) repository.insert(kind, entry);
  const movedBack = moved.reduce((sum, part) => sum + references.moveBack(part, target_id), 0);
  for (const { alias_id, entry_id } of aliases)
    if (entry_id !== null) repository.moveAliases(kind, [alias_id], target_id, entry_id);
  for (const row of sources.dropped ?? []) repository.restoreAlias(kind, row);
  repository.removeAliases(
    kind,
    aliases.filter(({ entry_id }) => entry_id === null).map(({ alias_id }) => alias_id),
  );
  const target = requireEntry(repository, kind, target_id);
  const stillFilled = Object.keys(sources.filled).filter((column) => target[column] === sources.filled[column]);
  if (stillFilled.length > 0)
    repository.reseed(kind, target_id, Object.fromEntries(stillFilled.map((column) => [column, null])));
  if (merge.target_created) removeCreatedTarget(repository, references, kind, target);
  stored.markUndone(merge.id, now);
  return movedBack;
}

/** Frees the codes of the sources. @throws `name.merge_superseded` if entries or codes are used again */
function reclaimCodes(deps: Deps, kind: NameKind, { target_id, target_created, sources, created_at }: MergeRow): void {
  const { repository } = deps;
  if (!repository.exists(kind, target_id) || sources.entries.some(({ id }) => repository.exists(kind, id)))
    throw fail('name.merge_superseded');
  for (const entry of sources.entries)
    for (const holder of around(deps, entry).withCanonicalCode(kind, entry.canonical_code)) {
      // Entries of several circles may have had the same code before the merge.
      const wasBeside = entry.home_patient_id !== holder.home_patient_id && holder.created_at <= created_at;
      if (wasBeside && !(target_created && holder.id === target_id)) continue;
      if (!(target_created && holder.id === target_id)) throw fail('name.merge_superseded');
      releaseCode(repository, kind, holder.id);
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
