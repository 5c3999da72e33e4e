import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Database } from '../database/connection.ts';
import { syncFile, syncFolder } from './atomic.ts';
import { DATABASE_ENTRY, MANIFEST_ENTRY, openBackup, type Manifest } from './backup-format.ts';
import { hashFile } from './hash.ts';
import { DOCUMENT_FOLDERS, FOLDERS } from './layout.ts';
import { filesBelow } from './verify.ts';

export interface BackupResult { files: number; bytes: number }

/**
 * Writes one archive with the database (a consistent copy, taken while others write), every document and the trash, and a list of
 * their hashes; reads it back and compares before it takes its name. Keys and caches are not part of it.
 */
export async function writeBackup({ db, root, target, now, uniqueName }: { db: Database; root: string; target: string; now: string; uniqueName: string }): Promise<BackupResult> {
  if (existsSync(target)) throw new BackupExists(target);
  const copy = join(root, FOLDERS.tmp, `${uniqueName}.db`);
  const unfinished = join(dirname(target), `.${uniqueName}.part`);
  try {
    db.prepare('VACUUM INTO ?').run(copy);
    const manifest = await describe(root, copy, now);
    await pack(root, copy, manifest, unfinished);
    await readBack(unfinished);
    syncFile(unfinished);
    renameSync(unfinished, target);
    syncFolder(dirname(target));
    return { files: manifest.files.length - 1, bytes: (await stat(target)).size };
  } finally {
    rmSync(copy, { force: true });
    rmSync(unfinished, { force: true });
  }
}

/** Nothing is written over a file that is there. */
export class BackupExists extends Error {
  constructor(target: string) {
    super(`${target} exists already. Choose another name, or move it away.`);
    this.name = 'BackupExists';
  }
}

async function describe(root: string, copy: string, now: string): Promise<Manifest> {
  const files: Manifest['files'] = [{ path: DATABASE_ENTRY, size: (await stat(copy)).size, sha256: await hashFile(copy) }];
  for (const folder of [...DOCUMENT_FOLDERS, FOLDERS.trash]) for await (const path of filesBelow(root, folder)) {
    const absolute = join(root, path);
    files.push({ path, size: (await stat(absolute)).size, sha256: await hashFile(absolute) });
  }
  return { format: 1, created_at: now, files };
}

async function pack(root: string, copy: string, manifest: Manifest, target: string): Promise<void> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), MANIFEST_ENTRY);
  // Scans and PDFs are packed already; only the database gains by it.
  for (const { path } of manifest.files) zip.addFile(path === DATABASE_ENTRY ? copy : join(root, path), path, { compress: path === DATABASE_ENTRY });
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(target, { flags: 'wx', mode: 0o600 }));
}

/** Opens what was written and compares every byte by its hash. */
async function readBack(path: string): Promise<void> {
  await openBackup(path, async (_entry, content) => { for await (const _chunk of content) { /* read to the end, hashed on the way */ } });
}
