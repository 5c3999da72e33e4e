import type { z } from 'zod';
import {
  ARTIFACT_OF_TABLE,
  ROW_SCHEMAS,
  type ArtifactName,
  type RowsByTable,
  type TableName,
} from '../../../contract/phone-backups/artifact-table.ts';

/** How a column stores a value of the wire. */
type ColumnKind = 'plain' | 'flag' | 'json';
/** `isList`: an empty list is stored as NULL. */
export interface Column {
  name: string;
  kind: ColumnKind;
  isList: boolean;
}

/** The text of a row in the full-text index. */
interface FullText {
  title: string | null;
  body: string | null;
}

/** For rows that have their own civil day: the SQL condition `when` they do, and the SQL expression `day` for it. */
export interface OwnDay {
  when: string;
  day: string;
}

interface TableOptions<R> {
  /** The column that identifies a row in a search hit. */
  key: keyof R & string;
  /** SQL `ORDER BY` terms of lists, which an index covers; ties are broken by the row's number. */
  order: string;
  /** The column with the time that a hit shows and that `from` and `to` filter by. */
  at?: keyof R & string;
  /** The text to search; tables without it are not searched. */
  fullText?: (row: R) => FullText;
  /** Columns of one more index, for filters. */
  indexed?: readonly (keyof R & string)[];
  /** Whether single rows are read by their key, which needs an index. */
  isReadByKey?: true;
  /** The column with the id of the row's file. */
  fileId?: keyof R & string;
  ownDay?: OwnDay;
  /** SQL conditions of query parameters that do not name a column. */
  filters?: Readonly<Record<string, string>>;
}

/** How rows of one kind are stored and found again, as plain data that can be sent to another thread. */
export interface StoredTable<T extends TableName = TableName> {
  name: T;
  artifact: ArtifactName;
  columns: readonly Column[];
  key: string;
  isReadByKey: boolean;
  order: string;
  indexed: readonly string[];
  at: string | null;
  fileId: string | null;
  ownDay: OwnDay | null;
  filters: Readonly<Record<string, string>>;
  /** Whether its rows are in the full-text index. */
  isSearched: boolean;
}

export interface Table<T extends TableName = TableName> extends StoredTable<T> {
  fullText: ((row: RowsByTable[T]) => FullText) | null;
}

/** Derives the columns from the wire schema, so that a new field is stored without further changes. */
function columnsOf(schema: z.ZodObject): Column[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    let inner = field as z.ZodType & { def: { type: string; innerType?: z.ZodType } };
    while (inner.def.type === 'nullable' && inner.def.innerType) inner = inner.def.innerType as typeof inner;
    return { name, kind: kindOf(inner.def.type), isList: inner.def.type === 'array' && inner === field };
  });
}

function kindOf(type: string): ColumnKind {
  if (type === 'boolean') return 'flag';
  return ['string', 'number', 'enum'].includes(type) ? 'plain' : 'json';
}

const joinLines = (...parts: readonly (string | null | undefined)[]): string | null =>
  parts.filter(Boolean).join('\n') || null;

/** Orders contacts as an address book does: by family name, or the available name if there is none, ignoring case. */
const BY_NAME =
  "coalesce(nullif(last_name, ''), nullif(first_name, ''), company) COLLATE NOCASE, first_name COLLATE NOCASE";

/** Messages are not searched by phone number: their conversation is found by it. */
const messageText = (row: RowsByTable['messages']): FullText => ({
  title: row.sender_name,
  body: joinLines(row.text, row.subject, ...row.attachments.map(({ filename }) => filename)),
});

const noteText = (row: RowsByTable['notes']): FullText => ({
  title: row.title,
  body: joinLines(
    row.body,
    ...row.attachments.flatMap(({ title, rows, recognised_text: recognized }) => [
      title,
      ...(rows ?? []).flat(),
      recognized,
    ]),
  ),
});

