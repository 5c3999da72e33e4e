import type { ArtifactName, SearchHit } from '../../../src-shared/contract/phone-artifacts.ts';
import type { RowsByTable, TableName } from '../../../src-shared/ios-backup/artifacts/source.ts';
import type { UnlockedBackup } from '../../../src-shared/ios-backup/index.ts';
import { createIntegrityCheck } from '../../../src-shared/ios-backup/artifacts/integrity-check.ts';
import { occurrencesOf } from '../../../src-shared/ios-backup/artifacts/occurrences.ts';
import type { ArtifactStore } from './artifact-store.ts';
import { healthTypesOf } from './health-types.ts';
import type { Answer, Asked, Question } from './protocol.ts';
import type { createSuggestions } from './suggestions.ts';
import { foundIn, includes } from './words.ts';

const KINDS = { file: 'file', folder: 'directory', link: 'symlink', other: 'other' } as const;
/** Times beyond what a date can be are none. */
const LATEST_S = 8e12;
const momentOf = (seconds: number | null): string | null => (seconds === null || !(seconds > 0 && seconds < LATEST_S) ? null : new Date(seconds * 1000).toISOString().slice(0, 19));

interface Paging { limit?: string | undefined; offset?: string | undefined }
const LIMIT = 100;

function pageOf<T>(rows: readonly T[], { limit = String(LIMIT), offset = '0' }: Paging = {}): { items: T[]; total: number; limit: number; offset: number } {
  const start = Number(offset), count = Number(limit);
  return { items: rows.slice(start, start + count), total: rows.length, limit: count, offset: start };
}

/** Newest first; what has no time stands last. */
const latest = <T>(at: (row: T) => string | null) => (a: T, b: T): number => (at(b) ?? '').localeCompare(at(a) ?? '');
const earliest = <T>(at: (row: T) => string | null) => (a: T, b: T): number => (at(a) ?? '').localeCompare(at(b) ?? '');
const within = (at: string | null, from?: string, to?: string): boolean => (from === undefined || (at !== null && at.slice(0, 10) >= from)) && (to === undefined || (at !== null && at.slice(0, 10) <= to));
const nameOf = ({ first_name, last_name, company }: RowsByTable['contacts']): string => [last_name, first_name].filter(Boolean).join(' ') || (company ?? '');

type Answers = { [N in Question]: (asked: Asked<N>, signal?: AbortSignal) => Promise<Answer<N>> | Answer<N> };

