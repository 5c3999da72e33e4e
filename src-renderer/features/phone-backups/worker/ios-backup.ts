import { Desk } from './ios-backup/backup-worker.ts';
import type { Reported, Told } from './ios-backup/protocol.ts';

/** Reads phone backups in the browser: keys and decrypted bytes live in this worker only, and go with it. */
const send = (message: Reported, transfer: Transferable[] = []): void => {
  (self as unknown as Worker).postMessage(message, transfer);
};
const desk = new Desk(send);

self.addEventListener('message', ({ data }: MessageEvent<Told>) => {
  if ('cancel' in data) return desk.cancel(data.cancel);
  void desk.answer(data).then(
    (value) => send({ id: data.id, value }, value instanceof Uint8Array ? [value.buffer] : []),
    (cause: unknown) => send({ id: data.id, error: Desk.wire(cause) }),
  );
});
