/** Keeps the pictures that were asked for last, up to a number of bytes. */
export interface FrameCache {
  /**
   * Returns the picture of this key, or makes it: once for all who ask at the same time. The signal of `make` is aborted
   * when all of them have gone. @throws as `make`, and the reason of `signal`
   */
  get(key: string, make: (signal: AbortSignal) => Promise<Buffer>, signal?: AbortSignal): Promise<Buffer>;
}

interface Making {
  picture: Promise<Buffer>;
  waiting: number;
  abort: AbortController;
}

export function createFrameCache(maxBytes: number): FrameCache {
  // In the order of their last use.
  const pictures = new Map<string, Buffer>();
  const makings = new Map<string, Making>();
  let bytes = 0;
  function drop(key: string): void {
    bytes -= pictures.get(key)?.length ?? 0;
    pictures.delete(key);
  }
  function keep(key: string, picture: Buffer): void {
    drop(key);
    pictures.set(key, picture);
    bytes += picture.length;
    for (const oldest of pictures.keys()) {
      if (bytes <= maxBytes) return;
      drop(oldest);
    }
  }
  function begin(key: string, make: (signal: AbortSignal) => Promise<Buffer>): Making {
    const abort = new AbortController();
    const picture = make(abort.signal).finally(() => {
      if (makings.get(key) === making) makings.delete(key);
    });
    const making = { picture, waiting: 0, abort };
    makings.set(key, making);
    return making;
  }
  async function join(key: string, making: Making, signal: AbortSignal | undefined): Promise<Buffer> {
    making.waiting += 1;
    const joined = new AbortController();
    const gone = new Promise<never>((_, reject) => {
      const leave = (): void => {
        reject(signal?.reason as Error);
        making.waiting -= 1;
        if (making.waiting > 0) return;
        // Who asks from now on begins anew.
        if (makings.get(key) === making) makings.delete(key);
        making.abort.abort(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true, signal: joined.signal });
    });
    try {
      return await Promise.race([making.picture, gone]);
    } finally {
      joined.abort();
    }
  }
  return {
    async get(key, make, signal) {
      signal?.throwIfAborted();
      const picture = pictures.get(key) ?? (await join(key, makings.get(key) ?? begin(key, make), signal));
      // One picture may not drop all others.
      if (picture.length <= maxBytes / 4) keep(key, picture);
      return picture;
    },
  };
}
