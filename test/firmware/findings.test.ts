import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { FIRMWARE } from '../support/firmware.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TEXT = readFileSync(join(FIRMWARE, 'test/FINDINGS.md'), 'utf8');
const rows = [...TEXT.matchAll(/^\| ([AB]\d+) \| (.+) \| (.+) \| mended \|$/gm)].map(([, finding, , tests]) => ({
  finding: finding!,
  tests: [...tests!.matchAll(/`([^`]+\.(?:cpp|ts))` "([^"]+)"/g)].map(([, file, title]) => ({
    file: file!,
    title: title!,
  })),
}));

/** A case of doctest, a row in the list of stories, or a test of Vitest. */
function isTestOf(source: string, title: string): boolean {
  const beginnings = ['TEST_CASE("', '{"', "it('", "test('", "    '", 'TEST_CASE(\n    "'];
  return beginnings.some((beginning) => {
    const end = beginning.endsWith('"') ? '"' : "'";
    return source.includes(`${beginning}${title}${end}`);
  });
}

test('each finding of the review is in the table, in order', () => {
  const wanted = [
    ...Array.from({ length: 8 }, (_, at) => `A${at + 1}`),
    ...Array.from({ length: 20 }, (_, at) => `B${at + 1}`),
  ];
  expect(rows.map(({ finding }) => finding)).toEqual(wanted);
});

test.each(rows)('the tests that hold $finding exist', ({ tests }) => {
  expect(tests.length).toBeGreaterThan(0);
  for (const { file, title } of tests) {
    const path = file.startsWith('test/') ? join(ROOT, file) : join(FIRMWARE, 'test', file);
    expect([file, existsSync(path)]).toEqual([file, true]);
    expect([title, isTestOf(readFileSync(path, 'utf8'), title)]).toEqual([title, true]);
  }
});
