import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hashBytes, openBench, type Progress } from '../../src-shared/ticker/flash/bench.ts';
import { TickerError } from '../../src-shared/ticker/flash/ticker-error.ts';
import { type Board, type BoardOptions, createBoard } from '../fakes/esp/board.ts';
import type { Faults } from '../fakes/esp/faults.ts';
import { connectPort } from '../fakes/esp/web-serial.ts';
import { LONG } from '../support/long.ts';
import { createMergedImage, createParts, IMAGE_BOARDS } from '../support/ticker-images.ts';

const C3 = IMAGE_BOARDS[4];

function boardOf(tag: string, options: Partial<BoardOptions> = {}): Board {
  const { chip, megabytes } = IMAGE_BOARDS.find((board) => board.tag === tag)!;
  return createBoard({ chip, flashMegabytes: megabytes, content: randomBytes(300_000), ...options });
}

function expectWritten(board: Board, parts: readonly { address: number; bytes: Uint8Array }[]): void {
  for (const { address, bytes } of parts)
    expect(Buffer.compare(board.flash.bytes.subarray(address, address + bytes.length), bytes)).toBe(0);
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    return error instanceof TickerError ? error.code : String(error);
  }
}

async function writeTo(board: Board, parts = createParts(C3)): Promise<{ isSlowed: boolean; baud: number }> {
  const bench = await openBench(connectPort(board));
  await bench.write(parts);
  await bench.finish();
  return bench;
}

describe('the flasher on boards without faults', () => {
  test.concurrent.each(IMAGE_BOARDS)('$tag gets its image byte for byte, and its program starts', async (kind) => {
    const board = boardOf(kind.tag);
    const seen: Progress[] = [];
    const bench = await openBench(connectPort(board), { onProgress: (progress) => seen.push(progress) });
    expect(bench.facts).toMatchObject({ flashBytes: kind.megabytes * 1024 * 1024, mac: '24:0a:c4:12:34:56' });
    expect(bench.facts.chip.name).toBe(kind.chip);
    const parts = createParts(kind);
    const written = await bench.write(parts, { board: kind.tag });
    await bench.finish();
    expectWritten(board, parts);
    expect(written.map(({ md5 }) => md5)).toEqual(parts.map(({ bytes }) => hashBytes(bytes)));
    expect(board.events.slice(-2)).toEqual(['reset flash', 'application']);
    expect(board.violations).toEqual([]);
    expect(seen.at(-1)).toMatchObject({ part: parts.length - 1, done: parts.at(-1)!.bytes.length, baud: 460_800 });
  });

  test.concurrent('a whole image is written, with all else erased before if asked', async () => {
    const board = boardOf(C3.tag);
    const bench = await openBench(connectPort(board));
    const image = createMergedImage(C3);
    await bench.write([{ name: 'image.bin', address: 0, bytes: image }], { eraseAll: true });
    await bench.finish();
    expectWritten(board, [{ address: 0, bytes: image }]);
    expect(board.flash.bytes.subarray(image.length).every((byte) => byte === 0xff)).toBe(true);
    expect(board.violations).toEqual([]);
  });

  test.concurrent('a backup equals the flash, and goes on where it stopped', async () => {
    const board = boardOf(C3.tag);
    const stop = new AbortController();
    const backup = Buffer.alloc(0x60000);
    let kept = 0;
    const keep = (offset: number, bytes: Uint8Array): void => {
      backup.set(bytes, offset);
      kept = offset + bytes.length;
      if (kept === 0x20000) stop.abort();
    };
    const first = await openBench(connectPort(board), { signal: stop.signal });
    expect(await codeOf(first.read(0, backup.length, keep))).toBe('ticker.cancelled');
    await first.close();
    const second = await openBench(connectPort(board));
    expect(await second.hash(0, kept)).toBe(hashBytes(backup.subarray(0, kept)));
    await second.read(kept, backup.length, keep);
    await second.finish();
    expect(Buffer.compare(backup, board.flash.bytes.subarray(0, backup.length))).toBe(0);
    expect(board.violations).toEqual([]);
  });
});

