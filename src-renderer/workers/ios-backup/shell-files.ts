import type { BackupFiles } from '../../../src-shared/ios-backup/index.ts';

/** What goes over the port to the page, which asks the desktop shell. */
export interface ShellQuestion { id: number; call: 'list' | 'size' | 'readRange'; args: readonly (string | number)[] }
export interface ShellAnswer { id: number; value?: unknown; error?: string }

/** Files of a folder that the desktop shell found: it reads them, and only them, for this worker. */
export function shellFiles(port: MessagePort): BackupFiles {
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  let last = 0;
  port.onmessage = ({ data }: MessageEvent<ShellAnswer>) => {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.error === undefined) asked?.resolve(data.value as never);
    else asked?.reject(new Error(data.error));
  };
  const ask = <T>(call: ShellQuestion['call'], ...args: (string | number)[]): Promise<T> => new Promise((resolve, reject) => {
    last += 1;
    waiting.set(last, { resolve, reject });
    port.postMessage({ id: last, call, args } satisfies ShellQuestion);
  });
  return { list: (folder) => ask('list', folder), size: (path) => ask('size', path), readRange: (path, start, end) => ask('readRange', path, start, end) };
}
