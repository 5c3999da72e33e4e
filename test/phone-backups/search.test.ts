import Sqlite from 'better-sqlite3';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asIndexDatabase } from '../../src-main/features/phone-backups/index-writer.repository.ts';
import { ArtifactStore } from '../../src-renderer/features/phone-backups/worker/ios-backup/artifact-store.ts';
import { openMemoryDatabase } from '../../src-renderer/features/phone-backups/worker/ios-backup/sqlite/memory-database.ts';
import type { IndexDatabase, IndexValue } from '../../src-shared/ios-backup/artifacts/index-store/database.ts';
import type { IndexReader } from '../../src-shared/ios-backup/artifacts/index-store/reader.ts';
import type { ArtifactReader, ArtifactSource } from '../../src-shared/ios-backup/artifacts/source.ts';

const wasmBinary = readFileSync(createRequire(import.meta.url).resolve('@journeyapps/wa-sqlite/dist/wa-sqlite.wasm'));
const MESSAGES = 200_000,
  NOTES = 4000,
  VISITS = 3;
const NOTHING: ArtifactSource = {
  database: async () => null,
  file: async () => null,
  files: async () => new Map(),
  domains: async () => [],
  info: async () => null,
};
const time = (minute: number): string => new Date(Date.UTC(2018, 0, 1) + minute * 60_000).toISOString().slice(0, 19);
/**
 * One message in 25 is about an appointment, one in forty about a laboratory; a cloud sent the newest first, and not
 * quite in order.
 */
const fromCloud = (id: number): number => MESSAGES - id + ((id * 7919) % 5000);
const message = (id: number, minute: (id: number) => number = fromCloud) => ({
  message_guid: `M-${id}`,
  parent: `talk-${id % 50}`,
  sender: null,
  sender_name: null,
  is_from_me: false,
  sent_at: id === 25 ? null : time(minute(id)),
  text: `Hallo ${id}${id % 25 === 0 ? ' Termin' : ''}${id % 40 === 0 ? ' Labor' : ''}`,
  kind: 'message' as const,
  has_attachments: false,
  attachments: [],
  service: null,
  subject: null,
  read_at: null,
  delivered_at: null,
  reply_to_guid: null,
  reactions: [],
  edits: [],
  is_unsent: false,
  event: null,
});
const note = (id: number) => ({
  note_identifier: `N-${id}`,
  title: 'Notiz',
  body: id % 2 === 0 ? 'Termin beim Arzt' : 'Einkauf',
  folder: null,
  created_at: null,
  last_modified_at: time(id * 31),
  is_locked: false,
  is_pinned: false,
  is_deleted: false,
  account: null,
  attachments: [],
  checklist: [],
});
const app = { bundle_identifier: 'app', name: 'Termine', version: null, has_data: true, file_count: 1, size_bytes: 1 };
const pieces = (count: number): number[] =>
  Array.from({ length: Math.ceil(count / 10_000) }, (_, piece) => piece * 10_000);
const READERS: ArtifactReader[] = [
  {
    name: 'messages',
    async *read() {
      for (const at of pieces(MESSAGES))
        yield { table: 'messages', rows: Array.from({ length: 10_000 }, (_, i) => message(at + i)) };
    },
  },
  {
    name: 'notes',
    async *read() {
      yield { table: 'notes', rows: Array.from({ length: NOTES }, (_, i) => note(i)) };
    },
  },
  {
    name: 'safari',
    async *read() {
      yield {
        table: 'visits',
        rows: Array.from({ length: VISITS }, (_, i) => ({
          url: `https://labor.example/${i}`,
          title: null,
          visited_at: time(i),
          visit_count: 1,
        })),
      };
    },
  },
  {
    name: 'apps',
    async *read() {
      yield { table: 'apps', rows: [app] };
    },
  },
];

/** The same rows where the service keeps them and where the page does; `asked` are the questions that SQLite got. */
const MADE: readonly [string, () => Promise<IndexDatabase & { wipe(): void }>][] = [
  ['the service', async () => ({ ...asIndexDatabase(new Sqlite(':memory:')), wipe: () => undefined })],
  ['the page', () => openMemoryDatabase({ wasmBinary })],
];

