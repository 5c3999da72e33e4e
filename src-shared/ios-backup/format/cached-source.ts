import type { ByteSource } from '../ports.ts';

/** SQLite reads pages of 4 KiB, often adjacent: one window is one read and one decryption. */
const WINDOW_BYTES = 64 * 1024,
  MAX_WINDOWS = 64;

/** A source that caches the most recently used windows until `wipe` overwrites them. */
export interface CachedSource extends ByteSource {
  wipe(): void;
}

/** Adds a cache to a source. */
export function cachedSource(source: ByteSource): CachedSource {
  const windows = new Map<number, Promise<Uint8Array>>();
  let isWiped = false;
  const loadWindow = (number: number): Promise<Uint8Array> => {
    const cachedWindow = windows.get(number);
    windows.delete(number);
    const window =
      cachedWindow ?? source.read(number * WINDOW_BYTES, Math.min(source.size, (number + 1) * WINDOW_BYTES));
    window.catch(() => windows.delete(number));
    windows.set(number, window);
    const oldest = windows.size > MAX_WINDOWS ? windows.keys().next().value : undefined;
    if (oldest !== undefined) wipeWindow(oldest);
    return window;
  };
  const wipeWindow = (number: number): void => {
    void windows.get(number)?.then(
      (bytes) => bytes.fill(0),
      () => undefined,
    );
    windows.delete(number);
  };
  return {
    size: source.size,
    async read(start, end) {
      if (end - start >= WINDOW_BYTES * 2) return source.read(start, end);
      const out = new Uint8Array(end - start);
      for (let at = start; at < end;) {
        if (isWiped) {
          // A window that is loaded after `wipe` would never be overwritten.
          out.set(await source.read(at, end), at - start);
          return out;
        }
        const number = Math.floor(at / WINDOW_BYTES),
          bytes = await loadWindow(number),
          from = at - number * WINDOW_BYTES;
        const part = bytes.subarray(from, Math.min(bytes.length, end - number * WINDOW_BYTES));
        out.set(part, at - start);
        at += part.length;
        if (part.length === 0) throw new RangeError('read past the end');
      }
      return out;
    },
    wipe() {
      isWiped = true;
      for (const number of [...windows.keys()]) wipeWindow(number);
    },
  };
}
