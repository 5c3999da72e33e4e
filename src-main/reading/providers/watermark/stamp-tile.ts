import { createRequire } from 'node:module';
import anyAscii from 'any-ascii';
import sharp from 'sharp';
import { fail } from '../../../platform/kernel/errors.ts';
import { stampTime, type Stamp } from './requests.ts';

/** How much ink each pixel of a stamp has, 0 to 255. The tile is repeated over the whole page. */
export interface StampTile {
  ink: Uint8Array;
  /** In pixels. */
  width: number;
  height: number;
}

/** The text rises by this angle. */
const DEGREES = -30;
/** Height of the letters as a share of the shorter side of a page, and the limits of what can be read, in pixels. */
const LETTER_SHARE = 0.026;
const LETTER_PIXELS = { least: 11, most: 60 } as const;
/** Width of a line as a share of the shorter side. */
const LINE_SHARE = 0.55;
const SHRINK = 0.85;
/** Letters have at least this much ink in a square of their height; less is an empty name or a missing font. */
const MIN_INK = 0.02;
const MAX_LABEL = 200;
/** Draws Latin, Greek and Cyrillic letters; fonts of the computer draw the others, if it has any. */
const FONT = createRequire(import.meta.url).resolve('@expo-google-fonts/inter/500Medium/Inter_500Medium.ttf');
/** Names with other letters are stamped in Latin ones, too. */
const EMOJI = /\p{Extended_Pictographic}/u;
const OTHER_LETTERS = /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]/u;
/** Control characters, and those that change the direction of the text around them. */
const INVISIBLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

const cache = new Map<string, StampTile>();
const MAX_CACHED = 8;

/**
 * Draws the recipient's name and the time for a page of this size, in the largest letters of which the whole text fits
 * on the page at least once.
 * @throws `share.watermark_failed` if it does not fit, or if no font draws the name
 */
export async function makeStampTile(stamp: Stamp, pageWidth: number, pageHeight: number): Promise<StampTile> {
  const label = stamp.label.replace(INVISIBLE, ' ').normalize('NFC').replace(/\s+/gu, ' ').trim();
  if (label === '' || [...label].length > MAX_LABEL) throw fail('share.watermark_failed');
  const time = stampTime(stamp.at);
  const key = `${pageWidth} ${pageHeight} ${time} ${label}`;
  const known = cache.get(key);
  if (known) return known;
  const short = Math.min(pageWidth, pageHeight);
  const { least, most } = LETTER_PIXELS;
  for (let size = Math.min(most, Math.max(least, short * LETTER_SHARE)); size >= least; size *= SHRINK) {
    const tile = await drawTile(textsFor(label, time), size, Math.floor(short * LINE_SHARE));
    if (tile.width > pageWidth || tile.height > pageHeight) continue;
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(key, tile);
    return tile;
  }
  throw fail('share.watermark_failed');
}

/** The texts of a stamp. What no font of the computer draws appears as boxes with numbers, and is spelled out below. */
const textsFor = (label: string, time: string): string[] =>
  OTHER_LETTERS.test(label) || EMOJI.test(label) ? [label, anyAscii(label), time] : [label, time];

async function drawTile(texts: readonly string[], size: number, lineWidth: number): Promise<StampTile> {
  const lines = await Promise.all(texts.map((text) => drawText(text, size, lineWidth)));
  const gap = Math.round(size / 3);
  const width = Math.max(...lines.map((line) => line.width));
  const height = lines.reduce((sum, line) => sum + line.height, gap * (lines.length - 1));
  const block = new Uint8Array(width * height);
  let top = 0;
  for (const line of lines) {
    const left = Math.floor((width - line.width) / 2);
    for (let y = 0; y < line.height; y += 1)
      block.set(line.ink.subarray(y * line.width, (y + 1) * line.width), (top + y) * width + left);
    top += line.height + gap;
  }
  const margin = Math.round(size);
  const { data, info } = await sharp(block, { raw: { width, height, channels: 1 } })
    .rotate(DEGREES, { background: '#000' })
    .extend({ right: margin, bottom: margin, background: '#000' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { ink: firstChannel(data, info.channels), width: info.width, height: info.height };
}

/**
 * Draws a text, broken into lines.
 * @throws `share.watermark_failed` if nothing of it can be seen
 */
export async function drawText(text: string, size: number, lineWidth: number): Promise<StampTile> {
  // A name whose letters have no Latin spelling.
  if (text.trim() === '') throw fail('share.watermark_failed');
  const markup = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const { data, info } = await sharp({
    text: {
      ...{ text: markup, font: `Inter, Sans ${Math.round(size)}`, fontfile: FONT, dpi: 72 },
      ...{ width: lineWidth, align: 'centre', wrap: 'word-char', rgba: true },
    },
  })
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => {
      throw fail('share.watermark_failed', undefined, error);
    });
  const { width, height, channels } = info;
  const ink = new Uint8Array(width * height);
  let sum = 0;
  for (let i = 0; i < ink.length; i += 1) {
    const at = i * channels;
    const brightness = ((data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)) / 3;
    // Emoji have colors: their bright parts get less ink, so that faces stay faces.
    const value = ((data[at + channels - 1] ?? 0) * (255 - 0.7 * brightness)) / 255;
    ink[i] = value;
    sum += value;
  }
  if (sum < MIN_INK * 255 * size * size) throw fail('share.watermark_failed');
  return { ink, width, height };
}

function firstChannel(data: Uint8Array, channels: number): Uint8Array {
  if (channels === 1) return new Uint8Array(data);
  const first = new Uint8Array(data.length / channels);
  for (let i = 0; i < first.length; i += 1) first[i] = data[i * channels] ?? 0;
  return first;
}
