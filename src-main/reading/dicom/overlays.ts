import type { DataSet, Tag } from './data-set.ts';
import type { ImageLayout } from './image-layout.ts';

const PLANES = 16;
const WHITE = 255;

interface Overlay {
  rows: number;
  columns: number;
  /** Of its first pixel, 0-based. */
  top: number;
  left: number;
  isSet(index: number): boolean;
}

/**
 * Draws graphic overlays in white (PS3.3, C.9.2). `pixels` are samples of 8 or 16 bits with all their bits: old objects have
 * overlays in bits that no pixel uses.
 */
export function drawOverlays(gray: Uint8Array, pixels: Uint8Array, image: OverlaidImage): void {
  for (const overlay of readOverlays(pixels, image)) draw(gray, image.layout, overlay);
}

/** The graphics of a gray frame, a bit for each pixel, the lowest bit of a byte first; null without any. */
export function readOverlayBits(pixels: Uint8Array, image: OverlaidImage): Uint8Array | null {
  const { rows, columns, photometric } = image.layout;
  const overlays = photometric.startsWith('MONOCHROME') ? readOverlays(pixels, image) : [];
  if (overlays.length === 0) return null;
  const mask = new Uint8Array(rows * columns);
  for (const overlay of overlays) draw(mask, image.layout, overlay);
  const bits = new Uint8Array(Math.ceil(mask.length / 8));
  for (let at = 0; at < mask.length; at += 1) if (mask[at] === WHITE) bits[at >> 3]! |= 1 << (at & 7);
  return bits;
}

interface OverlaidImage {
  data: DataSet;
  layout: ImageLayout;
  frame: number;
  isBigEndian: boolean;
}

function readOverlays(pixels: Uint8Array, { data, ...image }: OverlaidImage): Overlay[] {
  return Array.from({ length: PLANES }, (_, plane) => (0x6000 + 2 * plane).toString(16)).flatMap((group) => {
    const tag = (element: string): Tag => `x${group}${element}`;
    // Regions of interest are not drawn by themselves.
    if (!data.has(tag('0010')) || data.text(tag('0040')) === 'R') return [];
    return readOverlay(data, tag, { pixels, ...image }) ?? [];
  });
}

function readOverlay(
  data: DataSet,
  tag: (element: string) => Tag,
  image: { pixels: Uint8Array; layout: ImageLayout; frame: number; isBigEndian: boolean },
): Overlay | null {
  const [rows, columns] = [data.number(tag('0010'), 'US') ?? 0, data.number(tag('0011'), 'US') ?? 0];
  const [top, left] = data.numbers(tag('0050'), 'SS');
  if (top === undefined || left === undefined) return null;
  const first = (data.number(tag('0051'), 'US') ?? 1) - 1;
  const frames = data.number(tag('0015'), 'IS') ?? null;
  // An overlay of one frame belongs to all frames of the image.
  const index = frames === null ? 0 : image.frame - first;
  if (index < 0 || (frames !== null && index >= frames)) return null;
  const bits = data.has(tag('3000')) ? data.bytes(tag('3000')) : null;
  // Parts of an overlay could be taken for a mark in the picture.
  if (bits && bits.length * 8 < (index + 1) * rows * columns) return null;
  const isSet = bits
    ? bitReader(bits, index * rows * columns, image.isBigEndian)
    : embeddedReader(data.number(tag('0102'), 'US') ?? 0, image);
  return isSet && { rows, columns, top: top - 1, left: left - 1, isSet };
}

const bitReader =
  (bytes: Uint8Array, start: number, isBigEndian: boolean): Overlay['isSet'] =>
  (index) => {
    const bit = start + index;
    // In big endian, the bits of a word begin in its second byte.
    const byte = (bit >> 3) ^ (isBigEndian ? 1 : 0);
    return (((bytes[byte] ?? 0) >> (bit & 7)) & 1) === 1;
  };

function embeddedReader(
  position: number,
  { pixels, layout }: { pixels: Uint8Array; layout: ImageLayout },
): Overlay['isSet'] | null {
  const isPixelBit = position <= layout.highBit && position > layout.highBit - layout.bitsStored;
  const { bitsAllocated } = layout;
  if ((bitsAllocated !== 8 && bitsAllocated !== 16) || position >= bitsAllocated || isPixelBit) return null;
  const [step, byte] = [bitsAllocated / 8, position >> 3];
  return (index) => (((pixels[step * index + byte] ?? 0) >> (position & 7)) & 1) === 1;
}

function draw(gray: Uint8Array, layout: ImageLayout, { rows, columns, top, left, isSet }: Overlay): void {
  const lastRow = Math.min(rows, layout.rows - top);
  const lastColumn = Math.min(columns, layout.columns - left);
  for (let row = Math.max(0, -top); row < lastRow; row += 1)
    for (let column = Math.max(0, -left); column < lastColumn; column += 1)
      if (isSet(row * columns + column)) gray[(row + top) * layout.columns + column + left] = WHITE;
}
