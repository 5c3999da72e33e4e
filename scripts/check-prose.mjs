/**
 * Finds idioms in Markdown that read as translated; lint does so in code (`house-style.js`). `npm run check` runs it on
 * all documents; names of files limit it to these.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findIdioms } from './house-style.js';

const ROOT = join(import.meta.dirname, '..');
/** Code in a text: fenced blocks and spans. */
const CODE = /^```[^]*?^```|`[^`\n]*`/gm;

const listFiles = () =>
  execFileSync('git', ['ls-files', '-z', '--', '*.md'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);

const files = process.argv.length > 2 ? process.argv.slice(2) : listFiles();
for (const file of files) {
  const lines = readFileSync(resolve(ROOT, file), 'utf8')
    .replace(CODE, (code) => code.replace(/[^\n]/g, ' '))
    .split('\n');
  for (const [index, line] of lines.entries()) {
    // A phrase may be wrapped: each line is read with the next one, and a finding belongs to the line it begins in.
    const next = findIdioms(lines[index + 1] ?? '');
    for (const message of findIdioms(`${line} ${(lines[index + 1] ?? '').trimStart()}`)) {
      if (next.includes(message) && !findIdioms(line).includes(message)) continue;
      process.stderr.write(`${file}:${index + 1}: ${message}\n`);
      process.exitCode = 1;
    }
  }
}
