import type { StageUsage } from '../../../src-shared/contract/rows.ts';
import type { BBox } from '../../../src-shared/medical/page.ts';
import type { Database } from '../../platform/database/connection.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';

/** A cited place as it is stored; the names of the document are read when it is shown. */
export interface StoredSource {
  number: number;
  id: number;
  page: number | null;
  quote: string | null;
  bbox: BBox | null;
  value: string | null;
}
export interface StoredMessage {
  id: number;
  patient_id: number;
  role: 'user' | 'assistant';
  content: string;
  sources: StoredSource[];
  usage: StageUsage | null;
  created_at: string;
}
/** Whose conversations: of one user about these patients. */
export interface Conversation {
  userId: number;
  patientIds: readonly number[];
}

/** Older messages are kept, but not sent. */
const MAX_MESSAGES = 200;

export function createHistoryRepository(db: Database) {
  return bindFirst(db, {
    add: addMessage,
    list: listMessages,
    clear: clearMessages,
    restore: restoreMessages,
    purge: purgeCleared,
    documentsOf: listDocumentIds,
  });
}
export type HistoryRepository = ReturnType<typeof createHistoryRepository>;

interface NewMessage extends Omit<StoredMessage, 'id'> {
  userId: number;
}
const addMessage = (
  db: Database,
  { userId, patient_id, role, content, sources, usage, created_at }: NewMessage,
): number =>
  Number(
    db
      .prepare(
        `INSERT INTO chat_messages (user_id, patient_id, role, content, sources, usage, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(userId, patient_id, role, content, JSON.stringify(sources), usage && JSON.stringify(usage), created_at)
      .lastInsertRowid,
  );

const OF_CONVERSATION = 'user_id = ? AND patient_id IN (SELECT value FROM json_each(?))';
const valuesOf = ({ userId, patientIds }: Conversation): [number, string] => [userId, JSON.stringify(patientIds)];

/** The last messages, oldest first. */
const listMessages = (db: Database, conversation: Conversation): StoredMessage[] =>
  (
    db
      .prepare(
        `SELECT id, patient_id, role, content, sources, usage, created_at FROM chat_messages
        WHERE ${OF_CONVERSATION} AND cleared_at IS NULL ORDER BY id DESC LIMIT ${MAX_MESSAGES}`,
      )
      .all(...valuesOf(conversation)) as (Omit<StoredMessage, 'sources' | 'usage'> & {
      sources: string | null;
      usage: string | null;
    })[]
  )
    .map((row) => ({
      ...row,
      sources: JSON.parse(row.sources ?? '[]') as StoredSource[],
      usage: JSON.parse(row.usage ?? 'null') as StageUsage | null,
    }))
    .toReversed();

/** Hides the messages; those that were hidden before are deleted. */
const clearMessages = (db: Database, conversation: Conversation, now: string): number =>
  db.transaction(() => {
    const values = valuesOf(conversation);
    const visible = `${OF_CONVERSATION} AND cleared_at IS NULL`;
    const count = db
      .prepare(`SELECT count(*) FROM chat_messages WHERE ${visible}`)
      .pluck()
      .get(...values) as number;
    if (count === 0) return 0;
    db.prepare(`DELETE FROM chat_messages WHERE ${OF_CONVERSATION} AND cleared_at IS NOT NULL`).run(...values);
    return db.prepare(`UPDATE chat_messages SET cleared_at = ? WHERE ${visible}`).run(now, ...values).changes;
  });

const restoreMessages = (db: Database, conversation: Conversation): number =>
  db
    .prepare(`UPDATE chat_messages SET cleared_at = NULL WHERE ${OF_CONVERSATION} AND cleared_at IS NOT NULL`)
    .run(...valuesOf(conversation)).changes;

const purgeCleared = (db: Database, before: string): void =>
  void db.prepare('DELETE FROM chat_messages WHERE cleared_at < ?').run(before);

/** The documents in the records of these patients: `patient document`. */
const listDocumentIds = (db: Database, patientIds: readonly number[], ids: readonly number[]): Set<string> =>
  new Set(
    db
      .prepare(
        `SELECT patient_id || ' ' || id FROM record_documents
        WHERE patient_id IN (SELECT value FROM json_each(?)) AND id IN (SELECT value FROM json_each(?))`,
      )
      .pluck()
      .all(JSON.stringify(patientIds), JSON.stringify(ids)) as string[],
  );
