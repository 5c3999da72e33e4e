/**
 * Draws the device's font from Inter (OFL 1.1, resources/licences/Inter.txt) into firmware/core/text/generated/.
 * `--check` compares instead.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fontSource } from './firmware-font/emit.ts';

const file = new URL('../firmware/core/text/generated/glyphs.cpp', import.meta.url);
const { source, bytes } = fontSource();
if (!process.argv.includes('--check')) writeFileSync(file, source);
else if (readFileSync(file, 'utf8') !== source) {
  process.stderr.write('the font is not current: run "node scripts/firmware-font.ts".\n');
  process.exit(1);
}
process.stdout.write(`font: ${bytes} bytes\n`);
