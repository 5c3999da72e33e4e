import { parentPort } from 'node:worker_threads';
import type { IntegrityChecker } from '../../../src-shared/ios-backup/artifacts/integrity-check.ts';
import { openBackup, type UnlockedBackup } from '../../../src-shared/ios-backup/index.ts';
import { Failure, fail, translateFsError } from '../../platform/kernel/errors.ts';
import { nodeCrypto } from './adapters/crypto.ts';
import { threadBackupFiles } from './adapters/files.ts';
import { nodeSqlite } from './adapters/sqlite.ts';
import { asFailure } from './failures.ts';
import { BEAT_MS } from './beat.ts';
import type { CallName, FromThread, ThreadCalls, ToThread } from './thread-requests.ts';

/**
 * Thread of one open backup, in a process of its own. Its keys, its manifest and its decrypted pages exist only here.
 * Key derivation, listing, decryption and indexing run in this thread, so that they do not block the service.
 */
const port = parentPort;
if (!port) throw new Error('This script runs in a worker thread.');

let folder = '';
let backup: UnlockedBackup | null = null;
let integrity: IntegrityChecker | null = null;
const cancelled = new Set<number>();

const requireOpen = (): UnlockedBackup => {
  if (!backup || backup.locked) throw fail('phone.session_invalid');
  return backup;
};

/** Loads the integrity check on demand: most backups are only browsed. */
async function integrityChecker(unlocked: UnlockedBackup): Promise<IntegrityChecker> {
  const { createIntegrityCheck } = await import('../../../src-shared/ios-backup/artifacts/integrity-check.ts');
  integrity ??= createIntegrityCheck(unlocked);
  return integrity;
}

const HANDLERS: {
  [K in CallName]: (request: ThreadCalls[K]['request'], id: number) => Promise<ThreadCalls[K]['reply']>;
} = {
  async open({ folder: backupFolder, sandbox, password }) {
    folder = backupFolder;
    const locked = await openBackup({
      files: threadBackupFiles(folder),
      sqlite: nodeSqlite(sandbox),
      crypto: nodeCrypto,
    });
    backup = await locked.unlock(password);
    return { entries: backup.entryCount };
  },
  entries: (query) => requireOpen().entries(query),
  domains: async () => requireOpen().domains(),
  async entry({ fileId }) {
    const [entry, content] = [await requireOpen().entry(fileId), await requireOpen().content(fileId)];
    return { ...entry, contentSize: content.size };
  },
  async range({ fileId, start, end }) {
    return (await requireOpen().content(fileId)).read(start, end);
  },
  async integrity({ action }) {
    return (await integrityChecker(requireOpen()))[action]();
  },
  async integrityFindings(query) {
    return (await integrityChecker(requireOpen())).findings(query);
  },
  async contactPicture({ identifier }) {
    const [{ contactPicture }, { artifactSource }] = await Promise.all([
      import('../../../src-shared/ios-backup/artifacts/contact-picture.ts'),
      import('../../../src-shared/ios-backup/artifacts/backup-source.ts'),
    ]);
    return contactPicture(artifactSource(requireOpen(), threadBackupFiles(folder)), identifier);
  },
  async index({ file, artifacts }, id) {
    // Loaded on demand: most backups are only browsed.
    const [{ indexArtifacts }, { artifactSource }] = await Promise.all([
      import('./index-job.ts'),
      import('../../../src-shared/ios-backup/artifacts/backup-source.ts'),
    ]);
    await indexArtifacts({
      source: artifactSource(requireOpen(), threadBackupFiles(folder)),
      file,
      artifacts,
      isCancelled: () => cancelled.has(id) || backup?.locked !== false,
      progress: (progress) => port.postMessage({ id, progress } satisfies FromThread),
    });
    return undefined;
  },
  async lock() {
    await backup?.lock();
    return undefined;
  },
};

setInterval(() => port.postMessage({ isAlive: true } satisfies FromThread), BEAT_MS);

port.on('message', async (message: ToThread) => {
  if ('cancel' in message) return void cancelled.add(message.cancel);
  const { id, call, request } = message;
  try {
    const reply = await (HANDLERS[call] as (request: unknown, id: number) => Promise<unknown>)(request, id);
    // Transfers a separate buffer; one in Node's shared pool is copied.
    const transfer =
      reply instanceof Uint8Array && reply.byteLength === reply.buffer.byteLength ? [reply.buffer as ArrayBuffer] : [];
    port.postMessage({ id, ok: true, reply } satisfies FromThread, transfer);
  } catch (raw) {
    const error = asFailure(translateFsError(raw));
    port.postMessage({
      id,
      ok: false,
      code: error instanceof Failure ? error.code : null,
      params: error instanceof Failure ? error.params : {},
      message: error instanceof Error ? error.message : String(error),
    } satisfies FromThread);
  } finally {
    cancelled.delete(id);
  }
});
