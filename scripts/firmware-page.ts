/**
 * Compresses the ticker's settings page (firmware/web) into the core: one file without white space that a browser does
 * not need. `--check` compares what is committed with the page.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { minifySync } from 'vite';

const folder = new URL('../firmware/web/', import.meta.url);
const generated = new URL('../firmware/core/web/generated/page.cpp', import.meta.url);

const readPart = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

/** The page with its style sheet and scripts in it. The scripts become one, in their order. */
function buildPage(): { text: string; headers: string } {
  const page = readPart('page.html');
  const scripts = [...page.matchAll(/<script src="(.+?)"><\/script>/g)].map(([, name]) => readPart(name as string));
  const script = minifyScript(`'use strict';${scripts.join('')}`);
  const [head = '', rest = ''] = page.split(/<link rel="stylesheet" href="page\.css" \/>/);
  const [body = '', end = ''] = rest.split(/(?:<script src=".+?"><\/script>\s*)+/);
  const style = minifyStyle(readPart('page.css'));
  const text = [
    minifyMarkup(head),
    `<style>${style}</style>`,
    minifyMarkup(body),
    `<script>${script}</script>`,
    minifyMarkup(end),
  ].join('\n');
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "connect-src 'self' https://www.cash.ch",
    'img-src data:',
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  const lines = ['Content-Encoding: gzip', `Content-Security-Policy: ${policy.join('; ')}`];
  return { text, headers: lines.map((line) => `${line}\\r\\n`).join('') };
}

/** How a Content-Security-Policy names the one script or style sheet that may run. */
const hashOf = (code: string): string => `'sha256-${createHash('sha256').update(code).digest('base64')}'`;

/** Shortens local names and removes white space; the statements stay as they are. */
function minifyScript(text: string): string {
  const { code, errors } = minifySync('page.js', text, { module: false, compress: false, mangle: true });
  if (errors.length > 0) throw new Error(`firmware/web: ${errors[0]?.message}`);
  return code;
}

const minifyStyle = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/ ?([{},;>]) ?/g, '$1')
    .replace(/(?<=[\w-]): /g, ':')
    .replaceAll(';}', '}')
    .replace(/(?<=[\s:])0\./g, '.')
    .trim();

/** Text and attributes stay; only indentation and empty lines go. */
const minifyMarkup = (text: string): string => text.trim().replace(/\n\s*/g, '\n').replaceAll(' />', '>');

const { text, headers } = buildPage();
const headerLine = `const char kPageHeaders[] = "${headers}";`;
if (process.argv.includes('--check')) {
  const bytes = Buffer.from(
    [...readFileSync(generated, 'utf8').matchAll(/0x([0-9a-f]{2})/g)].map(([, hex]) => Number.parseInt(hex ?? '', 16)),
  );
  if (gunzipSync(bytes).toString('utf8') !== text || !readFileSync(generated, 'utf8').includes(headerLine)) {
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
    '// Written by scripts/firmware-page.ts from firmware/web.\n#include "rom.h"\n#include ' +
      `"web/page.h"\n\nnamespace hearth {\n\nconst uint8_t kPage[] HEARTH_ROM = {\n${rows.join('\n')}\n};\nconst ` +
      `size_t kPageBytes = sizeof kPage;\n${headerLine}\n\n}  // namespace hearth\n`,
  );
}