describe.each(MADE)('a common word in the index of %s', (_, open) => {
  let reader: IndexReader;
  const asked: { sql: string; values: readonly unknown[] }[] = [];
  beforeAll(async () => {
    const watched = async () => {
      const database = await open();
      return {
        ...database,
        prepare(sql: string) {
          const { run, all } = database.prepare(sql);
          return {
            run,
            all: (values: readonly IndexValue[] = []) => {
              asked.push({ sql, values });
              return all(values);
            },
          };
        },
      };
    };
    reader = await new ArtifactStore(NOTHING, READERS, watched).reader('messages', 'notes', 'safari', 'apps');
  });
  afterAll(() => reader.close());
  const search = (query: string, limit = 100, offset = 0, artifact?: 'notes') => {
    asked.length = 0;
    return reader.search(query, artifact, { limit, offset });
  };

  it('is found newest first without ranking, with the right count', () => {
    const { items, total } = search('termin', 200);
    expect(total).toBe(MESSAGES / 25 + NOTES / 2 + 1);
    const newest = Array.from({ length: MESSAGES / 25 }, (__, i) => message(i * 25))
      .reverse()
      .filter(({ sent_at: at }) => at !== null)
      .sort((a, b) => b.sent_at!.localeCompare(a.sent_at!))
      .slice(0, 200)
      .map(({ message_guid: guid }) => guid);
    expect(items.filter(({ artifact }) => artifact === 'messages').map(({ identifier }) => identifier)).toEqual(
      newest.slice(0, items.filter(({ artifact }) => artifact === 'messages').length),
    );
    expect(items.map(({ at }) => at)).toEqual(
      items
        .map(({ at }) => at)
        .toSorted()
        .reverse(),
    );
    expect(items[0]?.snippet).toContain('\uE000Termin\uE001');
    // One question counts, one asks for the stretches, some find the page, and each row of it is fetched: nothing is
    // worked out for each hit.
    expect(asked.filter(({ sql }) => /\brank\b|bm25/.test(sql))).toEqual([]);
    const finding = asked.filter(({ sql }) => sql.includes('f.rowid'));
    expect(asked.length - finding.length).toBe(2 + items.length);
    expect(finding.every(({ sql }) => sql.includes('BETWEEN'))).toBe(true);
    expect(
      finding.reduce(
        (sum, { values }) =>
          sum +
          values
            .filter((value) => typeof value === 'number')
            .slice(0, -2)
            .reduce((rows, value, i) => rows + (i % 2 === 0 ? 1 - value : value), 0),
        0,
      ),
    ).toBeLessThan(MESSAGES / 4);
  });

  it('is paged without gaps and duplicates, including rows without a time', () => {
    const all = search('termin', 30_000).items.map(({ artifact, identifier }) => `${artifact} ${identifier}`);
    expect(new Set(all).size).toBe(10_001);
    expect(all.slice(-2).toSorted()).toEqual(['apps app', 'messages M-25']);
    for (const offset of [0, 997, 5000, 9950])
      expect(
        search('termin', 100, offset).items.map(({ artifact, identifier }) => `${artifact} ${identifier}`),
      ).toEqual(all.slice(offset, offset + 100));
    expect(search('termin', 100, 30_000)).toEqual({ items: [], total: 10_001, limit: 100, offset: 30_000 });
  });

  it('is ranked when it is in few rows, on every page and for each artifact', () => {
    for (const [query, artifact, total] of [
      ['labor', undefined, 5003],
      ['termin', 'notes', 2000],
      ['labor -hallo', undefined, 3],
      ['termin -labor', 'notes', 2000],
    ] as const) {
      const found = search(query, 100, 0, artifact as 'notes' | undefined);
      expect([query, found.total, asked.some(({ sql }) => /\brank\b/.test(sql))]).toEqual([
        query,
        total,
        total <= 5000,
      ]);
    }
    const ranked = search('termin', 2000, 0, 'notes').items.map(({ identifier }) => identifier);
    expect(new Set(ranked).size).toBe(2000);
    expect(search('termin', 50, 1900, 'notes').items.map(({ identifier }) => identifier)).toEqual(
      ranked.slice(1900, 1950),
    );
  });
});

it.each<[string, (id: number) => number]>([
  ['the order of time', (id) => id],
  ['no order at all', (id) => (id * 7919) % 20_000],
  ['one time for many', (id) => Math.floor(id / 3000)],
  ['its newest in the middle', (id) => 10_000 - Math.abs(id - 10_000)],
])('the newest messages are found in a phone that has them in %s', async (_, minute) => {
  const rows = Array.from({ length: 20_000 }, (__, i) => ({
    ...message(i, minute),
    text: i % 3 === 0 ? 'Termin' : 'Hallo',
  }));
  const store = new ArtifactStore(
    NOTHING,
    [
      {
        name: 'messages',
        async *read() {
          yield { table: 'messages', rows };
        },
      },
    ],
    MADE[0]![1],
  );
  const reader = await store.reader('messages');
  const expected = rows
    .map(({ message_guid: guid, sent_at: at, text }, id) => ({ guid, at, text, id }))
    .filter(({ text }) => text === 'Termin')
    .sort((a, b) => (b.at ?? '').localeCompare(a.at ?? '') || b.id - a.id)
    .map(({ guid }) => guid);
  for (const [limit, offset] of [
    [1, 0],
    [50, 0],
    [50, 50],
    [100, 3333],
    [100, 6600],
    [1000, 6000],
  ] as const)
    expect(reader.search('termin', undefined, { limit, offset }).items.map(({ identifier }) => identifier)).toEqual(
      expected.slice(offset, offset + limit),
    );
  reader.close();
});
