import type { z } from 'zod';
import {
  accountRow,
  albumRow,
  appRow,
  bookmarkRow,
  calendarRow,
  callRow,
  characteristics,
  chatRow,
  clinicalRecord,
  contactRow,
  conversationRow,
  eventRow,
  medicationRow,
  messageRow,
  noteRow,
  photoRow,
  recordingRow,
  sampleRow,
  visitRow,
  voicemailRow,
  type ArtifactName,
} from '../../../contract/phone-backups/artifacts.ts';
import type { RowsByTable, TableName } from '../source.ts';

/** How a value of the wire stands in a column. */
type ColumnKind = 'plain' | 'flag' | 'json';
/** `isList`: nothing is kept of an empty one. */
export interface Column {
  name: string;
  kind: ColumnKind;
  isList: boolean;
}

/** What full text knows of a row. */
interface Words {
  title: string | null;
  body: string | null;
}

/** Where rows of one kind are kept, and how they are found again: plain data, which another thread can be told. */
export interface StoredTable<T extends TableName = TableName> {
  name: T;
  artifact: ArtifactName;
  columns: readonly Column[];
  /** What a row is called, in a hit of a search. */
  key: string;
  /** Single rows are asked for by their key. */
  isAskedByKey: boolean;
  /** Columns that lists are ordered by; each has an index, and the row's number is the tie-breaker. */
  order: string;
  /** Further columns that are asked for. */
  indexed: readonly string[];
  /** The moment that a found row is shown with. */
  at: string | null;
  fileId: string | null;
  /** Its rows stand in full text. */
  isSearched: boolean;
}

export interface Table<T extends TableName = TableName> extends StoredTable<T> {
  /** What a person searches for; null: this is not searched. */
  words: ((row: RowsByTable[T]) => Words) | null;
}

/** The kinds follow from the schema of the wire, so that a field that is added there is kept here. */
function columnsOf(schema: z.ZodObject): Column[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    let inner = field as z.ZodType & { def: { type: string; innerType?: z.ZodType } };
    while (inner.def.type === 'nullable' && inner.def.innerType) inner = inner.def.innerType as typeof inner;
    const { type } = inner.def;
    return {
      name,
      kind: type === 'boolean' ? 'flag' : type === 'string' || type === 'number' || type === 'enum' ? 'plain' : 'json',
      isList: type === 'array' && inner === field,
    };
  });
}

const joined = (...parts: readonly (string | null | undefined)[]): string | null =>
  parts.filter(Boolean).join('\n') || null;

/** As an address book is ordered: by family name, by what there is instead of one, capitals or not. */
const BY_NAME =
  "coalesce(nullif(last_name, ''), nullif(first_name, ''), company) COLLATE NOCASE, first_name COLLATE NOCASE";

function table<T extends TableName>(
  name: T,
  artifact: ArtifactName,
  schema: z.ZodObject,
  key: string,
  order: string,
  at: string | null,
  words: Table<T>['words'],
  more: { indexed?: string[]; parent?: true; asked?: true; fileId?: string } = {},
): Table<T> {
  const columns = [
    ...columnsOf(schema),
    ...(more.parent ? [{ name: 'parent', kind: 'plain' as const, isList: false }] : []),
  ];
  return {
    name,
    artifact,
    columns,
    key,
    order,
    at,
    words,
    isSearched: words !== null,
    indexed: more.indexed ?? [],
    isAskedByKey: more.asked ?? false,
    fileId: more.fileId ?? null,
  };
}

/** Numbers are not searched for among messages: a conversation is found by them. */
const messageWords = (row: RowsByTable['messages']): Words => ({
  title: row.sender_name,
  body: joined(row.text, row.subject, ...row.attachments.map(({ filename }) => filename)),
});

