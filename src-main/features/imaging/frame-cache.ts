/** Keeps the pictures that were asked for last, up to a number of bytes. */
export interface FrameCache {
  /** Returns the picture of this key, or makes it. */
  get(key: string, make: () => Promise<Buffer>): Promise<Buffer>;
}

export function createFrameCache(maxBytes: number): FrameCache {
  // In the order of their last use.
  const pictures = new Map<string, Buffer>();
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
  return {
    async get(key, make) {
      const picture = pictures.get(key) ?? (await make());
      // One picture may not drop all others.
      if (picture.length <= maxBytes / 4) keep(key, picture);
      return picture;
    },
  };
}
