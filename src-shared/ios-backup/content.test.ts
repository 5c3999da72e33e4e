import { describe, expect, it } from 'vitest';
import { blobSource, toContent } from './content.ts';
import type { BackupFiles } from './ports.ts';

const SIZE = 5 * 1024 * 1024 + 123;
const whole = Uint8Array.from({ length: SIZE }, (_, i) => (i * 31) % 253);

/** A folder with one file that counts how often the file is opened, closed and read without being opened. */
function createFolder(isBroken: (start: number) => boolean = () => false): {
  files: BackupFiles;
  counts: { opened: number; closed: number; unopenedReads: number };
} {
  const counts = { opened: 0, closed: 0, unopenedReads: 0 };
  const readRange = async (start: number, end: number): Promise<Uint8Array> => {
    await new Promise((resolve) => setTimeout(resolve, start % 3));
    if (isBroken(start)) throw new Error('the disk is broken');
    return whole.slice(start, end);
  };
  return {
    counts,
    files: {
      list: async () => [],
      size: async () => SIZE,
      readRange: (_, start, end) => {
        counts.unopenedReads += 1;
        return readRange(start, end);
      },
      async open() {
        counts.opened += 1;
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

describe('the stream of a backup file', () => {
  it('opens the file once, yields its bytes in order and closes it', async () => {
    const { files, counts } = createFolder(),
      content = toContent(await blobSource(files, 'ab/file')),
      chunks: Uint8Array[] = [];
    for await (const chunk of content.stream(17)) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(whole.subarray(17))).toBe(true);
    expect(counts).toEqual({ opened: 1, closed: 1, unopenedReads: 0 });
    expect(Buffer.from(await content.read(5, 10)).equals(whole.subarray(5, 10))).toBe(true);
    expect(counts.unopenedReads).toBe(1);
  });

  it('closes the file when the consumer stops early or a read fails', async () => {
    const early = createFolder();
    for await (const chunk of toContent(await blobSource(early.files, 'ab/file')).stream()) if (chunk.length > 0) break;
    expect(early.counts).toEqual({ opened: 1, closed: 1, unopenedReads: 0 });
    const broken = createFolder((start) => start > 2_000_000);
    await expect(
      (async () => {
        for await (const _ of toContent(await blobSource(broken.files, 'ab/file')).stream());
      })(),
    ).rejects.toThrow('the disk is broken');
    expect(broken.counts).toEqual({ opened: 1, closed: 1, unopenedReads: 0 });
  });

  it('reads chunk by chunk on a platform that cannot keep files open', async () => {
    const { files, counts } = createFolder(),
      { open: _, ...plain } = files,
      chunks: Uint8Array[] = [];
    for await (const chunk of toContent(await blobSource(plain, 'ab/file')).stream()) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(whole)).toBe(true);
    expect(counts).toMatchObject({ opened: 0, unopenedReads: 6 });
  });
});
