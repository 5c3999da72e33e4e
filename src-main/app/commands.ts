import { existsSync, statfsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { backUpInto, isSnapshotPath, restoreSnapshot } from '../features/vault-backups/service.ts';
import type { Config } from '../platform/config/config.ts';
import { configFolder } from '../platform/config/load.ts';
import { DATABASE_FILE } from '../platform/vault/layout.ts';
import { openDatabase, type Database } from '../platform/database/connection.ts';
import type { CommandInput } from './command-input.ts';
import type { CommandWord } from './flags.ts';
import { systemClock, toTimestamp } from '../platform/kernel/clock.ts';
import { askSecret } from './ask-secret.ts';
import { passwordInFile, unlockFromFile, VaultLocked } from './unlock.ts';
import { findProgram } from '../platform/kernel/find-program.ts';
import { randomId } from '../platform/kernel/ids.ts';
import { installedModels } from '../reading/providers/ocr/tesseract-cli.ts';
import { MODELS } from '../reading/providers/ocr/ocr-words.ts';
import { createSecrets } from '../platform/secrets/service.ts';
import { writeBackup } from '../platform/vault/backup.ts';
import { createFileWorker, type FileWorker } from '../platform/vault/file-worker.ts';
import { lockVault } from '../platform/vault/lock.ts';
import { restoreBackup, type UnlockRestored } from '../platform/vault/restore.ts';
import { keysUnder, readKeyFile, useVaultKeys } from '../platform/vault/unlock-vault.ts';
import { verifyVault, type Fault } from '../platform/vault/verify.ts';

/** Returns the exit code. */
type Command = (input: CommandInput) => Promise<number>;

/** The commands of `hearth COMMAND`. */
export const COMMANDS: Readonly<Record<CommandWord, Command>> = {
  import: async (input) => (await import('./import-command.ts')).importArchives(input),
  verify,
  backup,
  restore,
  doctor,
  vault: async (input) => (await import('./vault-command.ts')).runVault(input),
  ticker: async (input) => (await import('./ticker.ts')).runTicker(input),
  mcp: async ({ config, input }) => (await import('./mcp.ts')).serveMcp(config, input),
};

const FAULT_LABELS: Record<Fault['kind'], string> = {
  missing: 'the file is missing',
  changed: 'the content has changed',
  foreign: 'no document refers to this file',
  doubled: 'another file has the same content',
  lost_trash: 'the deleted file cannot be restored',
};

/** Compares the files of the vault with the database. */
function verify(command: CommandInput): Promise<number> {
  const { config, print } = command;
  return withDatabase(command, async (db) => {
    const { documents, files, bytes, faults, database } = await verifyVault(db, config['vault.path']);
    for (const fault of faults) print(`${fault.path}: ${FAULT_LABELS[fault.kind]}`);
    for (const message of database) print(`database: ${message}`);
    const count = faults.length + database.length;
    const verdict = count === 0 ? 'all intact' : `${count} problems`;
    print(`${documents} documents, ${files} files, ${bytes} bytes: ${verdict}.`);
    return count === 0 ? 0 : 1;
  });
}

/** Backs up to a file, or as a snapshot into a folder of backups. */
async function backup(command: CommandInput): Promise<number> {
  const { config, print } = command;
  const [target] = command.words;
  if (!target) throw new TypeError('Name the file to write, or a folder of backups.');
  const path = resolve(target);
  return withDatabase(command, (db) =>
    isSnapshotPath(path) ? backUpToFolder(db, config, path, print) : backUpToFile(db, config, path, print),
  );
}

async function backUpToFolder(
  db: Database,
  config: Config,
  folder: string,
  print: CommandInput['print'],
): Promise<number> {
  const { name, files, bytes } = await withFiles((worker) =>
    backUpInto({
      db,
      root: config['vault.path'],
      folder,
      clock: systemClock,
      ids: randomId,
      files: worker,
      secrets: createSecrets({ folder: configFolder(), keychain: null }),
    }),
  );
  print(`${name}: ${files} files, ${bytes} bytes, verified.`);
  return 0;
}

async function backUpToFile(
  db: Database,
  config: Config,
  target: string,
  print: CommandInput['print'],
): Promise<number> {
  const { files, bytes, missing } = await writeBackup({
    db,
    root: config['vault.path'],
    target,
    now: toTimestamp(systemClock.now()),
    uniqueName: randomId(),
  });
  for (const path of missing) print(`${path}: ${FAULT_LABELS.missing}`);
  print(`${files} files, ${bytes} bytes, verified.`);
  return missing.length === 0 ? 0 : 1;
}

/** Restores a backup file or a snapshot into the vault. */
async function restore(command: CommandInput): Promise<number> {
  const { config, flags, print } = command;
  const [file] = command.words;
  if (!file) throw new TypeError('Name the backup to restore.');
  const root = config['vault.path'];
  // Throws while the vault is in use.
  const unlock = existsSync(root) ? lockVault(root) : () => undefined;
  unlock();
  const path = resolve(file);
  const wasEncrypted = existsSync(root) && readKeyFile(root) !== null;
  const options = { root, replace: flags.replace, unlock: unlockRestored(command) };
  const { files, aside } = isSnapshotPath(path)
    ? await withFiles((worker) => restoreSnapshot({ ...options, path, ids: randomId, files: worker }))
    : await restoreBackup({ ...options, file: path, uniqueName: randomId().slice(0, 8) });
  if (wasEncrypted && readKeyFile(root) === null)
    print('This backup was made before the vault was encrypted, so the restored vault is not encrypted.');
  print(`${files} files restored into ${root}.${aside ? ` The previous vault was moved to ${aside}.` : ''}`);
  return 0;
}

/** Reports what works on this machine. */
async function doctor({ config, print }: CommandInput): Promise<number> {
  const root = config['vault.path'];
  print(`node ${process.version}`);
  print(`vault ${root}: ${existsSync(join(root, DATABASE_FILE)) ? 'found' : 'not created yet'}`);
  if (existsSync(root)) {
    const { bavail, bsize } = statfsSync(root);
    print(`free space ${Math.round((bavail * bsize) / 1e9)} GB`);
  }
  print(`built-in OCR: ${Object.keys(MODELS).join(', ')}`);
  print(`OCR with the tesseract program: ${describeTesseract(await installedModels())}`);
  for (const program of ['cloudflared', 'ssh'])
    print(`tunnels with ${program}: ${findProgram(program) ?? 'not installed'}`);
  return 0;
}

function describeTesseract(models: Awaited<ReturnType<typeof installedModels>>): string {
  if (models === null) return 'not installed';
  const languages = Object.entries(MODELS).filter(([, model]) => models.includes(model));
  return languages.map(([language]) => language).join(', ') || 'installed without these languages';
}

async function withDatabase<T>(command: CommandInput, work: (db: Database) => Promise<T>): Promise<T> {
  const { config } = command;
  const file = join(config['vault.path'], DATABASE_FILE);
  if (!existsSync(file)) throw new TypeError(`There is no vault in ${config['vault.path']}. Name one with --vault.`);
  await unlockFromFile(config['vault.path'], () => askSecret(command, 'Password of the vault: '));
  const db = openDatabase(file);
  return work(db).finally(() => db.close());
}

/** Asks for the password of an encrypted backup, or takes it from the file. */
const unlockRestored =
  (command: CommandInput): UnlockRestored =>
  async (folder, file) => {
    const secret = passwordInFile() ?? (await askSecret(command, 'Password of the backup: '));
    const keys = secret === null ? null : await keysUnder(file, secret);
    if (keys === null) throw new VaultLocked();
    useVaultKeys(folder, file, keys);
  };

function withFiles<T>(work: (files: FileWorker) => Promise<T>): Promise<T> {
  const files = createFileWorker(systemClock);
  return work(files).finally(() => files.close());
}
