import type { Database } from '../../platform/database/connection.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import type { AliasRow } from './alias-repository.ts';
import type { MovedReferences } from './reference-repository.ts';
import type { EntryRow } from './repository.ts';

/** A merge with all that is needed to undo it. */
export interface MergeRow {
  id: number;
  kind: NameKind;
  target_id: number;
  target_created: boolean;
  /** `dropped`: spellings that the target had, too. */
  sources: { entries: EntryRow[]; filled: Record<string, unknown>; dropped?: AliasRow[] };
  aliases: { alias_id: number; entry_id: number | null }[];
  moved: MovedReferences[];
  user_id: number | null;
  created_at: string;
  undone_at: string | null;
}
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

export type MergeRepository = ReturnType<typeof createMergeRepository>;

/** Stored merges. */
export const createMergeRepository = (db: Database) =>
  bindFirst(db, {
    insert: insertMerge,
    get: findMerge,
    latest: listLatestMerges,
    markUndone: markMergeUndone,
    removeBefore: removeMergesBefore,
  });

function insertMerge(db: Database, row: Omit<MergeRow, 'id'>): MergeRow {
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

function findMerge(db: Database, kind: NameKind, id: number): MergeRow | undefined {
  const row = db.prepare('SELECT * FROM name_merges WHERE kind = ? AND id = ?').get(kind, id) as RawMerge | undefined;
  return row && parse(row);
}

/** Lists all merges that are still stored, newest first. */
const listLatestMerges = (db: Database, kind: NameKind): MergeRow[] =>
  (db.prepare('SELECT * FROM name_merges WHERE kind = ? ORDER BY id DESC').all(kind) as RawMerge[]).map(parse);

function markMergeUndone(db: Database, id: number, now: string): void {
  db.prepare('UPDATE name_merges SET undone_at = ? WHERE id = ?').run(now, id);
}

/** Deletes merges that can no longer be undone. */
function removeMergesBefore(db: Database, timestamp: string): void {
  db.prepare('DELETE FROM name_merges WHERE created_at < ?').run(timestamp);
}
