import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src-main/features/phone-backups/adapters/crypto.ts';
import { nodeBackupFiles } from '../../src-main/features/phone-backups/adapters/files.ts';
import { nodeSqlite } from '../../src-main/features/phone-backups/adapters/sqlite.ts';
import { indexArtifacts } from '../../src-main/features/phone-backups/index-job.ts';
import { openIndexReader } from '../../src-main/features/phone-backups/index-reader.repository.ts';
import { ArtifactStore } from '../../src-renderer/features/phone-backups/worker/ios-backup/artifact-store.ts';
import { openMemoryDatabase } from '../../src-renderer/features/phone-backups/worker/ios-backup/sqlite/memory-database.ts';
import { ARTIFACTS } from '../../src-shared/contract/phone-backups/artifacts.ts';
import { artifactSource } from '../../src-shared/ios-backup/artifacts/backup-source.ts';
import { READERS } from '../../src-shared/ios-backup/artifacts/readers.ts';
import type { ArtifactReader, ArtifactSource } from '../../src-shared/ios-backup/artifacts/source.ts';
import { openBackup } from '../../src-shared/ios-backup/index.ts';
import type { IndexReader } from '../../src-shared/ios-backup/artifacts/index-store/reader.ts';
import { TABLES } from '../../src-shared/ios-backup/artifacts/index-store/tables.ts';
import { phoneEntries } from '../fixtures/ios-backup/artifacts/phone.ts';
import { generateBackup } from '../fixtures/ios-backup/generate.ts';