/** How the index stores each table of `ARTIFACT_TABLE`. */
const OPTIONS: { readonly [T in TableName]: TableOptions<RowsByTable[T]> } = {
  contacts: {
    key: 'contact_identifier',
    order: BY_NAME,
    fullText: (row) => ({
      title: joinLines(row.first_name, row.middle_name, row.last_name, row.nickname, row.company),
      body: joinLines(row.note, row.job_title, ...row.labelled.map(({ value }) => value)),
    }),
  },
  conversations: {
    key: 'conversation_guid',
    order: 'last_message_at DESC',
    at: 'last_message_at',
    isReadByKey: true,
  },
  messages: { key: 'message_guid', order: 'parent, sent_at', at: 'sent_at', fullText: messageText },
  chats: { key: 'chat_guid', order: 'last_message_at DESC', at: 'last_message_at', isReadByKey: true },
  chat_messages: { key: 'message_guid', order: 'parent, sent_at', at: 'sent_at', fullText: messageText },
  calls: {
    key: 'call_identifier',
    order: 'started_at DESC',
    at: 'started_at',
    fullText: (row) => ({ title: row.name ?? row.address, body: row.address }),
  },
  photos: {
    key: 'asset_id',
    order: 'taken_at DESC',
    at: 'taken_at',
    fileId: 'file_id',
    fullText: (row) => ({ title: row.original_filename, body: joinLines(...row.metadata.albums) }),
    ownDay: {
      when: 't.timezone_offset_minutes IS NOT NULL',
      day: "date(t.taken_at, t.timezone_offset_minutes || ' minutes')",
    },
    filters: { album: "EXISTS (SELECT 1 FROM json_each(t.metadata, '$.albums') AS a WHERE a.value = ?)" },
  },
  albums: { key: 'album_id', order: 'title' },
  notes: { key: 'note_identifier', order: 'last_modified_at DESC', at: 'last_modified_at', fullText: noteText },
  calendars: { key: 'calendar_identifier', order: 'title' },
  events: {
    key: 'event_identifier',
    order: 'starts_at DESC',
    at: 'starts_at',
    fullText: (row) => ({
      title: row.title,
      body: joinLines(row.location, row.notes, ...row.attendees.map(({ name }) => name)),
    }),
    ownDay: { when: 't.is_all_day = 1', day: 'substr(t.starts_at, 1, 10)' },
    filters: { calendar: 't."calendar_identifier" = ?' },
  },
  reminders: {
    key: 'reminder_identifier',
    order: 'is_completed, due_at DESC',
    at: 'due_at',
    fullText: (row) => ({ title: row.title, body: joinLines(row.notes, row.list) }),
    ownDay: { when: 't.is_all_day = 1', day: 'substr(t.due_at, 1, 10)' },
  },
  visits: {
    key: 'url',
    order: 'visited_at DESC',
    at: 'visited_at',
    fullText: (row) => ({ title: row.title, body: row.url }),
  },
  bookmarks: {
    key: 'bookmark_identifier',
    order: 'title',
    at: 'added_at',
    fullText: (row) => ({ title: row.title, body: row.url }),
  },
  voicemails: {
    key: 'voicemail_identifier',
    order: 'received_at DESC',
    at: 'received_at',
    fileId: 'file_id',
    fullText: (row) => ({ title: row.sender_name ?? row.sender, body: joinLines(row.sender, row.transcript) }),
  },
  recordings: {
    key: 'recording_identifier',
    order: 'recorded_at DESC',
    at: 'recorded_at',
    fileId: 'file_id',
    fullText: (row) => ({ title: row.title, body: row.folder }),
  },
  samples: {
    key: 'sample_identifier',
    order: 'started_at DESC',
    at: 'started_at',
    indexed: ['type', 'started_at'],
    ownDay: { when: 'true', day: 't.day' },
  },
  characteristics: { key: 'date_of_birth', order: 'date_of_birth' },
  clinical_records: {
    key: 'record_identifier',
    order: 'recorded_at DESC',
    at: 'recorded_at',
    fullText: (row) => ({ title: row.title, body: row.resource_type }),
  },
  medications: {
    key: 'medication_identifier',
    order: 'name',
    at: 'created_at',
    fullText: (row) => ({ title: row.name ?? row.nickname, body: row.strength }),
  },
  apps: {
    key: 'bundle_identifier',
    order: 'name',
    fullText: (row) => ({ title: row.name, body: row.bundle_identifier }),
  },
  accounts: {
    key: 'account_identifier',
    order: 'type',
    at: 'created_at',
    fullText: (row) => ({ title: row.description, body: row.username }),
  },
};

function tableOf(name: TableName): Table {
  const options = OPTIONS[name] as TableOptions<RowsByTable[TableName]>;
  return {
    name,
    artifact: ARTIFACT_OF_TABLE[name],
    columns: columnsOf(ROW_SCHEMAS[name]),
    key: options.key,
    isReadByKey: options.isReadByKey ?? false,
    order: options.order,
    indexed: options.indexed ?? [],
    at: options.at ?? null,
    fileId: options.fileId ?? null,
    ownDay: options.ownDay ?? null,
    filters: options.filters ?? {},
    isSearched: options.fullText !== undefined,
    fullText: options.fullText ?? null,
  };
}

export const ALL_TABLES: readonly Table[] = (Object.keys(OPTIONS) as TableName[]).map(tableOf);
export const TABLES = Object.fromEntries(ALL_TABLES.map((table) => [table.name, table])) as {
  readonly [T in TableName]: Table<T>;
};
export const STORED_TABLES: readonly StoredTable[] = ALL_TABLES.map(({ fullText: _fullText, ...stored }) => stored);
