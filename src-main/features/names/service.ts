import type { Input, ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { names as contract } from '../../../src-shared/contract/names.ts';
import { NAME_TYPES } from '../../../src-shared/contract/name-types.ts';
import { TRASH_DAYS } from '../../../src-shared/contract/trash.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import type { CatchUp } from '../../platform/database/catch-up.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import type { NamesChange } from '../../platform/kernel/live.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { orNotFound } from '../../platform/kernel/or-not-found.ts';
import type { Knowledge } from '../../reading/knowledge/service.ts';
import type { GeneralModel } from '../../reading/providers/models/general.ts';
import { undoUntil } from '../../platform/vault/trash.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { createNameCircles, type NameCircles } from './circles.ts';
import { createEntries, type Entries, type NamesOf } from './entries.ts';
import { proposeUserMerges } from './merge-candidates.ts';
import { proposeModelMerges } from './merges-by-model.ts';
import type { MergeRow } from './merge-repository.ts';
import { countMoved, createMerges, type Merges, type MergeTarget } from './merges.ts';
import { separateOldEntries } from './old-entries.ts';
import { createReferenceRepository, type ReferenceRepository } from './reference-repository.ts';
import { isSeededKind, TABLES } from './references.ts';
import { createNameReindex, type NameReindex } from './reindex.ts';
import { createNameRepository, requireEntry, type NameRepository } from './repository.ts';
import { createNameRights, type NameRights } from './rights.ts';
import { fromKnowledge, isAsInKnowledge, reseedFromKnowledgeBase } from './seed-entries.ts';

const DAY_MS = 86_400_000;
const MAX_MERGES_SHOWN = 50;

export type { NameKind } from '../../platform/database/schema/names.ts';
export { aliasKey, foldName } from './name-key.ts';
export type { NameResolver } from './resolver.ts';
export type { Home } from './circle.ts';
export { VISIBLE_ALIAS } from './alias-repository.ts';

export interface NameServiceDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  access: AccessRules;
  knowledge: Knowledge;
  language: () => string;
  catchUp: CatchUp;
  documents: { reindex(ids: readonly number[]): void };
  announce: (message: NamesChange) => void;
  /** The language model, if one is set up. */
  model: Pick<GeneralModel, 'ask' | 'isAvailable'>;
}

interface Deps extends Omit<NameServiceDeps, 'clock'> {
  repository: NameRepository;
  references: ReferenceRepository;
  rights: NameRights;
  reindex: NameReindex;
  circles: NameCircles;
  entries: Entries;
  merges: Merges;
  namesOf: NamesOf;
  now: () => string;
}

export type NameService = ReturnType<typeof createNameService>;

/**
 * Edits and merges of canonical names. Access is checked here, because it depends on the records that refer to an
 * entry.
 */
export function createNameService({ clock, ...dependencies }: NameServiceDeps) {
  const { db, access, catchUp, documents } = dependencies;
  const now = (): string => toTimestamp(clock.now());
  const repository = createNameRepository(db);
  const references = createReferenceRepository(db);
  const rights = createNameRights({ access, references, repository });
  const circles = createNameCircles({ db, access });
  const reindex = createNameReindex({ catchUp, references, reindex: documents.reindex });
  const namesOf: NamesOf = (kind, row) => fromKnowledge(dependencies, kind, row)?.names ?? null;
  const entries = createEntries({ repository, references, rights, reindex, circles, namesOf, now });
  const merges = createMerges({ db, repository, references, around: circles.around });
  const deps: Deps = {
    ...dependencies,
    repository,
    references,
    rights,
    reindex,
    circles,
    entries,
    merges,
    namesOf,
    now,
  };
  return {
    overview: (user: UserCaller): ReplyInput<typeof contract.overview> => ({
      types: NAME_TYPES.map((type) => ({ type, ...entries.counts(type, user) })),
    }),
    list: entries.list,
    ...bindFirst(deps, {
      get: getEntry,
      documents: listDocuments,
      update: updateEntry,
      remove: removeEntry,
      addAlias,
      removeAlias,
      confirm: confirmAliases,
      merge: mergeEntries,
      mergeBatch,
      autoMerge: proposeUserMerges,
      mergesByModel: proposeModelMerges,
      keepApart: setDistinct,
      merges: listMerges,
      undoMerge,
      reindexRenamed,
      reindexRestored,
    }),
    /** Runs before the first request. */
    separateOldEntries: (): void => separateOldEntries(deps),
    /**
     * Updates seeded entries to the current knowledge base and language, and deletes merges that are too old to undo.
     */
    reseed: (): void => reseedEntries(deps, toTimestamp(clock.now() - TRASH_DAYS * DAY_MS)),
  };
}

/**
 * Runs `work` in a transaction, then announces the change to those who may see one of the user's patients, and updates
 * search in the background.
 */
