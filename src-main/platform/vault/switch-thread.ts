import { parentPort, workerData } from 'node:worker_threads';
import { Failure, translateFsError } from '../kernel/errors.ts';
import type { PlainErrorCode } from '../../../src-shared/contract/errors.ts';
import { VaultInUse } from './lock.ts';
import type { SwitchMessage, SwitchTask } from './switch-messages.ts';
import { decryptVault, encryptVault, removeUnfinished, spaceFor, UnreadableFile } from './switch-vault.ts';

/** How often it says how far it is. */
const TELL_MS = 100;

const tell = (message: SwitchMessage): void => parentPort?.postMessage(message);

function run({ root, direction, file, keys }: SwitchTask): void {
  // It takes space that this run needs.
  removeUnfinished(root);
  const { free, needed } = spaceFor(root);
  if (free < needed) return tell({ failed: 'vault.switch_no_space' });
  let toldAt = 0;
  for (const progress of (direction === 'encrypt' ? encryptVault : decryptVault)(root, file, keys)) {
    const now = performance.now();
    if (now - toldAt < TELL_MS) continue;
    toldAt = now;
    tell(progress);
  }
}

function codeOf(raw: unknown): PlainErrorCode {
  if (raw instanceof UnreadableFile) return 'vault.file_unreadable';
  const error = translateFsError(raw);
  if (error instanceof Failure) return error.code as PlainErrorCode;
  return error instanceof VaultInUse ? 'vault.busy_elsewhere' : 'vault.switch_failed';
}

try {
  run(workerData as SwitchTask);
} catch (error) {
  tell({ failed: codeOf(error) });
}
