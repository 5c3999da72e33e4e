import Sqlite from 'better-sqlite3';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { indexDatabase } from '../../src-main/phone-backups/index-database.repository.ts';
import { ArtifactStore } from '../../src-renderer/workers/ios-backup/artifact-store.ts';
import { openMemoryDatabase } from '../../src-renderer/workers/ios-backup/sqlite/memory-database.ts';
import type { IndexDatabase } from '../../src-shared/ios-backup/artifacts/index-store/database.ts';
import type { IndexReader } from '../../src-shared/ios-backup/artifacts/index-store/reader.ts';
import type { ArtifactReader, ArtifactSource } from '../../src-shared/ios-backup/artifacts/source.ts';

const wasmBinary = readFileSync(createRequire(import.meta.url).resolve('@journeyapps/wa-sqlite/dist/wa-sqlite.wasm'));
const MESSAGES = 200_000, NOTES = 4000, VISITS = 3;
const NOTHING: ArtifactSource = { database: async () => null, file: async () => null, files: async () => new Map(), domains: async () => [], info: async () => null };
const time = (minute: number): string => new Date(Date.UTC(2018, 0, 1) + minute * 60_000).toISOString().slice(0, 19);
/** One message in 25 is about an appointment, one in forty about a laboratory; numbers of the phone are not in the order of time. */
const message = (id: number) => ({
  message_guid: `M-${id}`, parent: `talk-${id % 50}`, sender: null, sender_name: null, is_from_me: false, sent_at: id === 25 ? null : time(id * 7919 % MESSAGES), text: `Hallo ${id}${id % 25 === 0 ? ' Termin' : ''}${id % 40 === 0 ? ' Labor' : ''}`, kind: 'message' as const, has_attachments: false, attachments: [],
  service: null, subject: null, read_at: null, delivered_at: null, reply_to_guid: null, reactions: [], edits: [], is_unsent: false, event: null,
});
const note = (id: number) => ({ note_identifier: `N-${id}`, title: 'Notiz', body: id % 2 === 0 ? 'Termin beim Arzt' : 'Einkauf', folder: null, created_at: null, last_modified_at: time(id * 31), is_locked: false, is_pinned: false, is_deleted: false, account: null, attachments: [], checklist: [] });
const app = { bundle_identifier: 'app', name: 'Termine', version: null, has_data: true, file_count: 1, size_bytes: 1 };
const pieces = (count: number): number[] => Array.from({ length: Math.ceil(count / 10_000) }, (_, piece) => piece * 10_000);
const READERS: ArtifactReader[] = [
  { name: 'messages', tables: ['messages'], async* read() { for (const at of pieces(MESSAGES)) yield { table: 'messages', rows: Array.from({ length: 10_000 }, (_, i) => message(at + i)) }; } },
  { name: 'notes', tables: ['notes'], async* read() { yield { table: 'notes', rows: Array.from({ length: NOTES }, (_, i) => note(i)) }; } },
  { name: 'safari', tables: ['visits'], async* read() { yield { table: 'visits', rows: Array.from({ length: VISITS }, (_, i) => ({ url: `https://labor.example/${i}`, title: null, visited_at: time(i), visit_count: 1 })) }; } },
  { name: 'apps', tables: ['apps'], async* read() { yield { table: 'apps', rows: [app] }; } },
];

/** The same rows where the service keeps them and where the page does; `asked` are the questions that SQLite got. */
const MADE: readonly [string, () => Promise<IndexDatabase & { wipe(): void }>][] = [
  ['the service', async () => ({ ...indexDatabase(new Sqlite(':memory:')), wipe: () => undefined })],
  ['the page', () => openMemoryDatabase({ wasmBinary })],
];

describe.each(MADE)('a common word in the index of %s', (_, open) => {
  let reader: IndexReader;
  const asked: string[] = [];
  beforeAll(async () => {
    const watched = async () => { const database = await open(); return { ...database, prepare: (sql: string) => { asked.push(sql); return database.prepare(sql); } }; };
    reader = await new ArtifactStore(NOTHING, READERS, watched).reader('messages', 'notes', 'safari', 'apps');
  });
  afterAll(() => reader.close());
  const search = (query: string, limit = 100, offset = 0, artifact?: 'notes') => { asked.length = 0; return reader.search(query, artifact, { limit, offset }); };

  it('is found newest first, without ranking anything, and counted as it was', () => {
    const { items, total } = search('termin', 200);
    expect(total).toBe(MESSAGES / 25 + NOTES / 2 + 1);
    const newest = Array.from({ length: MESSAGES / 25 }, (__, i) => message(i * 25)).filter(({ sent_at: at }) => at !== null).sort((a, b) => b.sent_at!.localeCompare(a.sent_at!)).slice(0, 200).map(({ message_guid: guid }) => guid);
    expect(items.filter(({ artifact }) => artifact === 'messages').map(({ identifier }) => identifier)).toEqual(newest.slice(0, items.filter(({ artifact }) => artifact === 'messages').length));
    expect(items.map(({ at }) => at)).toEqual(items.map(({ at }) => at).toSorted().reverse());
    expect(items[0]?.snippet).toContain('\uE000Termin\uE001');
    // One question counts, one finds a page, and each row of it is fetched: nothing is worked out for each hit.
    expect(asked.filter((sql) => /\brank\b|bm25/.test(sql))).toEqual([]);
    expect(asked).toHaveLength(2 + items.length);
  });

  it('is paged without a gap and without a row twice, to what has no time', () => {
    const all = search('termin', 30_000).items.map(({ artifact, identifier }) => `${artifact} ${identifier}`);
    expect(new Set(all).size).toBe(10_001);
    expect(all.slice(-2).toSorted()).toEqual(['apps app', 'messages M-25']);
    for (const offset of [0, 997, 5000, 9950]) expect(search('termin', 100, offset).items.map(({ artifact, identifier }) => `${artifact} ${identifier}`)).toEqual(all.slice(offset, offset + 100));
    expect(search('termin', 100, 30_000)).toEqual({ items: [], total: 10_001, limit: 100, offset: 30_000 });
  });

  it('is ranked where it stands in few rows: on every page, also of a part', () => {
    for (const [query, artifact, total] of [['labor', undefined, 5003], ['termin', 'notes', 2000], ['labor -hallo', undefined, 3], ['termin -labor', 'notes', 2000]] as const) {
      const found = search(query, 100, 0, artifact as 'notes' | undefined);
      expect([query, found.total, asked.some((sql) => /\brank\b/.test(sql))]).toEqual([query, total, total <= 5000]);
    }
    const ranked = search('termin', 2000, 0, 'notes').items.map(({ identifier }) => identifier);
    expect(new Set(ranked).size).toBe(2000);
    expect(search('termin', 50, 1900, 'notes').items.map(({ identifier }) => identifier)).toEqual(ranked.slice(1900, 1950));
  });
});