function change<T>({ vault, access, announce, reindex }: Deps, kind: NameKind, user: UserCaller, work: () => T): T {
  const result = vault.transaction(work);
  announce({ kind: 'names', type: kind, userId: user.userId, patientIds: access.ownedPatients(user.userId) });
  reindex.wake();
  return result;
}

function getEntry({ rights, entries }: Deps, kind: NameKind, id: number, user: UserCaller) {
  rights.requireSeen(user, kind, id);
  return entries.one(kind, id, user);
}

/** Lists the visible documents that refer to an entry. */
function listDocuments(
  { rights, references }: Deps,
  kind: NameKind,
  id: number,
  { limit, offset }: { limit: number; offset: number },
  user: UserCaller,
): ReplyInput<typeof contract.documents> {
  rights.requireSeen(user, kind, id);
  return references.documents(kind, id, rights.viewer(user), limit, offset) as ReplyInput<typeof contract.documents>;
}

function updateEntry(
  deps: Deps,
  kind: NameKind,
  id: number,
  changes: Input<typeof contract.update>['body'],
  user: UserCaller,
) {
  const { rights, entries, repository } = deps;
  change(deps, kind, user, () => {
    rights.claim(user, kind, id);
    entries.update(kind, id, changes);
    const row = requireEntry(repository, kind, id);
    if (isSeededKind(kind) && isAsInKnowledge(deps, kind, row)) repository.reseed(kind, id, { seeded: 1 });
  });
  return entries.one(kind, id, user);
}

/** Moves an entry to the trash; records that refer to it lose the reference. */
function removeEntry(deps: Deps, kind: NameKind, id: number, user: UserCaller): ReplyInput<typeof contract.remove> {
  const { vault, repository, references, rights, reindex, now } = deps;
  const trashId = change(deps, kind, user, () => {
    rights.claim(user, kind, id);
    const label = repository.entry(kind, id)?.canonical_display ?? '';
    const affected = references.documentIds(kind, id, 0, -1);
    const aliasIds = repository.aliasesOf(kind, [id]).map(({ alias_id }) => alias_id);
    const by = { label, patientId: null, deletedByUserId: user.userId };
    const trashed = vault.trash.addName(TABLES[kind], id, aliasIds, by);
    reindex.reindexDocuments(kind, id, affected);
    return trashed;
  });
  return { ok: true, trash_id: trashId, undo_until: undoUntil(now()) };
}

const addAlias = (
  deps: Deps,
  kind: NameKind,
  id: number,
  body: Input<typeof contract.addAlias>['body'],
  user: UserCaller,
) =>
  change(deps, kind, user, () => {
    deps.rights.claim(user, kind, id);
    return deps.entries.addAlias(kind, id, body, user);
  });

const removeAlias = (deps: Deps, kind: NameKind, aliasId: number, user: UserCaller) =>
  change(deps, kind, user, () => deps.entries.removeAlias(kind, aliasId, user));

const confirmAliases = (
  deps: Deps,
  kind: NameKind,
  id: number,
  user: UserCaller,
): ReplyInput<typeof contract.confirm> =>
  change(deps, kind, user, () => {
    deps.rights.claim(user, kind, id);
    const viewer = deps.rights.viewer(user);
    const confirmed = deps.repository.unreviewed(kind, viewer).get(id) ?? 0;
    deps.repository.confirm(kind, id, viewer);
    return { ok: true, confirmed };
  });

function mergeEntries(
  deps: Deps,
  kind: NameKind,
  sourceIds: readonly number[],
  target: MergeTarget,
  user: UserCaller,
): ReplyInput<typeof contract.merge> {
  const { rights, repository, merges, reindex, now } = deps;
  let movedAliases = 0;
  const merge = change(deps, kind, user, () => {
    for (const id of [...sourceIds, ...('id' in target ? [target.id] : [])]) rights.claim(user, kind, id);
    movedAliases = repository.aliasesOf(kind, sourceIds, rights.viewer(user)).length;
    const row = merges.merge(kind, sourceIds, target, { userId: user.userId, now: now() });
    reindex.reindexEntry(kind, row.target_id);
    return row;
  });
  return {
    ok: true,
    merge_id: merge.id,
    target_id: merge.target_id,
    moved_references: countMoved(merge.moved),
    moved_aliases: movedAliases,
    undo_until: undoUntil(merge.created_at),
  };
}

/** Merges into an existing or a new entry. */
const mergeBatch = (
  deps: Deps,
  kind: NameKind,
  { source_ids, target_id, new_target }: Input<typeof contract.mergeBatch>['body'],
  user: UserCaller,
) =>
  mergeEntries(
    deps,
    kind,
    source_ids,
    target_id === undefined ? (new_target as NonNullable<typeof new_target>) : { id: target_id },
    user,
  );

