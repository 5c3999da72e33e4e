import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { lint, lintEach, ROOT, type Violation } from '../support/lint.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearth-wording-'));
const file = join(folder, 'a.md');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const words = 'one two three four five six seven';
const list = words.split(' ').map((word) => `'${word}'`);
const unreadable: Violation[] = [
  [
    'a catalog with several messages a line',
    'src-renderer/locales/en.ts',
    "export const messages = {\n  language: { name: 'English', locale: 'en-GB' },\n};\n",
    'one message a line',
  ],
  [
    'a list of words in one line',
    'src-main/reading/extraction/a.ts',
    `export const A = [${list.join(', ')}];\n`,
    'has one a line',
  ],
  [
    'a set of words in one line',
    'src-shared/medical/a.ts',
    `export const A = new Set([${list.join(', ')}]);\n`,
    'has one a line',
  ],
  [
    'a text that is split into words',
    'src-shared/medical/a.ts',
    `export const A = '${words}'.split(' ');\n`,
    'has one a line',
  ],
  [
    'a template that is split into words',
    'src-shared/medical/a.ts',
    `export const A = \`${words}\`.split(' ');\n`,
    'has one a line',
  ],
  [
    'a translated idiom in an error text',
    'src-shared/contract/error-codes.ts',
    "export const A = { gone: 'This is no file.' };\n",
    'reads as translated',
  ],
  [
    'a translated idiom in an error text of reading',
    'src-shared/contract/error-codes-of-reading.ts',
    "export const A = { gone: 'This is no file.' };\n",
    'reads as translated',
  ],
  ...[
    'src-shared/contract/error-codes-of-shares.ts',
    'src-shared/contract/field-error-codes.ts',
    'src-shared/contract/patients.ts',
    'src-main/platform/config/config.ts',
    'src-main/features/ask/wording/en.ts',
  ].map((path): Violation => [
    `a translated idiom in a text of ${path}`,
    path,
    "export const A = { gone: 'This is no file.' };\n",
    'reads as translated',
  ]),
  [
    'a man for any user at the start of a sentence',
    'src-shared/contract/review-reasons.ts',
    "export const A = { deleted: 'He can restore it.' };\n",
    'reads as translated',
  ],
  [
    'a translated idiom in a menu',
    'src-shared/contract/menu-labels.ts',
    'export const A = { gone: `This is no file.` };\n',
    'reads as translated',
  ],
  [
    'a translated idiom in the title of a test',
    'test/api/a.test.ts',
    "it.each([1])('what is asked is %s', () => {});\n",
    'reads as translated',
  ],
  [
    'a translated idiom in a configuration',
    'vite.config.ts',
    '// The base hangs on the page.\nexport const a = 1;\n',
    'reads as translated',
  ],
  [
    'a translated idiom in a script of the firmware',
    'firmware/boards/a.mjs',
    '// The base hangs on the page.\nexport const a = 1;\n',
    'reads as translated',
  ],
  [
    'a translated idiom that a comment wraps',
    'src-main/platform/kernel/a.ts',
    '/**\n * The value hangs\n * on the row.\n */\nexport const a = 1;\n',
    'reads as translated',
  ],
];
for (const [what, text] of [
  ['a function', 'export function told(): void {}\n'],
  ['a constant', 'export const kept = (): number => 1;\n'],
  ['a method', 'export const cache = { found: () => 1 };\n'],
] as const)
  unreadable.push([`${what} that is named by a participle`, 'src-main/platform/kernel/a.ts', text, 'is not a verb']);
unreadable.push([
  'a limit that does not say which one it is',
  'src-main/platform/kernel/a.ts',
  'export const MOST_BYTES = 2;\n',
  'does not say what it limits',
]);
const complaints = lintEach(unreadable);
it.each(unreadable)('rejects %s', (name, _path, _text, why) => expect(complaints().get(name)).toContain(why));

it('allows lists of one word a line, short ones and those of codes', () => {
  const { code, output } = lint({
    'src-main/reading/extraction/a.ts': `export const A = [\n  // English\n${list.map((word) => `  ${word},\n`).join('')}];\n`,
    'src-shared/medical/a.ts': "export const A = ['one', 'two'];\n",
    'src-shared/medical/b.ts': `export const A = [${list.join(', ')}] as const;\n`,
    'src-shared/medical/a.test.ts': `export const A = [${list.join(', ')}];\n`,
  });
  expect(output).toBe('');
  expect(code).toBe(0);
});

it('rejects a translated idiom in Markdown, wrapped or not, and allows it in code', () => {
  const report = (text: string): string => {
    writeFileSync(file, text);
    return spawnSync(process.execPath, [join(ROOT, 'scripts/check-prose.mjs'), file], {
      cwd: folder,
      encoding: 'utf8',
    }).stderr;
  };
  expect(report('# A\n\nOthers are told.\n')).toContain(`${file}:3: “are told”`);
  expect(report('Others are\n  told.\n')).toContain(`${file}:1: “are told”`);
  expect(report('Use `is no `.\n\n```\nare told\n```\n')).toBe('');
});