export const TABLES: { readonly [T in TableName]: Table<T> } = {
  contacts: table('contacts', 'contacts', contactRow, 'contact_identifier', BY_NAME, null, (row) => ({
    title: joined(row.first_name, row.middle_name, row.last_name, row.nickname, row.company),
    body: joined(row.note, row.job_title, ...row.labelled.map(({ value }) => value)),
  })),
  conversations: table(
    'conversations',
    'messages',
    conversationRow,
    'conversation_guid',
    'last_message_at DESC',
    'last_message_at',
    null,
    { asked: true },
  ),
  messages: table('messages', 'messages', messageRow, 'message_guid', 'parent, sent_at', 'sent_at', messageWords, {
    parent: true,
  }),
  chats: table('chats', 'whatsapp', chatRow, 'chat_guid', 'last_message_at DESC', 'last_message_at', null, {
    asked: true,
  }),
  chat_messages: table(
    'chat_messages',
    'whatsapp',
    messageRow,
    'message_guid',
    'parent, sent_at',
    'sent_at',
    messageWords,
    { parent: true },
  ),
  calls: table('calls', 'calls', callRow, 'call_identifier', 'started_at DESC', 'started_at', (row) => ({
    title: row.name ?? row.address,
    body: row.address,
  })),
  photos: table(
    'photos',
    'photos',
    photoRow,
    'asset_id',
    'taken_at DESC',
    'taken_at',
    (row) => ({ title: row.original_filename, body: joined(...row.metadata.albums) }),
    { fileId: 'file_id' },
  ),
  albums: table('albums', 'photos', albumRow, 'album_id', 'title', null, null),
  notes: table('notes', 'notes', noteRow, 'note_identifier', 'last_modified_at DESC', 'last_modified_at', (row) => ({
    title: row.title,
    body: joined(
      row.body,
      ...row.attachments.flatMap(({ title, rows, recognised_text: recognised }) => [
        title,
        ...(rows ?? []).flat(),
        recognised,
      ]),
    ),
  })),
  calendars: table('calendars', 'calendar', calendarRow, 'calendar_identifier', 'title', null, null),
  events: table('events', 'calendar', eventRow, 'event_identifier', 'starts_at DESC', 'starts_at', (row) => ({
    title: row.title,
    body: joined(row.location, row.notes, ...row.attendees.map(({ name }) => name)),
  })),
  visits: table('visits', 'safari', visitRow, 'url', 'visited_at DESC', 'visited_at', (row) => ({
    title: row.title,
    body: row.url,
  })),
  bookmarks: table('bookmarks', 'safari', bookmarkRow, 'bookmark_identifier', 'title', 'added_at', (row) => ({
    title: row.title,
    body: row.url,
  })),
  voicemails: table(
    'voicemails',
    'voicemail',
    voicemailRow,
    'voicemail_identifier',
    'received_at DESC',
    'received_at',
    (row) => ({ title: row.sender_name ?? row.sender, body: joined(row.sender, row.transcript) }),
    { fileId: 'file_id' },
  ),
  recordings: table(
    'recordings',
    'recordings',
    recordingRow,
    'recording_identifier',
    'recorded_at DESC',
    'recorded_at',
    (row) => ({ title: row.title, body: row.folder }),
    { fileId: 'file_id' },
  ),
  samples: table('samples', 'health', sampleRow, 'sample_identifier', 'started_at DESC', 'started_at', null, {
    indexed: ['type', 'started_at'],
  }),
  characteristics: table('characteristics', 'health', characteristics, 'date_of_birth', 'date_of_birth', null, null),
  clinical_records: table(
    'clinical_records',
    'health',
    clinicalRecord,
    'record_identifier',
    'recorded_at DESC',
    'recorded_at',
    (row) => ({ title: row.title, body: row.resource_type }),
  ),
  medications: table(
    'medications',
    'medications',
    medicationRow,
    'medication_identifier',
    'name',
    'created_at',
    (row) => ({ title: row.name ?? row.nickname, body: row.strength }),
  ),
  apps: table('apps', 'apps', appRow, 'bundle_identifier', 'name', null, (row) => ({
    title: row.name,
    body: row.bundle_identifier,
  })),
  accounts: table('accounts', 'accounts', accountRow, 'account_identifier', 'type', 'created_at', (row) => ({
    title: row.description,
    body: row.username,
  })),
};

export const STORED_TABLES: readonly StoredTable[] = (Object.values(TABLES) as Table[]).map(
  ({ words: _words, ...stored }) => stored,
);
