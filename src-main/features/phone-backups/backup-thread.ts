import { open } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import type { IntegrityChecker } from '../../../src-shared/ios-backup/artifacts/integrity-check.ts';
import { openBackup, type UnlockedBackup } from '../../../src-shared/ios-backup/index.ts';
import { Failure, fail, translateFsError } from '../../platform/kernel/errors.ts';
import { nodeCrypto } from './adapters/crypto.ts';
import { threadBackupFiles } from './adapters/files.ts';
import { nodeSqlite } from './adapters/sqlite.ts';
import { asFailure } from './failures.ts';
import type { CallName, FromThread, ThreadCalls, ToThread } from './thread-requests.ts';

/**
 * One open backup: its keys, its manifest and its decrypted pages live in this thread and end with it. Derivation, listing, decryption
 * and indexing take their turns here, so that none of them holds up the service.
 */
const port = parentPort;
if (!port) throw new Error('This script runs in a worker thread.');

let folder = '';
let backup: UnlockedBackup | null = null;
let integrity: IntegrityChecker | null = null;
const cancelled = new Set<number>();

const opened = (): UnlockedBackup => {
  if (!backup || backup.locked) throw fail('phone.session_invalid');
  return backup;
};

/** Most open backups are only looked at: the check is loaded when one is asked for. */
async function checkOf(open_: UnlockedBackup): Promise<IntegrityChecker> {
  const { createIntegrityCheck } = await import('../../../src-shared/ios-backup/artifacts/integrity-check.ts');
  integrity ??= createIntegrityCheck(open_);
  return integrity;
}

const HANDLERS: { [K in CallName]: (ask: ThreadCalls[K]['ask'], id: number) => Promise<ThreadCalls[K]['answer']> } = {
  async open(ask) {
    folder = ask.folder;
    const found = await openBackup({
      files: threadBackupFiles(folder),
      sqlite: nodeSqlite(ask.sandbox),
      crypto: nodeCrypto,
    });
    backup = await found.unlock(ask.passphrase);
    return { entries: backup.entryCount };
  },
  entries: (ask) => opened().entries(ask),
  domains: async () => opened().domains(),
  async entry({ fileId }) {
    const [entry, content] = [await opened().entry(fileId), await opened().content(fileId)];
    return { ...entry, contentSize: content.size };
  },
  async range({ fileId, start, end }) {
    return (await opened().content(fileId)).read(start, end);
  },
  async extract({ fileId, path }, id) {
    const content = await opened().content(fileId);
    const file = await open(path, 'wx', 0o600);
    try {
      for await (const piece of content.stream()) {
        if (cancelled.has(id)) throw fail('request.aborted');
        await file.writeFile(piece);
      }
    } finally {
      await file.close();
    }
    return { size: content.size };
  },
  async integrity({ act }) {
    return (await checkOf(opened()))[act]();
  },
  async integrityFindings(ask) {
    return (await checkOf(opened())).findings(ask);
  },
  async contactPicture({ identifier }) {
    const [{ contactPicture }, { artifactSource }] = await Promise.all([
      import('../../../src-shared/ios-backup/artifacts/contact-picture.ts'),
      import('../../../src-shared/ios-backup/artifacts/backup-source.ts'),
    ]);
    return contactPicture(artifactSource(opened(), threadBackupFiles(folder)), identifier);
  },
  async index({ file, artifacts }, id) {
    // Most open backups are only looked at; what indexing needs is loaded when it is.
    const [{ indexArtifacts }, { artifactSource }] = await Promise.all([
      import('./index-job.ts'),
      import('../../../src-shared/ios-backup/artifacts/backup-source.ts'),
    ]);
    await indexArtifacts({
      source: artifactSource(opened(), threadBackupFiles(folder)),
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

port.on('message', async (message: ToThread) => {
  if ('cancel' in message) return void cancelled.add(message.cancel);
  const { id, call, ask } = message;
  try {
    const answer = await (HANDLERS[call] as (ask: unknown, id: number) => Promise<unknown>)(ask, id);
    // Bytes of our own move; those that a buffer of Node shares are copied.
    const moved =
      answer instanceof Uint8Array && answer.byteLength === answer.buffer.byteLength
        ? [answer.buffer as ArrayBuffer]
        : [];
    port.postMessage({ id, ok: true, answer } satisfies FromThread, moved);
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
