import { existsSync, statfsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { createReadStream } from 'node:fs';
import { backUpInto, isSnapshotPath, restoreSnapshot } from '../features/vault-backups/service.ts';
import type { Config } from '../platform/config/config.ts';
import { configFolder } from '../platform/config/load.ts';
import { DATABASE_FILE, startCore } from './core.ts';
import { openDatabase, type Database } from '../platform/database/connection.ts';
import type { Flags } from './flags.ts';
import { systemClock, toTimestamp } from '../platform/kernel/clock.ts';
import { Failure } from '../platform/kernel/errors.ts';
import { randomId } from '../platform/kernel/ids.ts';
import { installedModels } from '../reading/providers/ocr/tesseract-cli.ts';
import { MODELS } from '../reading/providers/ocr/ocr-words.ts';
import { createSecrets } from '../platform/secrets/service.ts';
import { writeBackup } from '../platform/vault/backup.ts';
import { createFileWorker, type FileWorker } from '../platform/vault/file-worker.ts';
import { lockVault } from '../platform/vault/lock.ts';
import { restoreBackup } from '../platform/vault/restore.ts';
import { verifyVault, type Fault } from '../platform/vault/verify.ts';

interface CommandInput {
  config: Config;
  flags: Flags;
  words: string[];
  say(line: string): void;
}
/** Returns the exit code. */
type Command = (input: CommandInput) => Promise<number>;

function whyNotImported(error: unknown): string {
  if (error instanceof Failure) return error.detail;
  return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'There is no such file.' : 'It could not be imported.';
}

const FAULTS: Record<Fault['kind'], string> = {
  missing: 'the file is missing',
  changed: 'the file has other bytes than were stored',
  foreign: 'no document knows this file',
  doubled: 'the same content twice',
  lost_trash: 'a deleted file cannot come back',
};

function withDatabase<T>(config: Config, work: (db: Database) => Promise<T>): Promise<T> {
  const file = join(config['vault.path'], DATABASE_FILE);
  if (!existsSync(file)) throw new TypeError(`There is no vault in ${config['vault.path']}. Name one with --vault.`);
  const db = openDatabase(file);
  return work(db).finally(() => db.close());
}

function withFiles<T>(work: (files: FileWorker) => Promise<T>): Promise<T> {
  const files = createFileWorker(systemClock);
  return work(files).finally(() => files.close());
}

export const COMMANDS: Record<string, Command> = {
  /** Imports files into a patient's record and waits until they are read. */
  async import({ config, flags, words, say }) {
    if (words.length === 0) throw new TypeError('Name the files to import.');
    const core = await startCore({
      config: { ...config, 'http.port': 0, 'phone_backups.port': 0, 'pipeline.watch_enabled': false },
    });
    try {
      const patient = core.patients.bySlug(flags.patient ?? '');
      if (!patient)
        throw new TypeError(
          `There is no patient “${flags.patient ?? ''}”. Name one of these with --patient: ${core.patients.slugs().join(', ')}.`,
        );
      let failed = 0;
      for (const word of words) {
        const path = resolve(word);
        try {
          const result = await core.documents.importFile(createReadStream(path), basename(path), patient.id);
          say(`${basename(path)}: ${result.message}`);
        } catch (error) {
          failed += 1;
          say(`${basename(path)}: ${whyNotImported(error)}`);
        }
      }
      await core.pipeline.idle();
      return failed > 0 ? 1 : 0;
    } finally {
      await core.stop();
    }
  },

  verify: ({ config, say }) =>
    withDatabase(config, async (db) => {
      const { documents, files, bytes, faults, database } = await verifyVault(db, config['vault.path']);
      for (const fault of faults) say(`${fault.path}: ${FAULTS[fault.kind]}`);
      for (const message of database) say(`the database: ${message}`);
      const count = faults.length + database.length;
      say(`${documents} documents, ${files} files, ${bytes} bytes: ${count === 0 ? 'all whole' : `${count} faults`}.`);
      return count === 0 ? 0 : 1;
    }),

  async backup({ config, words: [target], say }) {
    if (!target) throw new TypeError('Name the file to write, or a folder of backups.');
    return withDatabase(config, async (db) => {
      if (isSnapshotPath(resolve(target))) {
        const { name, files, bytes } = await withFiles((worker) =>
          backUpInto({
            db,
            root: config['vault.path'],
            folder: resolve(target),
            clock: systemClock,
            ids: randomId,
            files: worker,
            secrets: createSecrets({ folder: configFolder(), keychain: null }),
          }),
        );
        say(`${name}: ${files} files, ${bytes} bytes, read back and whole.`);
        return 0;
      }
      const { files, bytes, missing } = await writeBackup({
        db,
        root: config['vault.path'],
        target: resolve(target),
        now: toTimestamp(systemClock.now()),
        uniqueName: randomId(),
      });
      for (const path of missing) say(`${path}: ${FAULTS.missing}`);
      say(`${files} files, ${bytes} bytes, read back and whole.`);
      return missing.length === 0 ? 0 : 1;
    });
  },

  async restore({ config, flags, words: [file], say }) {
    if (!file) throw new TypeError('Name the backup to restore.');
    const root = config['vault.path'];
    const unlock = existsSync(root) ? lockVault(root) : () => undefined;
    unlock();
    const path = resolve(file);
    const { files, aside } = isSnapshotPath(path)
      ? await withFiles((worker) =>
          restoreSnapshot({ path, root, replace: flags.replace, ids: randomId, files: worker }),
        )
      : await restoreBackup({ file: path, root, replace: flags.replace, uniqueName: randomId().slice(0, 8) });
    say(`${files} files restored into ${root}.${aside ? ` The vault of before lies in ${aside}.` : ''}`);
    return 0;
  },

  /** Reports what works on this machine. */
  async doctor({ config, say }) {
    const models = await installedModels();
    const root = config['vault.path'];
    say(`node ${process.version}`);
    say(`vault ${root}: ${existsSync(join(root, DATABASE_FILE)) ? 'there' : 'not made yet'}`);
    if (existsSync(root)) {
      const { bavail, bsize } = statfsSync(root);
      say(`free space ${Math.round((bavail * bsize) / 1e9)} GB`);
    }
    say(`OCR built in: ${Object.keys(MODELS).join(', ')}`);
    say(
      `OCR by the tesseract program: ${
        models === null
          ? 'not installed'
          : Object.entries(MODELS)
              .filter(([, model]) => models.includes(model))
              .map(([language]) => language)
              .join(', ') || 'without our languages'
      }`,
    );
    return 0;
  },
};