describe('images that do not fit', () => {
  test.concurrent.each([
    ['another chip', IMAGE_BOARDS[3], 'ticker.wrong_chip'],
    ['another board', IMAGE_BOARDS[5], 'ticker.wrong_board'],
    ['a larger flash', IMAGE_BOARDS[2], 'ticker.too_large', 'nm-tv-154'],
  ] as const)('an image for %s is refused before anything is erased', async (_, image, code, on: string = C3.tag) => {
    const board = boardOf(on);
    const before = Buffer.from(board.flash.bytes);
    const bench = await openBench(connectPort(board));
    const parts = [{ name: 'image.bin', address: 0, bytes: createMergedImage(image) }];
    expect(await codeOf(bench.write(parts, { eraseAll: true, board: on }))).toBe(code);
    await bench.finish();
    expect(board.flash.erasedSectors).toBe(0);
    expect(Buffer.compare(before, board.flash.bytes)).toBe(0);
  });
});

/** One board of each chip. */
const EACH_CHIP = IMAGE_BOARDS.filter(({ chip }, at) => IMAGE_BOARDS.findIndex((one) => one.chip === chip) === at);

describe.each(EACH_CHIP)('faults of the line and of $tag', (kind) => {
  const options = kind.tag === C3.tag ? {} : { ...LONG };
  test.concurrent.each<[string, Partial<Faults>, boolean]>([
    ['SYNC without an answer', { droppedSyncs: 3 }, false],
    ['a block that arrives damaged', { corruptedBlocks: 1 }, false],
    ['an answer that arrives damaged', { corruptedReplies: 1 }, true],
    ['a board that falls silent', { silentFromBlock: 2 }, true],
    ['a wrong MD5', { wrongDigests: 1 }, true],
    ['a loader that crashes', { crashedLoaders: 1 }, true],
    ['a slow flash', { slowBlockMs: 50 }, false],
    ['a cable that is only good for a slow line', { cleanUpToBaud: 115_200 }, true],
  ])('%s: the image is written in the end', options, async (_, faults, isSlowed) => {
    const board = boardOf(kind.tag, { faults });
    const bench = await writeTo(board, createParts(kind));
    expectWritten(board, createParts(kind));
    expect(board.state).toBe('application');
    expect(bench.isSlowed).toBe(isSlowed);
  });

  test.concurrent('damaged reads are read again', options, async () => {
    const board = boardOf(kind.tag, { faults: { corruptedReads: 1 } });
    const bench = await openBench(connectPort(board));
    let backup: Uint8Array = new Uint8Array(0);
    await bench.read(0, 0x10000, (_, bytes) => void (backup = bytes));
    await bench.finish();
    expect(Buffer.compare(backup, board.flash.bytes.subarray(0, 0x10000))).toBe(0);
  });

  test.concurrent.each<[string, Partial<Faults>, string]>([
    ['an unplugged cable', { hangUpAtBlock: 2 }, 'ticker.device_gone'],
    ['a flash that stays wrong', { wrongDigests: 99 }, 'ticker.verify_failed'],
    ['a loader that never starts', { crashedLoaders: 99 }, 'ticker.loader_failed'],
    ['a board that never answers', { droppedSyncs: 9999 }, 'ticker.no_answer'],
    ['a board without lines for reset', { hasNoResetLines: true }, 'ticker.no_answer'],
  ])('%s ends with its code', options, async (_, faults, code) => {
    const board = boardOf(kind.tag, { faults });
    expect(await codeOf(writeTo(board, createParts(kind)))).toBe(code);
  });
});

describe('a board in an odd state', () => {
  test.concurrent('a program that runs instead of the loader ends with its code', async () => {
    const application = ['sh', '-c', 'while echo "[ticker] fetches quotes"; do sleep 0.1; done'] as const;
    const content = Uint8Array.from([0xe9]);
    const board = boardOf(C3.tag, { content, application, faults: { hasNoResetLines: true } });
    expect(await codeOf(writeTo(board))).toBe('ticker.not_in_loader');
    board.stop();
  });

  test.concurrent('after a stop in the middle the next try writes the image', async () => {
    const board = boardOf(C3.tag);
    const port = connectPort(board);
    const stop = new AbortController();
    const bench = await openBench(port, {
      signal: stop.signal,
      onProgress: ({ part, done }) => part === 2 && done > 0 && stop.abort(),
    });
    expect(await codeOf(bench.write(createParts(C3)))).toBe('ticker.cancelled');
    await bench.close();
    const again = await openBench(port);
    await again.write(createParts(C3));
    await again.finish();
    expectWritten(board, createParts(C3));
    expect(board.violations).toEqual([]);
  });
});
