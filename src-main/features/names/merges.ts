import type { Database } from '../../platform/database/connection.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { aliasKey } from './name-key.ts';
import type { MovedReferences, ReferenceRepository } from './reference-repository.ts';
import { OWN_COLUMNS } from './references.ts';
import type { EntryRow, NameRepository } from './repository.ts';

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

export const countMoved = (moved: readonly MovedReferences[]): number =>
  moved.reduce((sum, { ids }) => sum + ids.length, 0);

export type Merges = ReturnType<typeof createMerges>;

/** Merges entries and undoes merges, as part of the caller's transaction. */
export function createMerges({
  db,
  repository,
  references,
}: {
  db: Database;
  repository: NameRepository;
  references: ReferenceRepository;
}) {
  const mustGet = (kind: NameKind, id: number): EntryRow => {
    const row = repository.entry(kind, id);
    if (!row) throw fail('name.not_found');
    return row;
  };
  /** Frees the code for another entry of the same transaction. */
  const giveUpCode = (kind: NameKind, id: number): void => repository.reseed(kind, id, { canonical_code: `~${id}` });

  function makeTarget(
    kind: NameKind,
    { canonical_code, canonical_display }: { canonical_code: string; canonical_display: string },
    sources: readonly EntryRow[],
    now: string,
  ): number {
    const holder = repository.byCanonicalCode(kind, canonical_code);
    if (holder && !sources.some(({ id }) => id === holder.id)) throw fail('name.code_taken');
    if (holder) giveUpCode(kind, holder.id);
    const named = kind === 'doctors' || kind === 'facilities' ? { name: canonical_display } : {};
    return repository.insert(kind, { canonical_code, canonical_display, created_at: now, ...named });
  }

  /** What the target does not say is taken from the first source that says it. */
  function fill(kind: NameKind, target: EntryRow, sources: readonly EntryRow[]): Record<string, unknown> {
    const missing = OWN_COLUMNS[kind].filter((column) => target[column] === null);
    const filled = Object.fromEntries(
      missing.flatMap((column) => {
        const from = sources.find((source) => source[column] !== null);
        return from ? [[column, from[column]]] : [];
      }),
    );
    if (Object.keys(filled).length > 0) repository.reseed(kind, target.id, filled);
    return filled;
  }

  /** Removes a target that the merge created, unless later records refer to it. */
  function withdrawTarget(kind: NameKind, { id, canonical_code }: EntryRow): void {
    if (!references.isUsed(kind, id)) {
      repository.removeAliases(
        kind,
        repository.aliasesOf(kind, [id]).map(({ alias_id }) => alias_id),
      );
      return repository.remove(kind, id);
    }
    // Its code went back to the entry that had it before.
    if (canonical_code === `~${id}`) repository.reseed(kind, id, { canonical_code: `merged-${id}` });
  }

  return {
    /** @throws `name.not_found`, `name.self_merge`, `name.code_taken` */
    merge(
      kind: NameKind,
      sourceIds: readonly number[],
      wanted: MergeTarget,
      by: { userId: number; now: string },
    ): MergeRow {
      const sources = [...new Set(sourceIds)].map((id) => mustGet(kind, id));
      if ('id' in wanted && sourceIds.includes(wanted.id)) throw fail('name.self_merge');
      const targetId = 'id' in wanted ? mustGet(kind, wanted.id).id : makeTarget(kind, wanted, sources, by.now);
      const filled = fill(kind, mustGet(kind, targetId), sources);
      const moved = sources.flatMap(({ id }) => references.move(kind, id, targetId));
      const aliases: MergeRow['aliases'] = sources.flatMap(({ id }) => {
        const ids = repository.aliasesOf(kind, [id]).map(({ alias_id }) => alias_id);
        repository.moveAliases(kind, ids, id, targetId);
        return ids.map((alias_id) => ({ alias_id, entry_id: id }));
      });
      for (const display of [...sources, mustGet(kind, targetId)].map(({ canonical_display }) => canonical_display)) {
        const key = aliasKey(kind, display);
        const added =
          key === ''
            ? null
            : repository.addAlias(kind, { entryId: targetId, alias: display, key, auto: false, now: by.now });
        if (added !== null) aliases.push({ alias_id: added, entry_id: null });
      }
      for (const { id } of sources) repository.remove(kind, id);
      const row = {
        kind,
        target_id: targetId,
        target_created: !('id' in wanted),
        sources: { entries: sources, filled },
        aliases,
        moved,
        user_id: by.userId,
        created_at: by.now,
        undone_at: null,
      };
      const id = Number(
        db
          .prepare(
            `INSERT INTO name_merges (kind, target_id, target_created, sources, aliases, moved, user_id, created_at)
              VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
          )
          .run(
            kind,
            targetId,
            Number(row.target_created),
            JSON.stringify(row.sources),
            JSON.stringify(aliases),
            JSON.stringify(moved),
            by.userId,
            by.now,
          ).lastInsertRowid,
      );
      return { id, ...row };
    },

    get(kind: NameKind, id: number): MergeRow | undefined {
      const row = db.prepare('SELECT * FROM name_merges WHERE kind = ? AND id = ?').get(kind, id) as
        | RawMerge
        | undefined;
      return row && parse(row);
    },
    latest: (kind: NameKind, limit: number): MergeRow[] =>
      (
        db.prepare('SELECT * FROM name_merges WHERE kind = ? ORDER BY id DESC LIMIT ?').all(kind, limit) as RawMerge[]
      ).map(parse),

    /**
     * Restores every reference that is still where the merge put it; returns how many there are. @throws
     * `name.merge_superseded`
     */
    undo(kind: NameKind, merge: MergeRow, now: string): number {
      const { target_id, sources, aliases, moved } = merge;
      if (!repository.exists(kind, target_id) || sources.entries.some(({ id }) => repository.exists(kind, id)))
        throw fail('name.merge_superseded');
      for (const { canonical_code } of sources.entries) {
        const holder = repository.byCanonicalCode(kind, canonical_code);
        if (holder && !(merge.target_created && holder.id === target_id)) throw fail('name.merge_superseded');
        if (holder) giveUpCode(kind, holder.id);
      }
      for (const entry of sources.entries) repository.insert(kind, entry);
      const back = moved.reduce((sum, part) => sum + references.moveBack(part, target_id), 0);
      for (const { alias_id, entry_id } of aliases)
        if (entry_id !== null) repository.moveAliases(kind, [alias_id], target_id, entry_id);
      repository.removeAliases(
        kind,
        aliases.filter(({ entry_id }) => entry_id === null).map(({ alias_id }) => alias_id),
      );
      const target = mustGet(kind, target_id);
      const unfilled = Object.entries(sources.filled)
        .filter(([column, value]) => target[column] === value)
        .map(([column]) => [column, null]);
      if (unfilled.length > 0) repository.reseed(kind, target_id, Object.fromEntries(unfilled) as Record<string, null>);
      if (merge.target_created) withdrawTarget(kind, target);
      db.prepare('UPDATE name_merges SET undone_at = ? WHERE id = ?').run(now, merge.id);
      return back;
    },
    /** Deletes merges that can no longer be undone. */
    forgetBefore: (timestamp: string): void =>
      void db.prepare('DELETE FROM name_merges WHERE created_at < ?').run(timestamp),
  };
}
