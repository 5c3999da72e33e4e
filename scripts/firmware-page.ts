/**
 * Compresses the ticker's settings page (firmware/web/page.html) into the core. `--check` compares what is committed
 * with the page.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';

const page = new URL('../firmware/web/page.html', import.meta.url);
const generated = new URL('../firmware/core/web/generated/page.cpp', import.meta.url);

const text = readFileSync(page, 'utf8');
if (process.argv.includes('--check')) {
  const bytes = Buffer.from(
    [...readFileSync(generated, 'utf8').matchAll(/0x([0-9a-f]{2})/g)].map(([, hex]) => Number.parseInt(hex ?? '', 16)),
  );
  if (gunzipSync(bytes).toString('utf8') !== text) {
    process.stderr.write('firmware/core/web/generated/page.cpp is not current: run "npm run generate".\n');
    process.exit(1);
  }
} else {
  const bytes = gzipSync(text, { level: 9 });
  bytes[9] = 255; // no mark of the operating system that compressed it
  const rows: string[] = [];
  for (let at = 0; at < bytes.length; at += 24)
    rows.push(
      `    ${[...bytes.subarray(at, at + 24)].map((byte) => `0x${byte.toString(16).padStart(2, '0')},`).join(' ')}`,
    );
  writeFileSync(
    generated,
    '// Written by scripts/firmware-page.ts from firmware/web/page.html.\n#include "rom.h"\n#include ' +
      `"web/page.h"\n\nnamespace hearth {\n\nconst uint8_t kPage[] HEARTH_ROM = {\n${rows.join('\n')}\n};\nconst ` +
      'size_t kPageBytes = sizeof kPage;\n\n}  // namespace hearth\n',
  );
}
