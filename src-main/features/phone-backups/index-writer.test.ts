import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { encodeRows } from '../../../src-shared/ios-backup/artifacts/index-store/row-encoding.ts';
import type { ArtifactState } from '../../../src-shared/ios-backup/artifacts/index-store/writer.ts';
import type { Batch } from '../../../src-shared/ios-backup/artifacts/source.ts';
import { setVaultKeys } from '../../platform/kernel/process-keys.ts';
import { openIndexReader } from './index-reader.repository.ts';
import { startIndexWriter } from './index-writer.ts';

const root = mkdtempSync(join(tmpdir(), 'hearth-index-writer-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const app = (n: number): Batch => ({
  table: 'apps',
  rows: [
    {
      bundle_identifier: `com.example.app${n}`,
      name: `App ${n}`,
      version: null,
      file_count: n,
      size_bytes: 0,
    } as never,
  ],
});
const state = (rows: number): ArtifactState => ({
  artifact: 'apps',
  status: 'done',
  rows,
  total: rows,
  skipped: 0,
  finished_at: null,
});
const namesIn = (file: string): unknown[] => {
  const reader = openIndexReader(file);
  const names = reader?.list('apps', { limit: 100, offset: 0 }).items.map((row) => row.name);
  reader?.close();
  return names ?? [];
};

describe('the writer of an index in its own thread', () => {
  it('writes rows in order and finds them by their words', async () => {
    const file = join(root, 'many.sqlite'),
      writer = startIndexWriter(file);
    await writer.begin('apps');
    await Promise.all(Array.from({ length: 60 }, (_, n) => writer.add(encodeRows(app(n)))));
    await writer.commit(state(60));
    if (process.platform !== 'win32')
      expect(readdirSync(root).map((name) => [name, statSync(join(root, name)).mode & 0o077])).toEqual(
        ['many.sqlite', 'many.sqlite-shm', 'many.sqlite-wal'].map((name) => [name, 0]),
      );
    await writer.close();
    expect(namesIn(file)).toHaveLength(60);
    const reader = openIndexReader(file);
    expect(reader?.search('example.app59', undefined, { limit: 5, offset: 0 }).total).toBe(1);
    reader?.close();
  });

  it('uses the key of an encrypted vault', async () => {
    const vault = mkdtempSync(join(tmpdir(), 'hearth-index-writer-'));
    setVaultKeys(vault, { files: randomBytes(32), database: randomBytes(32) });
    const file = join(vault, 'sealed.sqlite'),
      writer = startIndexWriter(file);
    await writer.begin('apps');
    await writer.add(encodeRows(app(7)));
    await writer.commit(state(1));
    for (const name of readdirSync(vault)) expect(readFileSync(join(vault, name)).includes('App 7')).toBe(false);
    await writer.close();
    expect(namesIn(file)).toEqual(['App 7']);
    expect(readFileSync(file).includes('App 7')).toBe(false);
    setVaultKeys(vault, null);
    expect(() => openIndexReader(file)).toThrow('not a database');
    rmSync(vault, { recursive: true });
  });

  it('reports rows that it could not write by the commit, and keeps the earlier ones', async () => {
    const file = join(root, 'broken.sqlite'),
      writer = startIndexWriter(file);
    await writer.begin('apps');
    await writer.add(encodeRows(app(1)));
    await writer.commit(state(1));
    await writer.begin('apps');
    const bad = encodeRows(app(2));
    await writer.add({ ...bad, values: [[0, { not: 'a value' } as never]] });
    await writer.add(encodeRows(app(3)));
    await expect(writer.commit(state(2))).rejects.toThrow();
    await writer.rollback();
    await writer.close();
    expect(namesIn(file)).toEqual(['App 1']);
  });

  it('fails with the error of a file that is not an index', async () => {
    const file = join(root, 'other.sqlite');
    writeFileSync(file, 'no database at all, but long enough to be taken for one'.repeat(100));
    const writer = startIndexWriter(file);
    await expect(writer.begin('apps')).rejects.toThrow(/not a database/);
    await expect(writer.add(encodeRows(app(1)))).resolves.toBeUndefined();
    await expect(writer.commit(state(1))).rejects.toThrow(/not a database/);
    await expect(writer.close()).rejects.toThrow(/not a database/);
  });
});
