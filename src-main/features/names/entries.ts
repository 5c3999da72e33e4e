import type { Input, ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { names as contract, NameChanges } from '../../../src-shared/contract/names.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { readDoctorName } from './doctor-name.ts';
import { aliasKey } from './name-key.ts';
import { OWN_COLUMNS } from './references.ts';
import type { ReferenceRepository } from './reference-repository.ts';
import type { NameReindex } from './reindex.ts';
import type { AliasRow, EntryRow, NameRepository } from './repository.ts';
import type { NameRights } from './rights.ts';

type WireRow = ReplyInput<typeof contract.get>;

/** Spellings that a list shows of each entry. */
const SHOWN_ALIASES = 6;

export interface EntryDeps {
  repository: NameRepository;
  references: ReferenceRepository;
  rights: NameRights;
  reindex: NameReindex;
  now: () => string;
}
export type Entries = ReturnType<typeof createEntries>;

/** Entries and their spellings as people see and change them. Changes are part of the caller's transaction. */
export function createEntries({ repository, references, rights, reindex, now }: EntryDeps) {
  const wireAlias = ({ alias_id, alias, language, auto_mapped }: AliasRow) => ({
    alias_id,
    alias,
    language,
    auto_mapped: auto_mapped === 1,
  });
  const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

  function wire(kind: NameKind, rows: readonly EntryRow[], user: UserCaller, shown = SHOWN_ALIASES): WireRow[] {
    const ids = rows.map(({ id }) => id);
    const aliases = Map.groupBy(repository.aliasesOf(kind, ids), ({ entry_id }) => entry_id);
    const uses = references.uses(kind, ids, rights.viewer(user));
    return rows.map((row) => {
      const own = aliases.get(row.id) ?? [];
      return {
        id: row.id,
        canonical_code: row.canonical_code,
        canonical_display: row.canonical_display,
        uses: uses.get(row.id) ?? 0,
        alias_count: own.length,
        unreviewed_count: own.filter(({ auto_mapped }) => auto_mapped === 1).length,
        ...Object.fromEntries(OWN_COLUMNS[kind].map((column) => [column, row[column]])),
        aliases: own.slice(0, shown).map(wireAlias),
      };
    });
  }
  const mustGet = (kind: NameKind, id: number): EntryRow => {
    const row = repository.entry(kind, id);
    if (!row) throw fail('name.not_found');
    return row;
  };
  const visibleIds = (kind: NameKind, user: UserCaller): Set<number> =>
    references.seen(kind, rights.viewer(user), { used: true, unused: rights.seesUnused(user) });
  /** Old and new display stay spellings, so that what was printed before is found again. */
  const keepSpelling = (kind: NameKind, entryId: number, display: string): void => {
    const key = aliasKey(kind, display);
    if (key !== '') repository.addAlias(kind, { entryId, alias: display, key, auto: false, now: now() });
  };

  return {
    wire,
    visibleIds,
    one: (kind: NameKind, id: number, user: UserCaller): WireRow =>
      wire(kind, [mustGet(kind, id)], user, Infinity)[0] as WireRow,

    list(
      kind: NameKind,
      { filter, search, sort, limit, offset }: Input<typeof contract.list>['query'],
      user: UserCaller,
    ): ReplyInput<typeof contract.list> {
      const seen =
        filter === 'unused'
          ? references.seen(kind, rights.viewer(user), { used: false, unused: rights.seesUnused(user) })
          : visibleIds(kind, user);
      const found = search?.trim() ? repository.search(kind, aliasKey(kind, search), search.trim()) : null;
      const unreviewed = filter === 'unreviewed' ? repository.aliasCounts(kind) : null;
      const rows = repository
        .entries(kind)
        .filter(
          ({ id }) =>
            seen.has(id) &&
            (found === null || found.has(id)) &&
            (unreviewed === null || (unreviewed.get(id)?.unreviewed ?? 0) > 0),
        );
      rows.sort((a, b) => collator.compare(a.canonical_display, b.canonical_display) || a.id - b.id);
      if (sort === 'uses') {
        const uses = references.uses(
          kind,
          rows.map(({ id }) => id),
          rights.viewer(user),
        );
        rows.sort((a, b) => (uses.get(b.id) ?? 0) - (uses.get(a.id) ?? 0));
      }
      return { items: wire(kind, rows.slice(offset, offset + limit), user), total: rows.length };
    },

    counts(kind: NameKind, user: UserCaller): { entries: number; unreviewed: number } {
      const seen = visibleIds(kind, user);
      const counts = repository.aliasCounts(kind);
      return { entries: seen.size, unreviewed: [...seen].filter((id) => (counts.get(id)?.unreviewed ?? 0) > 0).length };
    },

    /** @throws `name.code_taken`, `name.unknown_field` */
    update(kind: NameKind, id: number, changes: NameChanges): void {
      const before = mustGet(kind, id);
      const values = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
      const wrong = Object.keys(values).find(
        (column) =>
          column !== 'canonical_code' && column !== 'canonical_display' && !OWN_COLUMNS[kind].includes(column),
      );
      if (wrong !== undefined) throw fail('name.unknown_field', { field: wrong });
      const holder =
        changes.canonical_code === undefined ? undefined : repository.byCanonicalCode(kind, changes.canonical_code);
      if (holder && holder.id !== id) throw fail('name.code_taken');
      const display = changes.canonical_display;
      if (kind === 'doctors' && display !== undefined && changes.name === undefined)
        Object.assign(values, {
          name: readDoctorName(display).name,
          ...(changes.title === undefined && { title: readDoctorName(display).title }),
        });
      if (kind === 'facilities' && display !== undefined && changes.name === undefined)
        Object.assign(values, { name: display });
      if (Object.keys(values).length === 0) return;
      repository.update(kind, id, values);
      if (display === undefined || display === before.canonical_display) return;
      keepSpelling(kind, id, before.canonical_display);
      keepSpelling(kind, id, display);
      reindex.entry(kind, id);
    },

    /**
     * @throws `name.alias_empty`, `name.alias_taken`, `auth.read_only` or `name.not_found` when it may not be taken
     * from where it is
     */
    addAlias(
      kind: NameKind,
      id: number,
      { alias, language, move }: Input<typeof contract.addAlias>['body'],
      user: UserCaller,
    ): ReplyInput<typeof contract.addAlias> {
      mustGet(kind, id);
      const key = aliasKey(kind, alias);
      if (key === '') throw fail('name.alias_empty');
      const holder = repository.byKey(kind, key);
      if (holder && holder.entry_id !== id && !move)
        throw fail('name.alias_taken', {
          entry: rights.sees(user, kind, holder.entry_id) ? mustGet(kind, holder.entry_id).canonical_display : '…',
        });
      if (holder && holder.entry_id !== id) rights.requireChange(user, kind, holder.entry_id);
      const aliasId =
        holder?.alias_id ??
        repository.addAlias(kind, { entryId: id, alias, key, language: language ?? null, auto: false, now: now() });
      if (holder)
        repository.rewriteAlias(holder.alias_id, {
          entry_id: id,
          alias,
          language: language === undefined ? holder.language : language,
        });
      let moved = 0;
      if (holder && holder.entry_id !== id) {
        moved = references.moveWhere(
          kind,
          holder.entry_id,
          id,
          ({ text, sample }) => aliasKey(kind, text, sample) === key,
        );
        reindex.entry(kind, id);
      }
      return { ...wireAlias(repository.alias(kind, aliasId ?? 0) as AliasRow), moved_references: moved };
    },

    /** @throws `name.alias_not_found` */
    removeAlias(
      kind: NameKind,
      aliasId: number,
      check: (entryId: number) => void,
    ): { ok: true; entry_id: number; alias: string; language: string | null } {
      const row = repository.alias(kind, aliasId);
      if (!row) throw fail('name.alias_not_found');
      check(row.entry_id);
      repository.removeAliases(kind, [aliasId]);
      return { ok: true, entry_id: row.entry_id, alias: row.alias, language: row.language };
    },
  };
}
