import {
  CLOSED_MESSAGE_ID,
  fileQuestion,
  fileReplies,
  isListed,
  type BridgeAnswer,
  type FileAnswer,
  type FileQuestion,
} from '../../../src-shared/contract/bridge.ts';
import type { BackupFiles } from '../../../src-shared/ios-backup/index.ts';

/** One end of a channel to the page, shaped like Electron's `MessagePortMain`. */
export interface Port {
  on(event: 'message', listener: (message: { data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  start(): void;
  close(): void;
  postMessage(message: unknown): void;
}

/** Limits memory, because data stays there until it is sent. */
const MAX_CONCURRENT_READS = 4;
/** Error codes of files that are gone, locked, or on a disconnected disk. */
const UNREADABLE = new Set(['ENOENT', 'EACCES', 'EPERM', 'EIO', 'EBUSY', 'ENODEV', 'ENXIO']);

/** Serves the page's requests for one folder until either end closes the port. Returns the function that closes it. */
export function serveFiles(port: Port, files: BackupFiles): () => void {
  const waiting: unknown[] = [];
  let running = 0,
    isOpen = true;
  const work = async (data: unknown): Promise<void> => {
    const reply = await answer(data, files);
    if (isOpen && reply) port.postMessage(reply);
    // The data was cloned, so the next range can reuse the memory.
    if (reply && 'value' in reply && reply.value instanceof Uint8Array) files.release?.(reply.value);
  };
  const next = (): void => {
    while (isOpen && running < MAX_CONCURRENT_READS && waiting.length > 0) {
      running += 1;
      void work(waiting.shift()).finally(() => {
        running -= 1;
        next();
      });
    }
  };
  port.on('message', ({ data }) => {
    waiting.push(data);
    next();
  });
  port.on('close', () => {
    isOpen = false;
  });
  port.start();
  return () => {
    isOpen = false;
    waiting.length = 0;
    closePort(port);
  };
}

/** Sends a last message first: a browser does not notify a page when the other end of a port is closed. */
export function closePort(port: Port): void {
  port.postMessage({ id: CLOSED_MESSAGE_ID, error: 'forbidden' } satisfies FileAnswer);
  port.close();
}

/** Serves one request; null if it has no id to reply to. */
async function answer(data: unknown, files: BackupFiles): Promise<FileAnswer | null> {
  const parsed = fileQuestion.safeParse(data);
  if (parsed.success) return { id: parsed.data.id, ...(await read(parsed.data, files)) };
  const id = (data as { id?: unknown } | null)?.id;
  return Number.isSafeInteger(id) ? { id: id as number, error: 'malformed' } : null;
}

async function read({ call, args }: FileQuestion, files: BackupFiles): Promise<BridgeAnswer> {
  try {
    switch (call) {
      case 'list':
        return { value: fileReplies.list.parse((await files.list(args[0])).filter(({ name }) => isListed(name))) };
      case 'size':
        return { value: fileReplies.size.parse(await files.size(args[0])) };
      case 'readRange':
        return { value: ownBuffer(fileReplies.readRange.parse(await files.readRange(...args)), files) };
    }
  } catch (error) {
    return { error: UNREADABLE.has((error as NodeJS.ErrnoException).code ?? '') ? 'unreadable' : 'fault' };
  }
}

/** Copies a view out of a larger, reused buffer, because posting a view clones its whole buffer. */
function ownBuffer(bytes: Uint8Array, files: BackupFiles): Uint8Array {
  if (bytes.byteLength === bytes.buffer.byteLength) return bytes;
  const copy = bytes.slice();
  files.release?.(bytes);
  return copy;
}
