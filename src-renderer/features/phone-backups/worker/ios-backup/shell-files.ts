import {
  CLOSED_MESSAGE_ID,
  MAX_RANGE_BYTES,
  type FileAnswer,
  type FileQuestion,
  type fileReplies,
} from '../../../../../src-shared/contract/bridge.ts';
import { BackupError, type BackupFiles } from '../../../../../src-shared/ios-backup/index.ts';
import type { z } from 'zod';

type Call = FileQuestion['call'];
interface PendingCall {
  resolve: (value: never) => void;
  reject: (error: Error) => void;
}
/** Parts of a large range that are requested at the same time. */
const MAX_PARALLEL_PARTS = 2;

/**
 * Reads files of one folder through the desktop shell. When the shell closes the port, the backup is locked and
 * `onClosed` is called.
 */
export function shellFiles(port: MessagePort, onClosed: () => void): BackupFiles {
  const pending = new Map<number, PendingCall>();
  let lastId = 0;
  let isClosed = false;
  const close = (): void => {
    isClosed = true;
    for (const { reject } of pending.values()) reject(new BackupError('locked'));
    pending.clear();
    onClosed();
  };
  port.onmessage = ({ data }: MessageEvent<FileAnswer>) => {
    if (data.id === CLOSED_MESSAGE_ID) return close();
    const request = pending.get(data.id);
    pending.delete(data.id);
    if ('value' in data) request?.resolve(data.value as never);
    else
      request?.reject(
        data.error === 'unreadable'
          ? new DOMException('The shell cannot read this file.', 'NotReadableError')
          : new Error(`The shell answered ${data.error}.`),
      );
  };
  const request = <K extends Call>(
    call: K,
    ...args: Extract<FileQuestion, { call: K }>['args']
  ): Promise<z.output<(typeof fileReplies)[K]>> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(new BackupError('locked'));
      lastId += 1;
      pending.set(lastId, { resolve, reject });
      port.postMessage({ id: lastId, call, args });
    });

  async function readRange(path: string, start: number, end: number): Promise<Uint8Array> {
    if (end - start <= MAX_RANGE_BYTES) return request('readRange', path, start, end);
    const size = await request('size', path);
    const whole = new Uint8Array(Math.max(0, Math.min(end, size ?? 0) - start));
    for (let done = 0; done < whole.length; done += MAX_PARALLEL_PARTS * MAX_RANGE_BYTES) {
      const at = Array.from({ length: MAX_PARALLEL_PARTS }, (_, piece) => done + piece * MAX_RANGE_BYTES).filter(
        (from) => from < whole.length,
      );
      const pieces = await Promise.all(
        at.map((from) =>
          request('readRange', path, start + from, start + Math.min(whole.length, from + MAX_RANGE_BYTES)),
        ),
      );
      pieces.forEach((piece, index) => whole.set(piece, at[index]));
      if (pieces.some((piece, index) => piece.length < Math.min(MAX_RANGE_BYTES, whole.length - (at[index] ?? 0))))
        throw new BackupError('damaged_file', { reason: 'the file in the backup became shorter' });
    }
    return whole;
  }
  return { list: (folder) => request('list', folder), size: (path) => request('size', path), readRange };
}