/** Answers what the service answers, from the files themselves; rows are sorted once and kept with the backup. */
export function createAnswers(backup: UnlockedBackup, store: ArtifactStore, suggestions: ReturnType<typeof createSuggestions>): Answers {
  const integrity = createIntegrityCheck(backup);
  const sorted = new Map<string, readonly unknown[]>();
  async function ordered<T extends TableName>(table: T, by: (a: RowsByTable[T], b: RowsByTable[T]) => number): Promise<readonly RowsByTable[T][]> {
    const known = sorted.get(table);
    if (known) return known as readonly RowsByTable[T][];
    const rows = [...await store.rows(table)].sort(by);
    sorted.set(table, rows);
    return rows;
  }
  /** A list of one table, filtered by words in some of its fields and by what else the question says. */
  const list = <T extends TableName, Q extends Paging & { q?: string | undefined }>(table: T, by: (a: RowsByTable[T], b: RowsByTable[T]) => number, text: (row: RowsByTable[T]) => (string | null)[], keeps: (row: RowsByTable[T], query: Q) => boolean = () => true) =>
    async ({ query }: { query?: Q | undefined }) => {
      const rows = await ordered(table, by), q = query?.q;
      const kept = query === undefined ? rows : rows.filter((row) => (q === undefined || includes(text(row), q)) && keeps(row, query));
      return pageOf(kept, query);
    };
  const messagesOf = async (table: 'messages' | 'chat_messages', guid: string, query: (Paging & { order?: 'asc' | 'desc' | undefined }) | undefined) => {
    const key = `${table} ${guid}`;
    const rows = (sorted.get(key) ?? [...await store.rows(table)].filter(({ parent }) => parent === guid).sort(earliest((row) => row.sent_at))) as readonly RowsByTable['messages'][];
    sorted.set(key, rows);
    return pageOf(query?.order === 'desc' ? rows.toReversed() : rows, query);
  };
  const one = <T>(row: T | undefined): T => {
    if (row === undefined) throw new Error('There is no such conversation.');
    return row;
  };

  return {
    async files({ query = {} }) {
      const { limit = String(LIMIT), offset = '0', domain, path_like: pathLike } = query;
      const { items, total } = await backup.entries({ limit: Number(limit), offset: Number(offset), ...(domain !== undefined && { domain }), ...(pathLike !== undefined && { pathLike }) });
      return {
        items: items.map(({ fileId, relativePath, modifiedAt, kind, size, protectionClass, ...entry }) => ({
          file_id: fileId, domain: entry.domain, relative_path: relativePath, size: size ?? 0, mtime: momentOf(modifiedAt),
          kind: KINDS[kind], flags: entry.flags, protection_class: protectionClass,
        })),
        total, limit: Number(limit), offset: Number(offset),
      };
    },
    domains() {
      const counts = backup.domains();
      return { domains: counts.map(({ domain }) => domain), counts };
    },
    suggestions: async ({ query }, signal) => pageOf(await suggestions((query?.offset ?? '0') === '0', signal), query),
    integrity: () => integrity.start(),
    integrityState: () => integrity.state(),
    integrityCancel: () => integrity.cancel(),
    integrityFindings: ({ query: { fault, limit = String(LIMIT), offset = '0' } = {} }) => integrity.findings({ fault, limit: Number(limit), offset: Number(offset) }),
    index({ body }) { store.start(body?.artifacts); return store.job(); },
    indexState: () => store.job(),
    indexCancel() { store.cancel(); return store.job(); },

    conversations: list('conversations', latest((row) => row.last_message_at), (row) => [row.display_name, ...row.participants.flatMap(({ name, handle }) => [name, handle])]),
    async conversation({ guid = '', query }) {
      return { ...await messagesOf('messages', guid, query), conversation: one((await store.rows('conversations')).find((row) => row.conversation_guid === guid)) };
    },
    chats: list('chats', latest((row) => row.last_message_at), (row) => [row.title, ...row.participants.flatMap(({ name, handle }) => [name, handle])]),
    async chat({ guid = '', query }) {
      return { ...await messagesOf('chat_messages', guid, query), chat: one((await store.rows('chats')).find((row) => row.chat_guid === guid)) };
    },
    photos: list('photos', latest((row) => row.taken_at), (row) => [row.original_filename], (row, { album, media_type: type, from, to }: NonNullable<Asked<'photos'>['query']>) => (album === undefined || row.metadata.albums.includes(album)) && (type === undefined || row.media_type === type) && within(row.taken_at, from, to)),
    albums: list('albums', (a, b) => (a.title ?? '').localeCompare(b.title ?? ''), (row) => [row.title]),
    notes: list('notes', latest((row) => row.last_modified_at), (row) => [row.title, row.body], (row, { folder }: NonNullable<Asked<'notes'>['query']>) => folder === undefined || row.folder === folder),
    async calendars({ query }) {
      const calendars = [...await store.rows('calendars')];
      const { calendar, q, from, to, ...paging } = query ?? {};
      const all = await ordered('events', earliest((row) => row.starts_at));
      // Between two days recurring events are told once for each time.
      const shown = from !== undefined && to !== undefined ? occurrencesOf(all, from, to) : all.filter((row) => within(row.starts_at, undefined, to) && within(row.ends_at ?? row.starts_at, from));
      const events = shown.filter((row) => (calendar === undefined || row.calendar_identifier === calendar) && (q === undefined || includes([row.title, row.location, row.notes], q)));
      return { ...pageOf(events, paging), calendars };
    },
    contacts: list('contacts', (a, b) => nameOf(a).localeCompare(nameOf(b)), (row) => [row.first_name, row.last_name, row.company, ...row.emails, ...row.phones]),
    calls: list('calls', latest((row) => row.started_at), (row) => [row.name, row.address]),
    history: list('visits', latest((row) => row.visited_at), (row) => [row.title, row.url], (row, { from, to }: NonNullable<Asked<'history'>['query']>) => within(row.visited_at, from, to)),
    bookmarks: list('bookmarks', (a, b) => (a.title ?? '').localeCompare(b.title ?? ''), (row) => [row.title, row.url, row.folder]),
    voicemail: list('voicemails', latest((row) => row.received_at), (row) => [row.sender_name, row.sender]),
    recordings: list('recordings', latest((row) => row.recorded_at), (row) => [row.title]),
    health: list('samples', latest((row) => row.started_at), (row) => [row.type], (row, { type, source, from, to }: NonNullable<Asked<'health'>['query']>) => (type === undefined || row.type === type) && (source === undefined || row.source === source) && within(row.started_at, from, to)),
    healthTypes: async () => ({ types: healthTypesOf(await store.rows('samples')), characteristics: (await store.rows('characteristics'))[0] ?? { date_of_birth: null, sex: null, blood_type: null, skin_type: null, wheelchair: null } }),
    healthRecords: list('clinical_records', latest((row) => row.recorded_at), (row) => [row.title]),
    medications: list('medications', (a, b) => (a.name ?? '').localeCompare(b.name ?? ''), (row) => [row.name, row.nickname]),
    apps: list('apps', (a, b) => b.size_bytes - a.size_bytes, (row) => [row.name, row.bundle_identifier]),
    accounts: list('accounts', (a, b) => (a.description ?? '').localeCompare(b.description ?? ''), (row) => [row.username, row.description]),
    async search({ query }, signal) {
      const hits = query?.q === undefined ? [] : await searchAll(store, query.q, query.artifact, signal);
      return pageOf(hits, query);
    },
  };
}