const wasmBinary = readFileSync(createRequire(import.meta.url).resolve('@journeyapps/wa-sqlite/dist/wa-sqlite.wasm'));
const root = mkdtempSync(join(tmpdir(), 'hearth-page-index-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const MIB = 2 ** 20;

/** Memory of the module, and what was opened of it. */
function memory(): {
  open: () => ReturnType<typeof openMemoryDatabase>;
  made: Awaited<ReturnType<typeof openMemoryDatabase>>[];
} {
  const made: Awaited<ReturnType<typeof openMemoryDatabase>>[] = [];
  return {
    made,
    open: async () => {
      const database = await openMemoryDatabase({ wasmBinary });
      made.push(database);
      return database;
    },
  };
}

const NOTHING: ArtifactSource = {
  database: async () => null,
  file: async () => null,
  files: async () => new Map(),
  domains: async () => [],
  info: async () => null,
};
const message = (id: number) => ({
  message_guid: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  parent: `iMessage;-;+4179${id % 500}`,
  sender: `+4179${id % 500}`,
  sender_name: 'Peter Frisch',
  is_from_me: id % 2 === 0,
  sent_at: new Date(Date.UTC(2020, 0, 1) + id * 60_000).toISOString().slice(0, 19),
  text: `Termin ${id} beim Arzt, das Labor ruft noch an wegen der Blutwerte`,
  kind: 'message' as const,
  has_attachments: false,
  attachments: [],
  service: 'iMessage',
  subject: null,
  read_at: null,
  delivered_at: null,
  reply_to_guid: null,
  reactions: [],
  edits: [],
  is_unsent: false,
  event: null,
});
const manyMessages = (count: number, after: (batch: number) => void = () => undefined): ArtifactReader => ({
  name: 'messages',
  async *read() {
    for (let at = 0; at < count; at += 1000) {
      yield { table: 'messages', rows: Array.from({ length: 1000 }, (_, i) => message(at + i)) };
      after(at);
    }
  },
});

describe('a backup that the page reads', () => {
  let inPage: IndexReader, inService: IndexReader;
  beforeAll(async () => {
    const folder = join(root, 'phone'),
      sandbox = join(root, 'sandbox');
    mkdirSync(sandbox);
    await generateBackup({ folder, entries: phoneEntries(root, 26), keybag: { password: 'wort', firstRounds: 2 } });
    const files = nodeBackupFiles(folder);
    const source = artifactSource(
      await (await openBackup({ files, sqlite: nodeSqlite(sandbox), crypto: nodeCrypto })).unlock('wort'),
      files,
    );
    inPage = await new ArtifactStore(source, Object.values(READERS), memory().open).reader(...ARTIFACTS);
    await indexArtifacts({
      source,
      file: join(root, 'index.sqlite'),
      artifacts: ARTIFACTS,
      isCancelled: () => false,
      progress: () => undefined,
    });
    inService = openIndexReader(join(root, 'index.sqlite'))!;
  });
  afterAll(() => inService.close());

  it.each(Object.keys(TABLES) as (keyof typeof TABLES)[])(
    'has the same %s in the same order as in the service',
    (table) => {
      const page = { limit: 1000, offset: 0 };
      expect(inPage.list(table, page)).toEqual(inService.list(table, page));
    },
  );

  it('has the search results and sample types of the service, 64-bit numbers and Unicode text', () => {
    for (const words of ['befund', 'Röntgen', '"der anfang"', 'term* -um', 'frisch 079'])
      expect([words, inPage.search(words, undefined, { limit: 50, offset: 0 })]).toEqual([
        words,
        inService.search(words, undefined, { limit: 50, offset: 0 }),
      ]);
    expect(() => inPage.search('🎉', undefined, { limit: 1, offset: 0 })).toThrow();
    expect(inPage.healthTypes()).toEqual(inService.healthTypes());
    expect(inPage.list('messages', { limit: 5, offset: 0 }, { q: 'labor' })).toEqual(
      inService.list('messages', { limit: 5, offset: 0 }, { q: 'labor' }),
    );
  });
});

describe('the memory of the page', () => {
  it('holds many messages compactly: a million stay under 400 MB', async () => {
    const { open, made } = memory(),
      count = 50_000;
    const reader = await new ArtifactStore(NOTHING, [manyMessages(count)], open).reader('messages');
    expect(reader.list('messages', { limit: 1, offset: count - 1 }).total).toBe(count);
    expect(reader.search('blutwerte', 'messages', { limit: 10, offset: 0 }).total).toBe(count);
    // Twenty of these make a million; a module begins with 16 MiB.
    expect((made[0]!.bytes() - 16 * MIB) * 20).toBeLessThan(400 * 1e6);
  });

  it('is overwritten when the backup is locked, also during a read', async () => {
    const { open, made } = memory();
    let store: ArtifactStore | null = null;
    const reading = (store = new ArtifactStore(
      NOTHING,
      [
        manyMessages(20_000, (at) => {
          if (at === 3000) void store?.wipe();
        }),
      ],
      open,
    )).reader('messages');
    await expect(reading).rejects.toMatchObject({ code: 'locked' });
    await store.wipe();
    expect(made[0]!.isBlank()).toBe(true);
    await expect(store.reader('messages')).rejects.toMatchObject({ code: 'locked' });
  });

  it('discards an artifact that was stopped, and reads it when it is opened', async () => {
    const { open } = memory();
    const store: ArtifactStore = new ArtifactStore(
      NOTHING,
      [
        manyMessages(5000, (at) => {
          if (at === 1000 && !again) {
            again = true;
            store.cancel();
          }
        }),
      ],
      open,
    );
    let again = false;
    store.start(['messages']);
    while (store.job().status === 'running')
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
    expect(store.job().artifacts[0]).toMatchObject({ artifact: 'messages', status: 'waiting' });
    expect((await store.reader('messages')).list('messages', { limit: 1, offset: 0 }).total).toBe(5000);
  });

  it('shows the rows of a database before its damage', async () => {
    const store = new ArtifactStore(
      NOTHING,
      [
        manyMessages(5000, (at) => {
          if (at === 2000) throw new Error('damaged');
        }),
      ],
      memory().open,
    );
    expect((await store.reader('messages')).list('messages', { limit: 1, offset: 0 }).total).toBe(3000);
    expect(store.job().artifacts[0]).toMatchObject({ status: 'failed', rows: 3000 });
  });
});
