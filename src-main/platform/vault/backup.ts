import { createReadStream, createWriteStream, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Database } from '../database/connection.ts';
import { copyDatabase } from '../database/copy.ts';
import { fromTimestamp } from '../kernel/clock.ts';
import { keyIdOf } from '../kernel/process-keys.ts';
import { syncFile, syncFolder } from './atomic.ts';
import { BackupDamaged, DATABASE_ENTRY, MANIFEST_ENTRY, openBackup, type Manifest } from './backup-format.ts';
import { openNow, planBackup, type PlannedFile } from './backup-plan.ts';
import { hashStored } from './hash.ts';
import { FOLDERS, KEY_FILE } from './layout.ts';
import { createPaths } from './paths.ts';

/** `missing`: paths of rows whose file no longer existed; everything else is in the backup. */
export interface BackupResult {
  files: number;
  bytes: number;
  missing: string[];
}

export interface BackupOptions {
  db: Database;
  root: string;
  /** Absolute path; must not exist. */
  target: string;
  now: string;
  uniqueName: string;
  /** Number of files to pack. */
  onFile?: (files: number) => void;
}

/**
 * Writes an archive with a consistent copy of the database, every document, the trash and a list of hashes. Reads it
 * back and verifies it before renaming it to its final name. The core may be running and move files meanwhile. Keys and
 * caches are not included. Throws `BackupExists`, `BackupUnfinished`.
 */
export async function writeBackup({ db, root, target, now, uniqueName, onFile }: BackupOptions): Promise<BackupResult> {
  if (existsSync(target)) throw new BackupExists(target);
  const paths = createPaths(root);
  const copy = join(paths.root, FOLDERS.tmp, `${uniqueName}.db`);
  const sealedFolder = join(paths.root, FOLDERS.tmp, `${uniqueName}.sealed`);
  const unfinished = join(dirname(target), `.${uniqueName}.part`);
  try {
    copyDatabase(db.sqlite, copy);
    const { files, missing } = await planBackup({ db, paths, copy, at: fromTimestamp(now), sealedFolder });
    const database = await planOne(DATABASE_ENTRY, copy);
    const keyFile = join(paths.root, KEY_FILE);
    // Before the rest, so that a restore asks for the password first.
    const keys = keyIdOf(paths.root) === null ? [] : [await planOne(KEY_FILE, keyFile)];
    const manifest: Manifest = {
      format: 1,
      created_at: now,
      files: [...keys, database, ...files].map(({ path, size, sha256 }) => ({ path, size, sha256 })),
    };
    await pack(
      unfinished,
      manifest,
      [
        ...keys.map((file) => ({ ...file, open: () => openSync(keyFile, 'r') })),
        { ...database, open: () => openSync(copy, 'r') },
        ...files.map((file) => ({ ...file, open: () => openNow(db, paths, file) })),
      ],
      onFile,
    );
    await readBack(unfinished);
    syncFile(unfinished);
    renameSync(unfinished, target);
    syncFolder(dirname(target));
    return { files: files.length, bytes: (await stat(target)).size, missing };
  } finally {
    rmSync(copy, { force: true });
    rmSync(sealedFolder, { recursive: true, force: true });
    rmSync(unfinished, { force: true });
  }
}

/** Plans a file whose bytes are stored as they are. */
const planOne = async (path: string, absolute: string): Promise<PlannedFile> => ({
  path,
  size: (await stat(absolute)).size,
  sha256: await hashStored(absolute),
  id: null,
});

/** Never overwrites an existing file. */
export class BackupExists extends Error {
  constructor(target: string) {
    super(`${target} exists already. Choose another name, or move it away.`);
    this.name = 'BackupExists';
  }
}

/** A file was replaced or purged while the backup was written. */
export class BackupUnfinished extends Error {
  constructor(cause?: unknown) {
    super('The vault changed while the backup was written, and nothing was kept of it. Run it again.', { cause });
    this.name = 'BackupUnfinished';
  }
}

async function pack(
  target: string,
  manifest: Manifest,
  files: readonly (PlannedFile & { open: () => number | null })[],
  onFile: BackupOptions['onFile'],
): Promise<void> {
  const zip = new ZipFile();
  const output = createWriteStream(target, { flags: 'wx', mode: 0o600 });
  zip.once('error', (error) => output.destroy(error as Error));
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), MANIFEST_ENTRY);
  for (const [index, { path, size, open }] of files.entries()) {
    // Scans and PDFs are already compressed; only the database gets smaller.
    zip.addReadStreamLazy(path, { size, compress: path === DATABASE_ENTRY }, (give) => {
      const descriptor = open();
      if (descriptor === null) return give(new BackupUnfinished(), output as never);
      give(null, createReadStream('', { fd: descriptor }));
      onFile?.(index);
    });
  }
  zip.end();
  await pipeline(zip.outputStream, output);
}

/** Reads the written archive and verifies the hash of every entry. */
async function readBack(path: string): Promise<void> {
  try {
    await openBackup(path, async (_entry, content) => {
      for await (const _chunk of content) {
        /* read to the end, hashed on the way */
      }
    });
  } catch (error) {
    throw error instanceof BackupDamaged ? new BackupUnfinished(error) : error;
  }
}
