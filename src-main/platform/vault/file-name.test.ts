import { expect, test } from 'vitest';
import { safeFileName, splitExtension } from './file-name.ts';

test.each([
  ['Labor März.pdf', 'Labor März.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['..\\..\\windows\\win.ini', 'win.ini'],
  ['C:\\Users\\Elena\\scan.pdf', 'scan.pdf'],
  ['a/b/', 'b'],
  ['..', 'document'],
  ['', 'document'],
  ['   ', 'document'],
  ['.pdf', 'document.pdf'],
  ['nul\u0000byte.pdf', 'nulbyte.pdf'],
  ['line\nbreak.pdf', 'linebreak.pdf'],
  ['\u202Efdp.exe', 'fdp.exe'],
  ['zero\u200Bwidth.pdf', 'zerowidth.pdf'],
  ['lone\uD800half.pdf', 'lonehalf.pdf'],
  ['what? <is> "this"|*.pdf', 'what_ _is_ _this___.pdf'],
  ['stream:hidden.pdf', 'stream_hidden.pdf'],
  ['trailing. . ', 'trailing'],
  ['CON', 'CON-file'],
  ['nul.pdf', 'nul-file.pdf'],
  ['Com1.tar.gz', 'Com1-file.tar.gz'],
  ['LPT¹.pdf', 'LPT¹-file.pdf'],
  ['console.pdf', 'console.pdf'],
  ['Befund\u0308.pdf', 'Befund̈.pdf'],
  ['u\u0308ber.pdf', 'über.pdf'],
])('stores %j as %j', (name, stored) => {
  expect(safeFileName(name)).toBe(stored);
});

test('shortens names to 200 characters and 240 bytes with their extension', () => {
  expect(safeFileName(`${'a'.repeat(300)}.pdf`)).toBe(`${'a'.repeat(196)}.pdf`);
  const wide = safeFileName(`${'漢'.repeat(300)}.pdf`);
  expect(Buffer.byteLength(wide)).toBeLessThanOrEqual(240);
  expect(wide).toMatch(/^漢+\.pdf$/);
  const emoji = safeFileName(`${'👩‍⚕️'.repeat(100)}.png`);
  expect(Buffer.byteLength(emoji)).toBeLessThanOrEqual(240);
  expect(emoji.isWellFormed()).toBe(true);
});

test('does not change its own output', () => {
  for (const name of ['nul.pdf', '\u202Efdp.exe', `${'ä'.repeat(300)}.jpeg`, ' a  b .pdf. ', 'x'.repeat(300)])
    expect(safeFileName(safeFileName(name))).toBe(safeFileName(name));
});

test.each([
  ['scan.2.PDF', ['scan.2', '.PDF']],
  ['scan', ['scan', '']],
  ['.gitignore', ['.gitignore', '']],
  ['v1. final', ['v1. final', '']],
  ['a.thirteenchars', ['a.thirteenchars', '']],
])('%j is split as %j', (name, parts) => {
  expect(splitExtension(name)).toEqual(parts);
});
