import type { ByteSource } from '../ports.ts';

/** SQLite reads pages of 4 KiB, often adjacent: one window is one read and one decryption. */
const WINDOW = 64 * 1024,
  WINDOWS = 64;

/** A source that caches its latest windows in memory until `wipe` overwrites them. */
export interface CachedSource extends ByteSource {
  wipe(): void;
}

export function cachedSource(source: ByteSource): CachedSource {
  const windows = new Map<number, Promise<Uint8Array>>();
  let wiped = false;
  const load = (number: number): Promise<Uint8Array> => {
    const known = windows.get(number);
    windows.delete(number);
    const window = known ?? source.read(number * WINDOW, Math.min(source.size, (number + 1) * WINDOW));
    window.catch(() => windows.delete(number));
    windows.set(number, window);
    const oldest = windows.size > WINDOWS ? windows.keys().next().value : undefined;
    if (oldest !== undefined) drop(oldest);
    return window;
  };
  const drop = (number: number): void => {
    void windows.get(number)?.then(
      (bytes) => bytes.fill(0),
      () => undefined,
    );
    windows.delete(number);
  };
  return {
    size: source.size,
    async read(start, end) {
      if (end - start >= WINDOW * 2 || wiped) return source.read(start, end);
      const out = new Uint8Array(end - start);
      for (let at = start; at < end;) {
        const number = Math.floor(at / WINDOW),
          bytes = await load(number),
          from = at - number * WINDOW;
        const part = bytes.subarray(from, Math.min(bytes.length, end - number * WINDOW));
        out.set(part, at - start);
        at += part.length;
        if (part.length === 0) throw new RangeError('read past the end');
      }
      return out;
    },
    wipe() {
      wiped = true;
      for (const number of [...windows.keys()]) drop(number);
    },
  };
}
