import { createHash } from 'node:crypto';
import { Transform, type Readable } from 'node:stream';
import yauzl from 'yauzl';
import { DOCUMENT_FOLDERS, FOLDERS, KEY_FILE } from './layout.ts';
import { isVaultPath } from './paths.ts';

export const DATABASE_ENTRY = 'vault.db';
export const MANIFEST_ENTRY = 'manifest.json';
const MAX_MANIFEST_BYTES = 256 * 2 ** 20;

const BACKED_UP: readonly string[] = [...DOCUMENT_FOLDERS, FOLDERS.trash];

/**
 * Whether a backup may contain this path: the database, and what is in the folders of documents and in the trash. Keys,
 * journals of the database and other files beside it are never taken from a backup.
 */
export function isBackupPath(path: string): boolean {
  const [folder = '', ...rest] = path.split('/');
  return path === DATABASE_ENTRY || (BACKED_UP.includes(folder) && rest.length > 0 && isVaultPath(path));
}

export interface Manifest {
  format: 1;
  created_at: string;
  files: { path: string; size: number; sha256: string }[];
}

/** The archive is not a backup, or it is damaged. `path` is the first entry that does not match. */
export class BackupDamaged extends Error {
  constructor(what: string) {
    super(`This backup is damaged: ${what}. Use another one.`);
    this.name = 'BackupDamaged';
  }
}

/**
 * Reads a backup entry by entry. `take` gets the content of each file and must read it to the end. Checks sizes and
 * hashes, and reports missing and additional entries; throws `BackupDamaged`.
 */
export async function openBackup(
  path: string,
  take: (path: string, content: Readable) => Promise<void>,
): Promise<Manifest> {
  const archive = await yauzl
    .openPromise(path, { autoClose: false, lazyEntries: true, strictFileNames: true })
    .catch((error: Error) => {
      throw new BackupDamaged(error.message);
    });
  try {
    let manifest: Manifest | null = null;
    const open = new Map<string, { size: number; sha256: string }>();
    for await (const entry of archive.eachEntry()) {
      const content = await archive.openReadStreamPromise(entry);
      if (manifest === null) {
        manifest = await readManifest(entry.fileName, entry.uncompressedSize, content);
        for (const file of manifest.files) open.set(file.path, file);
        continue;
      }
      const expected = open.get(entry.fileName);
      if (!expected || (!isBackupPath(entry.fileName) && entry.fileName !== KEY_FILE))
        throw new BackupDamaged(`an entry that is not in its list (${entry.fileName})`);
      open.delete(entry.fileName);
      const hash = createHash('sha256');
      const hashed = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          hash.update(chunk);
          done(null, chunk);
        },
      });
      content.once('error', (error) => hashed.destroy(error));
      await take(entry.fileName, content.pipe(hashed));
      if (hash.digest('hex') !== expected.sha256)
        throw new BackupDamaged(`${entry.fileName} has other bytes than were stored`);
    }
    const [missing] = open.keys();
    if (manifest === null) throw new BackupDamaged('it is empty');
    if (missing !== undefined) throw new BackupDamaged(`${missing} is missing`);
    return manifest;
  } catch (error) {
    throw error instanceof BackupDamaged ? error : new BackupDamaged((error as Error).message);
  } finally {
    archive.close();
  }
}

async function readManifest(name: string, size: number, content: Readable): Promise<Manifest> {
  if (name !== MANIFEST_ENTRY || size > MAX_MANIFEST_BYTES) throw new BackupDamaged('it has no list of its files');
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk as Buffer);
  const manifest = JSON.parse(Buffer.concat(chunks).toString()) as Manifest;
  if (manifest.format !== 1 || !Array.isArray(manifest.files))
    throw new BackupDamaged('it was written by another version');
  return manifest;
}
