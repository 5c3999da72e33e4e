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

/** Maximum number of concurrent reads: what they read stays in memory until it is sent. */
const AT_ONCE = 4;
/** Error codes of files that are gone, locked, or on a disconnected disk. */
const UNREADABLE = new Set(['ENOENT', 'EACCES', 'EPERM', 'EIO', 'EBUSY', 'ENODEV', 'ENXIO']);

/**
 * Answers the page's requests about one folder until either end closes the port. Returns the function that closes it.
 */
export function serveFiles(port: Port, files: BackupFiles): () => void {
  const waiting: unknown[] = [];
  let working = 0,
    isOpen = true;
  const work = async (data: unknown): Promise<void> => {
    const said = await answer(data, files);
    if (isOpen && said) port.postMessage(said);
    // The data was cloned, so the next range can reuse the memory.
    if (said && 'value' in said && said.value instanceof Uint8Array) files.release?.(said.value);
  };
  const next = (): void => {
    while (isOpen && working < AT_ONCE && waiting.length > 0) {
      working += 1;
      void work(waiting.shift()).finally(() => {
        working -= 1;
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

/** Null when the request has no number to reply to. */
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
        return { value: alone(fileReplies.readRange.parse(await files.readRange(...args)), files) };
    }
  } catch (error) {
    return { error: UNREADABLE.has((error as NodeJS.ErrnoException).code ?? '') ? 'unreadable' : 'fault' };
  }
}

/** Cloning a view clones its whole buffer: a larger, reused buffer must be cut to these bytes. */
function alone(bytes: Uint8Array, files: BackupFiles): Uint8Array {
  if (bytes.byteLength === bytes.buffer.byteLength) return bytes;
  const own = bytes.slice();
  files.release?.(bytes);
  return own;
}
