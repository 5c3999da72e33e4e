import { eq, notInArray } from 'drizzle-orm';
import type { Database } from '../../platform/database/connection.ts';
import { documents, phone_backups, phone_sent } from '../../platform/database/schema/index.ts';

export type PhoneBackupRow = typeof phone_backups.$inferSelect;

/** The columns that discovery fills. */
type FoundRow = Omit<
  typeof phone_backups.$inferInsert,
  'decrypted_at' | 'last_indexed_at' | 'index_failed' | 'is_missing'
>;

export type PhoneBackupRepository = ReturnType<typeof createPhoneBackupRepository>;

/** Stores the phone backups that were found, and which documents came from them. */
export function createPhoneBackupRepository(db: Database) {
  const { orm } = db;
  return {
    list: (): PhoneBackupRow[] => orm.select().from(phone_backups).orderBy(phone_backups.id).all(),
    get: (id: string): PhoneBackupRow | undefined =>
      orm.select().from(phone_backups).where(eq(phone_backups.id, id)).get(),
    /** Stores the discovered backups and marks all others as missing; the state of their index does not change. */
    replaceFound: (rows: readonly FoundRow[]): void => replaceFound(db, rows),
    set: (
      id: string,
      values: Partial<Pick<PhoneBackupRow, 'decrypted_at' | 'last_indexed_at' | 'index_failed'>>,
    ): void => void orm.update(phone_backups).set(values).where(eq(phone_backups.id, id)).run(),
    remove: (id: string): void => void orm.delete(phone_backups).where(eq(phone_backups.id, id)).run(),
    /** Document ids by file of a backup. */
    listSent: (id: string): Map<string, number> =>
      new Map(
        orm
          .select()
          .from(phone_sent)
          .where(eq(phone_sent.backup_id, id))
          .all()
          .map((row) => [row.file_id, row.document_id]),
      ),
    /** Like `listSent`, with the data that determines who may see each document. */
    sentDocuments: (id: string) =>
      orm
        .select({
          file_id: phone_sent.file_id,
          document_id: phone_sent.document_id,
          patientId: documents.patient_id,
          uploaderId: documents.uploaded_by_user_id,
        })
        .from(phone_sent)
        .innerJoin(documents, eq(documents.id, phone_sent.document_id))
        .where(eq(phone_sent.backup_id, id))
        .orderBy(phone_sent.file_id)
        .all(),
    remember: (backup_id: string, file_id: string, document_id: number, sent_at: string): void =>
      void orm
        .insert(phone_sent)
        .values({ backup_id, file_id, document_id, sent_at })
        .onConflictDoUpdate({ target: [phone_sent.backup_id, phone_sent.file_id], set: { document_id, sent_at } })
        .run(),
  };
}

const replaceFound = (db: Database, rows: readonly FoundRow[]): void =>
  db.transaction(() => {
    for (const row of rows) {
      const { id: _id, found_at: _foundAt, ...changes } = row;
      db.orm
        .insert(phone_backups)
        .values({ ...row, is_missing: false })
        .onConflictDoUpdate({ target: phone_backups.id, set: { ...changes, is_missing: false } })
        .run();
    }
    const ids = rows.map(({ id }) => id);
    db.orm
      .update(phone_backups)
      .set({ is_missing: true })
      .where(ids.length > 0 ? notInArray(phone_backups.id, ids) : undefined)
      .run();
  });
