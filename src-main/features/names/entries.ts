import type { Input, ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { names as contract, NameChanges } from '../../../src-shared/contract/names.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { orNotFound } from '../../platform/kernel/or-not-found.ts';
import type { NameCircles } from './circles.ts';
import { readDoctorName } from './doctor-name.ts';
import { aliasKey } from './name-key.ts';
import { OWN_COLUMNS } from './references.ts';
import type { ReferenceRepository } from './reference-repository.ts';
import type { NameReindex } from './reindex.ts';
import { isToReview, type AliasRow } from './alias-repository.ts';
import { requireEntry, type EntryRow, type NameRepository } from './repository.ts';
import type { NameRights } from './rights.ts';

type WireRow = ReplyInput<typeof contract.get>;

/** Maximum number of spellings per entry in a list. */
const MAX_LISTED_ALIASES = 6;
const COLLATION: Intl.CollatorOptions = { sensitivity: 'base', numeric: true };

/** The names of an entry by language if it is as in the knowledge base; otherwise null. */
export type NamesOf = (kind: NameKind, row: EntryRow) => Readonly<Record<string, string>> | null;

export interface EntryDeps {
  repository: NameRepository;
  references: ReferenceRepository;
  rights: NameRights;
  reindex: NameReindex;
  circles: NameCircles;
  namesOf: NamesOf;
  now: () => string;
}
export type Entries = ReturnType<typeof createEntries>;

/** Entries and their spellings as users see and change them. Changes are part of the caller's transaction. */
export const createEntries = (deps: EntryDeps) =>
  bindFirst(deps, {
    wire: entriesOnWire,
    visibleIds: listVisibleIds,
    one: readEntry,
    list: listEntries,
    counts: countEntries,
    update: updateEntry,
    addAlias,
    removeAlias,
  });

const aliasOnWire = (kind: NameKind, name: string, row: AliasRow) => ({
  alias_id: row.alias_id,
  alias: row.alias,
  language: row.language,
  auto_mapped: isToReview(kind, name, row),
});

function entriesOnWire(
  { repository, references, rights, namesOf }: EntryDeps,
  kind: NameKind,
  rows: readonly EntryRow[],
  user: UserCaller,
  maxAliases = MAX_LISTED_ALIASES,
): WireRow[] {
  const ids = rows.map(({ id }) => id);
  const viewer = rights.viewer(user);
  const aliases = Map.groupBy(repository.aliasesOf(kind, ids, viewer), ({ entry_id }) => entry_id);
  const uses = references.uses(kind, ids, viewer);
  return rows.map((row) => {
    const own = (aliases.get(row.id) ?? []).map((alias) => aliasOnWire(kind, row.canonical_display, alias));
    own.sort((a, b) => Number(b.auto_mapped) - Number(a.auto_mapped));
    return {
      id: row.id,
      canonical_code: row.canonical_code,
      canonical_display: row.canonical_display,
      names: namesOf(kind, row),
      uses: uses.get(row.id) ?? 0,
      alias_count: own.length,
      unreviewed_count: own.filter(({ auto_mapped }) => auto_mapped).length,
      ...Object.fromEntries(OWN_COLUMNS[kind].map((column) => [column, row[column]])),
      aliases: own.slice(0, maxAliases),
    };
  });
}

const listVisibleIds = ({ references, rights }: EntryDeps, kind: NameKind, user: UserCaller): Set<number> =>
  references.seen(kind, rights.viewer(user), { used: true, unused: true, editor: user.role !== 'viewer' });

/** Reads an entry with all its spellings. @throws `name.not_found` */
const readEntry = (deps: EntryDeps, kind: NameKind, id: number, user: UserCaller): WireRow =>
  entriesOnWire(deps, kind, [requireEntry(deps.repository, kind, id)], user, Infinity)[0] as WireRow;

function listEntries(
  deps: EntryDeps,
  kind: NameKind,
  { filter, search, sort, language, limit, offset }: Input<typeof contract.list>['query'],
  user: UserCaller,
): ReplyInput<typeof contract.list> {
  const { repository, references, rights, namesOf } = deps;
  const viewer = rights.viewer(user);
  const visibleIds =
    filter === 'unused'
      ? references.seen(kind, viewer, { used: false, unused: true, editor: user.role !== 'viewer' })
      : listVisibleIds(deps, kind, user);
  const hits = search?.trim() ? searchEntries(deps, kind, search.trim(), viewer) : null;
  const unreviewed = filter === 'unreviewed' ? repository.unreviewed(kind, viewer) : null;
  const rows = repository
    .entries(kind)
    .filter(
      ({ id }) => visibleIds.has(id) && (hits === null || hits.has(id)) && (unreviewed === null || unreviewed.has(id)),
    );
  const nameOf = (row: EntryRow): string => namesOf(kind, row)?.[language ?? ''] ?? row.canonical_display;
  const names = new Map(rows.map((row) => [row.id, nameOf(row)]));
  const { compare } = new Intl.Collator(language ?? 'en', COLLATION);
  rows.sort((a, b) => compare(names.get(a.id) ?? '', names.get(b.id) ?? '') || a.id - b.id);
  if (sort === 'uses') {
    const ids = rows.map(({ id }) => id);
    const uses = references.uses(kind, ids, viewer);
    rows.sort((a, b) => (uses.get(b.id) ?? 0) - (uses.get(a.id) ?? 0));
  }
  return { items: entriesOnWire(deps, kind, rows.slice(offset, offset + limit), user), total: rows.length };
}

/** The entries with a text in a visible spelling, a detail, or a name of the knowledge base in any language. */
function searchEntries(
  { repository, namesOf }: EntryDeps,
  kind: NameKind,
  text: string,
  viewer: ReturnType<NameRights['viewer']>,
): Set<number> {
  const key = aliasKey(kind, text);
  const hits = repository.search(kind, key, text, viewer);
  const lower = text.toLowerCase();
  const has = (name: string): boolean =>
    name.toLowerCase().includes(lower) || (key !== '' && aliasKey(kind, name).includes(key));
  for (const row of repository.entries(kind)) if (Object.values(namesOf(kind, row) ?? {}).some(has)) hits.add(row.id);
  return hits;
}

function countEntries(deps: EntryDeps, kind: NameKind, user: UserCaller): { entries: number; unreviewed: number } {
  const visibleIds = listVisibleIds(deps, kind, user);
  const unreviewed = deps.repository.unreviewed(kind, deps.rights.viewer(user));
  return { entries: visibleIds.size, unreviewed: [...visibleIds].filter((id) => unreviewed.has(id)).length };
}

/** @throws `name.code_taken`, `name.unknown_field`, `name.not_found` */
function updateEntry(deps: EntryDeps, kind: NameKind, id: number, changes: NameChanges): void {
  const { repository, reindex, circles } = deps;
  const before = requireEntry(repository, kind, id);
  const values = columnsOf(kind, changes);
  const { canonical_code: code = before.canonical_code } = changes;
  if (code !== before.canonical_code && circles.around(before).byCanonicalCode(kind, code))
    throw fail('name.code_taken');
  if (Object.keys(values).length === 0) return;
  repository.update(kind, id, values);
  const display = changes.canonical_display;
  if (display === undefined || display === before.canonical_display) return;
  repository.confirmName(kind, id, before.canonical_display);
  // Both displays become spellings, so that names printed either way are found.
  addSpelling(deps, kind, before, before.canonical_display);
  addSpelling(deps, kind, before, display);
  reindex.reindexEntry(kind, id);
}

/** The columns to write. A new display also sets the name of a doctor or facility. @throws `name.unknown_field` */
function columnsOf(kind: NameKind, changes: NameChanges): Record<string, unknown> {
  const values = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const columns = ['canonical_code', 'canonical_display', ...OWN_COLUMNS[kind]];
  const unknown = Object.keys(values).find((column) => !columns.includes(column));
  if (unknown !== undefined) throw fail('name.unknown_field', { field: unknown });
  const { canonical_display: display, name, title } = changes;
  if (display === undefined || name !== undefined) return values;
  if (kind === 'facilities') return { ...values, name: display };
  if (kind !== 'doctors') return values;
  const doctor = readDoctorName(display);
  return { ...values, name: doctor.name, ...(title === undefined && { title: doctor.title }) };
}

function addSpelling({ circles, now }: EntryDeps, kind: NameKind, entry: EntryRow, display: string): void {
  const key = aliasKey(kind, display);
  if (key === '') return;
  circles.around(entry).addAlias(kind, { entryId: entry.id, alias: display, key, auto: false, now: now() });
}

/**
 * Adds a spelling to an entry, or moves it there from another entry if `move` is set.
 *
 * @throws `name.alias_empty`, `name.alias_taken`, `name.not_found`, `auth.read_only`
 */
function addAlias(
  deps: EntryDeps,
  kind: NameKind,
  id: number,
  { alias, language, move }: Input<typeof contract.addAlias>['body'],
  user: UserCaller,
): ReplyInput<typeof contract.addAlias> {
  const { repository, rights, circles, now } = deps;
  const entry = requireEntry(repository, kind, id);
  const key = aliasKey(kind, alias);
  if (key === '') throw fail('name.alias_empty');
  const circle = circles.around(entry);
  const holder = repository.spellingOf(kind, id, key) ?? circle.byKey(kind, key);
  const isElsewhere = holder !== undefined && holder.entry_id !== id;
  if (isElsewhere && !move)
    throw fail('name.alias_taken', { entry: requireEntry(repository, kind, holder.entry_id).canonical_display });
  if (isElsewhere) rights.claim(user, kind, holder.entry_id);
  const aliasId =
    holder?.alias_id ??
    circle.addAlias(kind, { entryId: id, alias, key, language: language ?? null, auto: false, now: now() });
  if (holder)
    repository.rewriteAlias(holder.alias_id, {
      entry_id: id,
      alias,
      language: language === undefined ? holder.language : language,
    });
  const moved_references = isElsewhere ? moveReferences(deps, kind, key, holder.entry_id, id) : 0;
  return {
    ...aliasOnWire(kind, entry.canonical_display, repository.alias(kind, aliasId ?? 0) as AliasRow),
    moved_references,
  };
}

/** Moves the records printed under the key from one entry to another; returns their number. */
function moveReferences(
  { references, reindex }: EntryDeps,
  kind: NameKind,
  key: string,
  from: number,
  to: number,
): number {
  const movedCount = references.moveWhere(kind, from, to, ({ text, sample }) => aliasKey(kind, text, sample) === key);
  reindex.reindexEntry(kind, to);
  return movedCount;
}

/** Removes a spelling. @throws `name.alias_not_found`, `name.not_found`, `auth.read_only` */
function removeAlias(
  { repository, rights }: EntryDeps,
  kind: NameKind,
  aliasId: number,
  user: UserCaller,
): { ok: true; entry_id: number; alias: string; language: string | null } {
  const row = orNotFound(repository.alias(kind, aliasId, rights.viewer(user)), 'name.alias_not_found');
  rights.claim(user, kind, row.entry_id);
  repository.removeAliases(kind, [aliasId]);
  return { ok: true, entry_id: row.entry_id, alias: row.alias, language: row.language };
}
