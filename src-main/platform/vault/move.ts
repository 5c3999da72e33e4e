import { createReadStream, createWriteStream, existsSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { refuseNewer } from '../database/connection.ts';
import { syncFile, syncFolder } from './atomic.ts';
import { DATABASE_ENTRY } from './backup-format.ts';
import { hashFile, HashingStream } from './hash.ts';
import { keyIdOf, lendVaultKeys, setVaultKeys } from '../kernel/process-keys.ts';
import { HOLDER_FILE } from './holder.ts';
import { KEY_FILE } from './layout.ts';
import { LOCK_FILE } from './lock.ts';
import { shareUnlocked } from './unlock-vault.ts';

/** The folders of a move: where the vault is, where it goes, the unfinished copy, and the previous folder after it. */
export interface VaultMove {
  root: string;
  target: string;
  unfinished: string;
  aside: string;
}

/** The paths of a move of the vault: the copy that is not finished yet, and where the old vault waits afterwards. */
export const planMove = (root: string, target: string, unique: string): VaultMove => ({
  ...{ root, target },
  unfinished: `${target}.moving-${unique}`,
  aside: join(dirname(root), `${basename(root)}.moved-${unique}`),
});

/** Opens the copied database. That of an encrypted vault can be opened only if this process has unlocked the vault. */
function requireReadable(root: string, unfinished: string): void {
  if (existsSync(join(root, KEY_FILE)) && keyIdOf(root) === null) return;
  lendVaultKeys(root, unfinished);
  try {
    refuseNewer(join(unfinished, DATABASE_ENTRY));
  } finally {
    setVaultKeys(unfinished, null);
  }
}

/**
 * Completes the copy of a vault that is closed, and puts it in its place. Until it has its name, the vault is where it
 * was; the previous folder stays under another name. `onPlaced` remembers where the vault is from now on, so that after
 * a crash one of the two is always known.
 */
export async function finishMove(
  { root, target, unfinished, aside }: VaultMove,
  report: Report,
  onPlaced: () => void,
): Promise<void> {
  await copyVault(root, unfinished, { isClosed: true, signal: new AbortController().signal, report });
  requireReadable(root, unfinished);
  // Fails if somebody has put something there meanwhile.
  if (existsSync(target)) rmdirSync(target);
  renameSync(unfinished, target);
  syncFolder(dirname(target));
  shareUnlocked(root, target);
  onPlaced();
  renameSync(root, aside);
}

/** Goes back to the vault where it was, if the move or the first start after it failed. */
export function undoMove({ root, target, unfinished, aside }: VaultMove): void {
  if (existsSync(aside) && !existsSync(root)) renameSync(aside, root);
  if (!existsSync(join(root, DATABASE_ENTRY))) return;
  const copy = existsSync(unfinished) ? unfinished : target;
  if (existsSync(join(copy, DATABASE_ENTRY)) || copy === unfinished) rmSync(copy, { recursive: true, force: true });
}

type Report = (done: number, total: number) => void;

/** What belongs to a running program, or is made anew. */
const LEFT_BEHIND = new Set([LOCK_FILE, HOLDER_FILE, 'tmp']);
/** Changes while the vault is open, so it is copied after it was closed. */
const isDatabase = (path: string): boolean => /^vault\.db(?:-wal|-shm|-journal)?$/.test(path);

interface VaultFile {
  path: string;
  size: number;
  modifiedMs: number;
}

/** The files of a vault that move with it. */
export async function filesOf(root: string): Promise<VaultFile[]> {
  const files: VaultFile[] = [];
  for (const entry of await readdir(root, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const absolute = join(entry.parentPath, entry.name);
    const path = absolute.slice(root.length).replace(/^[/\\]+/, '');
    if (LEFT_BEHIND.has(path.split(/[/\\]/)[0] ?? '')) continue;
    // A file may be moved or deleted while the list is made.
    const found = await stat(absolute).catch(() => null);
    if (found) files.push({ path, size: found.size, modifiedMs: Math.floor(found.mtimeMs) });
  }
  return files;
}

/**
 * Copies what is missing or changed, and compares the hash of each copy with that of what was read. Called twice: while
 * the vault is open, without its database, and after it was closed, when little is left. Then it also removes what is
 * gone.
 */
export async function copyVault(
  root: string,
  target: string,
  { isClosed, signal, report }: { isClosed: boolean; signal: AbortSignal; report: Report },
): Promise<void> {
  const files = (await filesOf(root)).filter(({ path }) => isClosed || !isDatabase(path));
  const copied = new Map((await filesOf(target).catch(() => [])).map((file) => [file.path, file]));
  const total = files.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  await mkdir(target, { recursive: true, mode: 0o700 });
  for (const file of files) {
    signal.throwIfAborted();
    const copy = copied.get(file.path);
    copied.delete(file.path);
    const isSame = copy?.size === file.size && copy.modifiedMs === file.modifiedMs && !isDatabase(file.path);
    if (!isSame) await copyFile(root, target, file, isClosed, signal);
    done += file.size;
    report(done, total);
  }
  if (isClosed) for (const path of copied.keys()) await rm(join(target, path), { force: true });
}

async function copyFile(
  root: string,
  target: string,
  { path, modifiedMs }: VaultFile,
  isClosed: boolean,
  signal: AbortSignal,
): Promise<void> {
  const [from, to] = [join(root, path), join(target, path)];
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const hashing = new HashingStream(Number.MAX_SAFE_INTEGER, new Error('never'));
  try {
    await pipeline(createReadStream(from), hashing, createWriteStream(to, { mode: 0o600 }), { signal });
  } catch (error) {
    // While the vault is open, files move; the second pass finds them where they are then.
    if (!isClosed && (error as NodeJS.ErrnoException).code === 'ENOENT') return void (await rm(to, { force: true }));
    throw error;
  }
  syncFile(to);
  await utimes(to, modifiedMs / 1000, modifiedMs / 1000);
  if ((await hashFile(to, signal)) !== hashing.digest()) throw new Error('a copied file differs from its original');
}