type Searchable = { [T in TableName]?: { artifact: ArtifactName; hit: (row: RowsByTable[T]) => Pick<SearchHit, 'identifier' | 'parent' | 'title' | 'at' | 'file_id'>; text: (row: RowsByTable[T]) => (string | null)[] } };
/** What is searched of each table, and how a hit of it is called. */
const SEARCHED: Searchable = {
  contacts: { artifact: 'contacts', hit: (row) => ({ identifier: row.contact_identifier, parent: null, title: nameOf(row), at: null, file_id: null }), text: (row) => [nameOf(row), row.company, row.note, ...row.emails, ...row.phones] },
  messages: { artifact: 'messages', hit: (row) => ({ identifier: row.message_guid, parent: row.parent, title: row.sender_name ?? row.sender, at: row.sent_at, file_id: null }), text: (row) => [row.text, row.subject, ...row.attachments.map(({ filename }) => filename)] },
  chat_messages: { artifact: 'whatsapp', hit: (row) => ({ identifier: row.message_guid, parent: row.parent, title: row.sender_name ?? row.sender, at: row.sent_at, file_id: null }), text: (row) => [row.text, ...row.attachments.map(({ filename }) => filename)] },
  calls: { artifact: 'calls', hit: (row) => ({ identifier: row.call_identifier, parent: null, title: row.name ?? row.address, at: row.started_at, file_id: null }), text: (row) => [row.name, row.address] },
  photos: { artifact: 'photos', hit: (row) => ({ identifier: row.asset_id, parent: null, title: row.original_filename, at: row.taken_at, file_id: row.file_id }), text: (row) => [row.original_filename, ...row.metadata.albums] },
  notes: { artifact: 'notes', hit: (row) => ({ identifier: row.note_identifier, parent: null, title: row.title, at: row.last_modified_at, file_id: null }), text: (row) => [row.title, row.body] },
  events: { artifact: 'calendar', hit: (row) => ({ identifier: row.event_identifier, parent: row.calendar_identifier, title: row.title, at: row.starts_at, file_id: null }), text: (row) => [row.title, row.location, row.notes] },
  visits: { artifact: 'safari', hit: (row) => ({ identifier: row.url, parent: null, title: row.title, at: row.visited_at, file_id: null }), text: (row) => [row.title, row.url] },
  bookmarks: { artifact: 'safari', hit: (row) => ({ identifier: row.bookmark_identifier, parent: null, title: row.title, at: row.added_at, file_id: null }), text: (row) => [row.title, row.url] },
  recordings: { artifact: 'recordings', hit: (row) => ({ identifier: row.recording_identifier, parent: null, title: row.title, at: row.recorded_at, file_id: row.file_id }), text: (row) => [row.title] },
  voicemails: { artifact: 'voicemail', hit: (row) => ({ identifier: row.voicemail_identifier, parent: null, title: row.sender_name ?? row.sender, at: row.received_at, file_id: row.file_id }), text: (row) => [row.sender_name, row.sender, row.transcript] },
  medications: { artifact: 'medications', hit: (row) => ({ identifier: row.medication_identifier, parent: null, title: row.name, at: row.created_at, file_id: null }), text: (row) => [row.name, row.nickname] },
  apps: { artifact: 'apps', hit: (row) => ({ identifier: row.bundle_identifier, parent: null, title: row.name, at: null, file_id: null }), text: (row) => [row.name, row.bundle_identifier] },
};
const MOST_HITS = 5000;

/** Rows looked at before others get their turn, and whoever gave up is heard. */
const TURN = 4000;

async function searchAll(store: ArtifactStore, q: string, only: ArtifactName | undefined, signal?: AbortSignal): Promise<SearchHit[]> {
  let looked = 0;
  const hits: SearchHit[] = [];
  for (const [table, searched] of Object.entries(SEARCHED) as [TableName, { artifact: ArtifactName; hit: (row: never) => Pick<SearchHit, 'identifier' | 'parent' | 'title' | 'at' | 'file_id'>; text: (row: never) => (string | null)[] }][]) {
    if (only !== undefined && searched.artifact !== only) continue;
    for (const row of await store.rows(table)) {
      looked += 1;
      if (looked % TURN === 0) {
        await new Promise((resolve) => { setTimeout(resolve); });
        signal?.throwIfAborted();
      }
      const snippet = foundIn(searched.text(row as never), q);
      if (snippet !== null && hits.push({ artifact: searched.artifact, ...searched.hit(row as never), snippet }) >= MOST_HITS) return hits;
    }
  }
  return hits.sort(latest((hit) => hit.at));
}
