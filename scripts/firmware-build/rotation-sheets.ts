import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { FIRMWARE } from './build.ts';
import {
  namedHash,
  NIGHT_SEEMS,
  ROTATED_PAGES,
  type RotatedPicture,
  rotatedScenes,
  ROTATIONS,
  SIDE,
} from './rotations.ts';
import type { Scene } from './scenes.ts';

export const ROTATIONS_FOLDER = join(FIRMWARE, 'test/golden/rotations');

const CELL = 128;
const GAP = 8;
const LABEL = 18;
/** Pages beside each other; each has its four rotations. */
const ACROSS = 2;
const WIDTH = ACROSS * (ROTATIONS.length * CELL + ROTATIONS.length * GAP) + GAP;
const ROW = CELL + LABEL + GAP;
const HEIGHT = Math.ceil(ROTATED_PAGES.length / ACROSS) * ROW + GAP;

/** Writes the hashes of all pages in all rotations, and two sheets of them for people to look at. */
export async function writeRotations(draw: (list: readonly Scene[]) => { rgba: Uint8Array }[]): Promise<number> {
  const scenes = rotatedScenes();
  const all = draw(scenes).map(({ rgba }, at) => ({ ...scenes[at]!, rgba }));
  mkdirSync(ROTATIONS_FOLDER, { recursive: true });
  writeFileSync(
    join(ROTATIONS_FOLDER, 'hashes.json'),
    `${JSON.stringify(Object.fromEntries(all.map(namedHash)), null, 2)}\n`,
  );
  for (const isNight of [false, true]) {
    const file = join(ROTATIONS_FOLDER, isNight ? 'night.png' : 'day.png');
    writeFileSync(file, await sheetOf(all.filter((one) => one.isNight === isNight)));
  }
  return all.length;
}

async function sheetOf(pictures: readonly RotatedPicture[]): Promise<Buffer> {
  const cells = await Promise.all(
    pictures.map(async (picture, at) => {
      const page = Math.floor(at / ROTATIONS.length);
      const column = (page % ACROSS) * ROTATIONS.length + picture.rotation;
      const left = GAP + column * (CELL + GAP);
      const top = GAP + LABEL + Math.floor(page / ACROSS) * ROW;
      return { input: await cellOf(picture), left, top };
    }),
  );
  const labels = ROTATED_PAGES.map((name, page) => {
    const x = GAP + (page % ACROSS) * ROTATIONS.length * (CELL + GAP);
    return `<text x="${x}" y="${GAP + 12 + Math.floor(page / ACROSS) * ROW}">${name}</text>`;
  });
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif"`;
  const svg = Buffer.from(`${head} font-size="13" fill="#fff">${labels.join('')}</svg>`);
  return sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#555' } })
    .composite([{ input: svg, left: 0, top: 0 }, ...cells])
    .png({ palette: true, colors: 16, dither: 0, compressionLevel: 9 })
    .toBuffer();
}

function cellOf({ rgba, isNight }: RotatedPicture): Promise<Buffer> {
  const raw = { width: SIDE, height: SIDE, channels: 4 } as const;
  const seen = sharp(rgba, { raw }).removeAlpha();
  return (isNight ? seen.linear(NIGHT_SEEMS, 0) : seen).resize(CELL, CELL).png().toBuffer();
}
