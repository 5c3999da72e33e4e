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

test.each([
  ['.hidden file.txt', 'hidden file.txt'],
  ['..two dots.txt', 'two dots.txt'],
  ['.gitignore', 'document.gitignore'],
  ['. . .pdf', 'document.pdf'],
  ['a/.. /b.pdf/ . ', 'b.pdf'],
  ['tabs\tand  spaces.pdf', 'tabsand spaces.pdf'],
  ['no\u00a0break\u3000space.pdf', 'no break space.pdf'],
  ['dots... .pdf', 'dots.pdf'],
  ['con.tar. gz', 'con-file.tar. gz'],
  ['\ufeffbom.pdf', 'bom.pdf'],
  ['.', 'document'],
  ['.twelveletter.pdf', 'twelveletter.pdf'],
])('%j becomes the safe name %j', (original, safe) => {
  expect(safeFileName(original)).toBe(safe);
});

test('a name without letters becomes the fallback with its extension', () => {
  expect([safeFileName('', 'scan'), safeFileName('.pdf', 'scan'), safeFileName(' . .pdf', 'scan')]).toEqual([
    'scan',
    'scan.pdf',
    'scan.pdf',
  ]);
});

test('a name is cut at exactly 200 characters and 240 bytes', () => {
  expect(safeFileName('a'.repeat(200))).toBe('a'.repeat(200));
  expect(safeFileName('a'.repeat(201))).toBe('a'.repeat(200));
  expect(safeFileName(`${'a'.repeat(196)}.pdf`)).toBe(`${'a'.repeat(196)}.pdf`);
  expect(safeFileName('ä'.repeat(120))).toBe('ä'.repeat(120));
  expect(safeFileName('ä'.repeat(121))).toBe('ä'.repeat(120));
  expect(safeFileName(`${'ä'.repeat(121)}.pdf`)).toBe(`${'ä'.repeat(118)}.pdf`);
  expect(safeFileName(`${'a'.repeat(190)} . . . . . .${'b'.repeat(20)}.pdf`)).toBe(`${'a'.repeat(190)}.pdf`);
});

test('an extension has one to twelve characters without spaces', () => {
  expect(['a.b', 'a.', 'a.twelveletter', 'a.b c', 'a\nb.pdf', 'a..b'].map(splitExtension)).toEqual([
    ['a', '.b'],
    ['a.', ''],
    ['a', '.twelveletter'],
    ['a.b c', ''],
    ['a\nb', '.pdf'],
    ['a.', '.b'],
  ]);
});
