import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BundledImage } from '../../../src-shared/contract/tickers.ts';
import { releaseManifest } from '../../../src-shared/ticker/flash/manifest.ts';
import { fail } from '../../platform/kernel/errors.ts';

/** The folder as firmware/boards/release.mjs writes it, in the program. */
const MAX_BOARDS = 50;
const MAX_MANIFEST_BYTES = 64 * 1024;
const MAX_IMAGE_BYTES = 16 * 1024 * 1024;
const MANIFEST = /^manifest-([a-z0-9-]{1,40})\.json$/;

interface Image extends BundledImage {
  file: string;
}

/** The images in a folder, one for each board; none if it is missing. What has another form is left out. */
export async function listFirmware(folder: string): Promise<BundledImage[]> {
  return (await readImages(folder)).map(({ file: _file, ...image }) => image);
}

/** The image of a board, as its release made it. Throws if there is none or it was changed. */
export async function readFirmware(folder: string, board: string): Promise<Uint8Array> {
  const image = (await readImages(folder)).find((one) => one.board === board);
  if (image === undefined) throw fail('ticker.firmware_missing');
  const [bytes, sums] = await Promise.all([
    readFile(join(folder, image.file)),
    readFile(join(folder, 'SHA256SUMS'), 'utf8').catch(() => ''),
  ]);
  const sum = createHash('sha256').update(bytes).digest('hex');
  if (!sums.split(/\r?\n/).includes(`${sum}  ${image.file}`)) throw fail('ticker.firmware_damaged');
  return bytes;
}

async function readImages(folder: string): Promise<Image[]> {
  const names = await readdir(folder).catch(() => []);
  const boards = names.filter((name) => MANIFEST.test(name)).sort();
  const images = await Promise.all(boards.slice(0, MAX_BOARDS).map((name) => readImage(folder, name)));
  return images.filter((image) => image !== null);
}

async function readImage(folder: string, name: string): Promise<Image | null> {
  try {
    const path = join(folder, name);
    if ((await stat(path)).size > MAX_MANIFEST_BYTES) return null;
    const { name: title, version, builds } = releaseManifest.parse(JSON.parse(await readFile(path, 'utf8')));
    const [{ chipFamily, parts }] = builds;
    const file = basename(parts[0].path);
    const { size } = await stat(join(folder, file));
    if (size === 0 || size > MAX_IMAGE_BYTES) return null;
    return { board: MANIFEST.exec(name)![1]!, name: title, version, chip: chipFamily, bytes: size, file };
  } catch {
    return null;
  }
}
