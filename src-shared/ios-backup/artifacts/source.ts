import type { SqliteDatabase, SqliteRow } from '../ports.ts';
import type {
  AccountRow,
  AlbumRow,
  AppRow,
  ArtifactName,
  BookmarkRow,
  CalendarRow,
  CallRow,
  Characteristics,
  ChatRow,
  ClinicalRecord,
  ContactRow,
  ConversationRow,
  EventRow,
  MedicationRow,
  MessageRow,
  NoteRow,
  PhotoRow,
  RecordingRow,
  SampleRow,
  VisitRow,
  VoicemailRow,
} from '../../contract/phone-backups/artifacts.ts';
import type { People } from './people.ts';

/** A file of the backup that has content. */
export interface FileRef {
  file_id: string;
  size: number | null;
}

/** What a reader of artifacts sees of an open backup. */
export interface ArtifactSource {
  /** A database with its write-ahead log; null when the backup has none there. The caller closes it. */
  database(domain: string, path: string): Promise<SqliteDatabase | null>;
  /** The bytes of a small file; null when the backup has none there, or one above `most` bytes. */
  file(domain: string, path: string, most: number): Promise<Uint8Array | null>;
  /** Files of a domain by path. Asked once for each domain and kept. */
  files(domain: string): Promise<ReadonlyMap<string, FileRef>>;
  /** Files and bytes of each domain. */
  domains(): Promise<readonly { domain: string; files: number; bytes: number }[]>;
  /** Info.plist, unread; null when there is none. */
  info(): Promise<Uint8Array | null>;
}

type Message = MessageRow & { /** The conversation or chat. */ parent: string };

/** Kinds of rows by the table that keeps them. */
export interface RowsByTable {
  contacts: ContactRow;
  conversations: ConversationRow;
  messages: Message;
  chats: ChatRow;
  chat_messages: Message;
  calls: CallRow;
  photos: PhotoRow;
  albums: AlbumRow;
  notes: NoteRow;
  calendars: CalendarRow;
  events: EventRow;
  visits: VisitRow;
  bookmarks: BookmarkRow;
  voicemails: VoicemailRow;
  recordings: RecordingRow;
  samples: SampleRow;
  characteristics: Characteristics;
  clinical_records: ClinicalRecord;
  medications: MedicationRow;
  apps: AppRow;
  accounts: AccountRow;
}
export type TableName = keyof RowsByTable;
export type Batch = { [T in TableName]: { table: T; rows: RowsByTable[T][] } }[TableName];

export interface ReadTools {
  people: People;
  /** Rows that are to come, as soon as that is known; may be told more than once, and adds up. */
  expect(rows: number): void;
  /** A row that could not be read and was left out. */
  skip(): void;
}

/** Reads one kind of artifact. Yields nothing at all when the backup has no such database. */
export interface ArtifactReader {
  name: ArtifactName;
  /** Tables that its rows go to. */
  tables: readonly TableName[];
  read(source: ArtifactSource, tools: ReadTools): AsyncGenerator<Batch>;
}

/** Rows in a batch. */
export const BATCH = 1000;

/** Rows of a statement, each turned into one of ours; what cannot be read is counted and left out. */
export async function* rowsOf<T>(
  db: SqliteDatabase,
  sql: string,
  make: (row: SqliteRow) => T | null,
  tools: ReadTools,
): AsyncGenerator<T[]> {
  for await (const rows of db.batches(sql, [], BATCH)) {
    const made: T[] = [];
    for (const row of rows) {
      try {
        const value = make(row);
        if (value !== null) made.push(value);
      } catch {
        tools.skip();
      }
    }
    yield made;
  }
}

/** How many rows a table has. */
export async function countOf(db: SqliteDatabase, table: string): Promise<number> {
  const [row] = await db.query(`SELECT count(*) AS n FROM "${table}"`);
  return Number(row?.n ?? 0);
}

/** Columns of a table as this release of iOS has them. */
export interface Columns {
  exists: boolean;
  has(name: string): boolean;
  /** The first of these columns that is there and has something in this row, else NULL: for a list of selected columns. */
  pick(as: string, ...names: string[]): string;
  /** The same without `AS`, for a condition. */
  expr(...names: string[]): string;
}

/** Finds out which columns a table has; nothing is assumed of a release. `alias` stands before each of them. */
export async function columnsOf(db: SqliteDatabase, table: string, alias: string): Promise<Columns> {
  const byName = new Map((await db.columns(table)).map((name) => [name.toLowerCase(), name]));
  const expr = (...names: string[]): string => {
    // Core Data numbers columns of one name, and a later release fills another of them while the earlier one stays, empty.
    const found = names.flatMap((name) => byName.get(name.toLowerCase()) ?? []).map((name) => `${alias}."${name}"`);
    return found.length < 2
      ? (found[0] ?? 'NULL')
      : `coalesce(${found.map((column, i) => (i < found.length - 1 ? `nullif(${column}, '')` : column)).join(', ')})`;
  };
  return {
    exists: byName.size > 0,
    has: (name) => byName.has(name.toLowerCase()),
    expr,
    pick: (as, ...names) => `${expr(...names)} AS "${as}"`,
  };
}
