import { BackupWorker, toErrorMessage } from './ios-backup/backup-worker.ts';
import type { FromWorker, ToWorker } from './ios-backup/protocol.ts';

/** Worker that reads phone backups in the browser. Keys and decrypted bytes exist only in its memory. */
const send = (message: FromWorker, transfer: Transferable[] = []): void => {
  (self as unknown as Worker).postMessage(message, transfer);
};
const worker = new BackupWorker(send);

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if ('cancel' in data) return worker.cancel(data.cancel);
  void worker.handle(data).then(
    (value) => send({ id: data.id, value }, value instanceof Uint8Array ? [value.buffer] : []),
    (cause: unknown) => send({ id: data.id, error: toErrorMessage(cause) }),
  );
});
