import { describe, expect, it } from 'vitest';
import { blobSource, streamable } from './content.ts';
import type { BackupFiles } from './ports.ts';

const SIZE = 5 * 1024 * 1024 + 123;
const whole = Uint8Array.from({ length: SIZE }, (_, i) => (i * 31) % 253);

/** A folder with one file; counts how it is opened, read and closed. */
function folder(fails: (start: number) => boolean = () => false): {
  files: BackupFiles;
  counts: { held: number; closed: number; alone: number };
} {
  const counts = { held: 0, closed: 0, alone: 0 };
  const readRange = async (start: number, end: number): Promise<Uint8Array> => {
    await new Promise((resolve) => setTimeout(resolve, start % 3));
    if (fails(start)) throw new Error('the disk is broken');
    return whole.slice(start, end);
  };
  return {
    counts,
    files: {
      list: async () => [],
      size: async () => SIZE,
      readRange: (_, start, end) => {
        counts.alone += 1;
        return readRange(start, end);
      },
      async hold() {
        counts.held += 1;
        return {
          readRange,
          close: async () => {
            counts.closed += 1;
          },
        };
      },
    },
  };
}

describe('a stream of a file of the backup', () => {
  it('opens the file once, gives its bytes in order, and closes it', async () => {
    const { files, counts } = folder(),
      content = streamable(await blobSource(files, 'ab/file')),
      pieces: Uint8Array[] = [];
    for await (const piece of content.stream(17)) pieces.push(piece);
    expect(Buffer.concat(pieces).equals(whole.subarray(17))).toBe(true);
    expect(counts).toEqual({ held: 1, closed: 1, alone: 0 });
    expect(Buffer.from(await content.read(5, 10)).equals(whole.subarray(5, 10))).toBe(true);
    expect(counts.alone).toBe(1);
  });

  it('closes it where nobody reads to the end, and where reading fails', async () => {
    const early = folder();
    for await (const piece of streamable(await blobSource(early.files, 'ab/file')).stream())
      if (piece.length > 0) break;
    expect(early.counts).toEqual({ held: 1, closed: 1, alone: 0 });
    const broken = folder((start) => start > 2_000_000);
    await expect(
      (async () => {
        for await (const _ of streamable(await blobSource(broken.files, 'ab/file')).stream());
      })(),
    ).rejects.toThrow('the disk is broken');
    expect(broken.counts).toEqual({ held: 1, closed: 1, alone: 0 });
  });

  it('reads piece by piece where a platform holds nothing open', async () => {
    const { files, counts } = folder(),
      { hold: _, ...plain } = files,
      pieces: Uint8Array[] = [];
    for await (const piece of streamable(await blobSource(plain, 'ab/file')).stream()) pieces.push(piece);
    expect(Buffer.concat(pieces).equals(whole)).toBe(true);
    expect(counts).toMatchObject({ held: 0, alone: 6 });
  });
});
