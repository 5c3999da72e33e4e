/**
 * Puts the newest released firmware for tickers into resources/firmware, where the program looks for it; needs `gh` and
 * GH_TOKEN. Without a release there is nothing to put there.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { listFirmware, readFirmware } from '../src-main/features/tickers/bundled-firmware.ts';

const FOLDER = fileURLToPath(new URL('../resources/firmware', import.meta.url));
const PATTERNS = ['manifest-*.json', 'hearth-ticker-*.bin', 'SHA256SUMS'];
const TAG = /^firmware-(\d+)\.(\d+)\.(\d+)$/;

const gh = (...args: string[]): string => execFileSync('gh', args, { encoding: 'utf8' });
/** As devices compare versions. */
const rank = (tag: string): number =>
  TAG.exec(tag)!
    .slice(1)
    .reduce((sum, part) => sum * 100_000 + Number(part), 0);

const tags = (JSON.parse(gh('release', 'list', '--limit', '200', '--json', 'tagName')) as { tagName: string }[])
  .map(({ tagName }) => tagName)
  .filter((tag) => TAG.test(tag))
  .sort((one, other) => rank(other) - rank(one));
const [newest] = tags;
rmSync(FOLDER, { recursive: true, force: true });
if (newest === undefined) {
  console.log('There is no release of the firmware yet, so none goes with the program.');
} else {
  mkdirSync(FOLDER, { recursive: true });
  gh('release', 'download', newest, '--dir', FOLDER, ...PATTERNS.flatMap((pattern) => ['--pattern', pattern]));
  const images = await listFirmware(FOLDER);
  if (images.length === 0) throw new Error(`${newest} has no images`);
  for (const { board } of images) await readFirmware(FOLDER, board);
  console.log(`${newest}: ${images.map(({ board }) => board).join(', ')}`);
}