/** Declares entries different, so that their merge is no longer proposed, or reverts that. */
const setDistinct = (
  deps: Deps,
  kind: NameKind,
  ids: readonly number[],
  apart: boolean,
  user: UserCaller,
): { ok: true } =>
  change(deps, kind, user, () => {
    const { rights, repository } = deps;
    const save = apart ? repository.distinguish : repository.forgetDistinction;
    for (const id of ids) rights.claim(user, kind, id);
    for (const [index, a] of ids.entries())
      for (const b of ids.slice(index + 1)) if (a !== b) save(kind, Math.min(a, b), Math.max(a, b));
    return { ok: true };
  });

const isUndoable = ({ now }: Deps, createdAt: string): boolean => undoUntil(createdAt) > now();

/**
 * Whether a user may know of a merge: its author, and whoever may change all records of the target and the records from
 * which the merged names came. For others the names may come from records that they don't see.
 */
const mayKnowMerge = ({ rights }: Deps, kind: NameKind, row: MergeRow, user: UserCaller): boolean =>
  row.user_id === user.userId ||
  (rights.mayChangeAll(user, kind, row.target_id) &&
    row.sources.entries.every((entry) => rights.mayChangeHome(user, entry)));

/** Lists the merges that the user may know of, newest first. */
function listMerges(deps: Deps, kind: NameKind, user: UserCaller): ReplyInput<typeof contract.merges> {
  const { merges, rights, repository, namesOf } = deps;
  const rows = merges
    .latest(kind)
    .filter((row) => isUndoable(deps, row.created_at) && mayKnowMerge(deps, kind, row, user))
    .slice(0, MAX_MERGES_SHOWN);
  const mayUndo = ({ undone_at, target_id }: MergeRow): boolean =>
    undone_at === null && rights.sees(user, kind, target_id) && rights.mayChange(user, kind, target_id);
  return {
    items: rows.map((row) => {
      const target = repository.entry(kind, row.target_id);
      return {
        merge_id: row.id,
        target_id: row.target_id,
        target_display: target?.canonical_display ?? '',
        target_names: target ? namesOf(kind, target) : null,
        source_displays: row.sources.entries.map(({ canonical_display }) => canonical_display),
        source_names: row.sources.entries.map((entry) => namesOf(kind, entry)),
        moved_references: countMoved(row.moved),
        created_at: row.created_at,
        undone_at: row.undone_at,
        undo_until: undoUntil(row.created_at),
        can_undo: mayUndo(row),
      };
    }),
  };
}

const undoMerge = (
  deps: Deps,
  kind: NameKind,
  mergeId: number,
  user: UserCaller,
): ReplyInput<typeof contract.undoMerge> =>
  change(deps, kind, user, () => {
    const { merges, rights, repository, reindex, now } = deps;
    const row = orNotFound(merges.get(kind, mergeId), 'name.merge_not_found');
    if (!isUndoable(deps, row.created_at) || !mayKnowMerge(deps, kind, row, user)) throw fail('name.merge_not_found');
    if (row.undone_at !== null) throw fail('name.merge_already_undone');
    if (!repository.exists(kind, row.target_id)) throw fail('name.merge_superseded');
    rights.claim(user, kind, row.target_id);
    const movedCount = merges.undo(kind, row, now());
    for (const { id } of row.sources.entries) reindex.reindexEntry(kind, id);
    return { ok: true, entry_ids: row.sources.entries.map(({ id }) => id), moved_references: movedCount };
  });

/** Updates search after reading a document gave an entry a fuller name; part of that transaction. */
function reindexRenamed({ reindex }: Deps, kind: NameKind, id: number): void {
  reindex.reindexEntry(kind, id);
  reindex.wake();
}

/** Updates search after an entry was restored from the trash; part of that transaction. */
function reindexRestored(deps: Deps, { table, id }: { table: string; id: number }): void {
  const { repository, references, circles, reindex, announce } = deps;
  const kind = NAME_TYPES.find((type) => TABLES[type] === table);
  const entry = kind && repository.entry(kind, id);
  if (!kind || !entry) return;
  // A spelling that another entry has meanwhile stays there.
  const others = new Set(
    circles
      .around(entry)
      .keys(kind)
      .flatMap(({ entry_id, alias_key }) => (entry_id === id ? [] : [alias_key])),
  );
  const taken = repository.aliasesOf(kind, [id]).filter(({ alias_key }) => others.has(alias_key));
  repository.removeAliases(
    kind,
    taken.map(({ alias_id }) => alias_id),
  );
  reindex.reindexEntry(kind, id);
  reindex.wake();
  const patientIds = references.owners(kind, id).flatMap(({ patientId }) => patientId ?? []);
  announce({ kind: 'names', type: kind, userId: null, patientIds });
}

function reseedEntries(deps: Deps, undoableSince: string): void {
  deps.db.transaction(() => {
    reseedFromKnowledgeBase(deps);
    deps.merges.forgetBefore(undoableSince);
  });
  deps.reindex.wake();
}
