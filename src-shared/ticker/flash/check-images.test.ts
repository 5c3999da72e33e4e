import { describe, expect, it } from 'vitest';
import { createMergedImage, createParts, IMAGE_BOARDS } from '../../../test/support/ticker-images.ts';
import { checkImages, type FirmwarePart, type Target } from './check-images.ts';
import { CHIPS } from './chips.ts';
import { findBoardTag } from './image-head.ts';
import { TickerError } from './ticker-error.ts';

const MEGABYTE = 1024 * 1024;
const C2 = IMAGE_BOARDS[3];
const target = (board: (typeof IMAGE_BOARDS)[number]): Target => ({
  chip: CHIPS[board.chip],
  flashBytes: board.megabytes * MEGABYTE,
  partitions: null,
  board: board.tag,
});

function refusal(parts: FirmwarePart[], on: Target): string | undefined {
  try {
    checkImages(parts, on);
    return undefined;
  } catch (error) {
    return (error as TickerError).code;
  }
}
const merged = (board: (typeof IMAGE_BOARDS)[number], size?: number): FirmwarePart[] => [
  { name: 'image.bin', address: 0, bytes: createMergedImage(board, size) },
];

describe('what is checked before a board is erased', () => {
  it.each(IMAGE_BOARDS)('$tag takes its own image, whole and in parts, and knows its tag', (board) => {
    expect(refusal(merged(board), target(board))).toBeUndefined();
    expect(refusal(createParts(board), target(board))).toBeUndefined();
    expect(findBoardTag(createMergedImage(board))).toBe(board.tag);
  });

  const pairs = IMAGE_BOARDS.flatMap((image) =>
    IMAGE_BOARDS.filter((board) => board !== image).map((board) => [image.tag, board.tag, image, board] as const),
  );
  it.each(pairs)('an image for %s is refused on %s', (_image, _board, image, board) => {
    const expected =
      image.chip === board.chip ? /^ticker\.(wrong_board|too_large)$/ : /^ticker\.(wrong_chip|wrong_address)$/;
    expect(refusal(merged(image), target(board))).toMatch(expected);
  });

  const [boot, table, application] = createParts(C2) as [FirmwarePart, FirmwarePart, FirmwarePart];
  const update = Buffer.concat([Buffer.from('HEARTHUP'), createMergedImage(C2)]);
  it.each([
    ['no file', [], 'ticker.no_images'],
    ['an empty file', [{ ...boot, bytes: new Uint8Array(0) }], 'ticker.no_images'],
    ['an update for the page', [{ name: 'a.update', address: 0, bytes: update }], 'ticker.update_file'],
    ['a text', [{ name: 'a.txt', address: 0, bytes: Buffer.from('hello') }], 'ticker.not_an_image'],
    ['an address within a sector', [{ ...boot, address: 100 }], 'ticker.wrong_address'],
    ['an application where the loader belongs', [{ ...application, address: 0 }], 'ticker.wrong_address'],
    ['a loader where an application belongs', [table, { ...boot, address: 0x10000 }], 'ticker.wrong_address'],
    ['an application beside its slot', [boot, table, { ...application, address: 0x20000 }], 'ticker.wrong_address'],
    [
      'an image that ends early',
      [{ ...application, bytes: application.bytes.slice(0, 5000) }],
      'ticker.image_incomplete',
    ],
    [
      'a merged image that ends early',
      [{ ...merged(C2)[0]!, bytes: merged(C2)[0]!.bytes.slice(0, 0x10400) }],
      'ticker.image_incomplete',
    ],
    ['more than the slot', [boot, table, ...createParts(C2, 0x190000).slice(2)], 'ticker.too_large'],
    ['more than the flash', [...createParts(C2, 4 * MEGABYTE)], 'ticker.too_large'],
    ['parts that overlap', [boot, { ...boot, name: 'b.bin', address: 0x1000 }], 'ticker.overlapping'],
  ])('%s is refused', (_, parts, code) => {
    expect(refusal(parts, target(C2))).toBe(code);
  });

  it('judges a single application by the table on the board', () => {
    const partitions = [{ type: 0, label: 'app0', offset: 0x10000, size: 0x180000 }];
    expect(refusal([application], { ...target(C2), partitions })).toBeUndefined();
    expect(refusal([application], target(C2))).toBe('ticker.wrong_address');
  });
});
