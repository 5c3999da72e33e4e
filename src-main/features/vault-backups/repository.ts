import { and, desc, eq, inArray } from 'drizzle-orm';
import type { BackupOverview, BackupPlan } from '../../../src-shared/contract/vault-backups.ts';
import type { Database } from '../../platform/database/connection.ts';
import { backups, settings } from '../../platform/database/schema/index.ts';
import type { Target } from './target.ts';

export type BackupRow = typeof backups.$inferSelect;

/** Backup state in the settings table, by key. */
interface BackupState {
  'backup.plan': { plan: Omit<BackupPlan, 'folder'>; target: Target | null; since: string };
  'backup.last_drill': NonNullable<BackupOverview['last_drill']>;
  'backup.last_error': string;
}

export type BackupRepository = ReturnType<typeof createBackupRepository>;

export const createBackupRepository = (db: Database) => ({ ...createBackupRows(db), ...createBackupState(db) });

/** The list of backups. */
function createBackupRows({ orm }: Database) {
  return {
    set: (id: number, values: Partial<typeof backups.$inferInsert>): void =>
      void orm.update(backups).set(values).where(eq(backups.id, id)).run(),
    get: (id: number): BackupRow | undefined => orm.select().from(backups).where(eq(backups.id, id)).get(),
    list: (): BackupRow[] =>
      orm
        .select()
        .from(backups)
        .where(eq(backups.kind, 'vault'))
        .orderBy(desc(backups.started_at), desc(backups.id))
        .all(),
    names: (): Set<string> =>
      new Set(
        orm
          .select({ name: backups.name })
          .from(backups)
          .all()
          .map((row) => row.name),
      ),
    begin: (name: string, scheduled: boolean, now: string): number =>
      orm
        .insert(backups)
        .values({ kind: 'vault', name, scheduled, status: 'running', started_at: now })
        .returning({ id: backups.id })
        .get().id,
    /** Adds a backup found in the folder that the database does not contain, as after a restore. */
    adopt: (name: string, startedAt: string): void =>
      void orm
        .insert(backups)
        .values({ kind: 'vault', name, status: 'done', started_at: startedAt, finished_at: startedAt })
        .run(),
    remove: (ids: readonly number[]): void =>
      void orm
        .delete(backups)
        .where(inArray(backups.id, [...ids]))
        .run(),
    /** Marks running backups as failed, after the program ended or in a copied database. */
    failRunning: (code: string, now: string): void =>
      void orm
        .update(backups)
        .set({ status: 'failed', error_code: code, finished_at: now })
        .where(eq(backups.status, 'running'))
        .run(),
    lastScheduled: (): string | null =>
      orm
        .select({ at: backups.started_at })
        .from(backups)
        .where(and(eq(backups.scheduled, true), eq(backups.kind, 'vault')))
        .orderBy(desc(backups.started_at))
        .limit(1)
        .get()?.at ?? null,
  };
}

/** Plan and outcomes, in the settings table. */
function createBackupState({ orm }: Database) {
  return {
    recall: <K extends keyof BackupState>(key: K): BackupState[K] | null =>
      (orm.select({ value: settings.value }).from(settings).where(eq(settings.key, key)).get()?.value as
        | BackupState[K]
        | undefined) ?? null,
    remember: <K extends keyof BackupState>(key: K, value: BackupState[K], now: string): void =>
      void orm
        .insert(settings)
        .values({ key, value, updated_at: now })
        .onConflictDoUpdate({ target: settings.key, set: { value, updated_at: now } })
        .run(),
    forget: (key: keyof BackupState): void => void orm.delete(settings).where(eq(settings.key, key)).run(),
  };
}
