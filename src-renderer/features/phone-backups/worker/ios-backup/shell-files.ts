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
interface Waiting {
  resolve: (value: never) => void;
  reject: (error: Error) => void;
}
/** Pieces of a large range requested ahead. */
const AHEAD = 2;

/**
 * Reads files of one folder through the desktop shell. When the shell closes the port, the backup is locked and
 * `closed` is called.
 */
export function shellFiles(port: MessagePort, closed: () => void): BackupFiles {
  const waiting = new Map<number, Waiting>();
  let last = 0,
    isClosed = false;
  const close = (): void => {
    isClosed = true;
    for (const { reject } of waiting.values()) reject(new BackupError('locked'));
    waiting.clear();
    closed();
  };
  port.onmessage = ({ data }: MessageEvent<FileAnswer>) => {
    if (data.id === CLOSED_MESSAGE_ID) return close();
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if ('value' in data) asked?.resolve(data.value as never);
    else
      asked?.reject(
        data.error === 'unreadable'
          ? new DOMException('The shell cannot read this file.', 'NotReadableError')
          : new Error(`The shell answered ${data.error}.`),
      );
  };
  const ask = <K extends Call>(
    call: K,
    ...args: Extract<FileQuestion, { call: K }>['args']
  ): Promise<z.output<(typeof fileReplies)[K]>> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(new BackupError('locked'));
      last += 1;
      waiting.set(last, { resolve, reject });
      port.postMessage({ id: last, call, args });
    });

  async function readRange(path: string, start: number, end: number): Promise<Uint8Array> {
    if (end - start <= MAX_RANGE_BYTES) return ask('readRange', path, start, end);
    const size = await ask('size', path);
    const whole = new Uint8Array(Math.max(0, Math.min(end, size ?? 0) - start));
    for (let done = 0; done < whole.length; done += AHEAD * MAX_RANGE_BYTES) {
      const at = Array.from({ length: AHEAD }, (_, piece) => done + piece * MAX_RANGE_BYTES).filter(
        (from) => from < whole.length,
      );
      const pieces = await Promise.all(
        at.map((from) => ask('readRange', path, start + from, start + Math.min(whole.length, from + MAX_RANGE_BYTES))),
      );
      pieces.forEach((piece, index) => whole.set(piece, at[index]));
      if (pieces.some((piece, index) => piece.length < Math.min(MAX_RANGE_BYTES, whole.length - (at[index] ?? 0))))
        throw new BackupError('damaged_file', { reason: 'the file in the backup became shorter' });
    }
    return whole;
  }
  return { list: (folder) => ask('list', folder), size: (path) => ask('size', path), readRange };
}
