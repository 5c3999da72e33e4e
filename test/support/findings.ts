import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ROOT } from './lint.ts';

/** A row of a table of findings: its number, and the tests and decisions that answer it. */
export interface Finding {
  finding: string;
  tests: { file: string; title: string }[];
  /** Numbers of decisions; none if the finding is mended. */
  decisions: string[];
}

/** Reads the rows `| number | what was wrong | tests | mended or [decision](…) |` of a table of findings. */
export function readFindings(markdown: string): Finding[] {
  const rows = [...markdown.matchAll(/^\| ([A-Z]\d+) \| (.+) \| (.*) \| (mended|\[.+\)) \|$/gm)];
  return rows.map(([, finding, , tests, result]) => ({
    finding: finding!,
    tests: [...tests!.matchAll(/`([^`]+\.(?:cpp|ts))` "([^"]+)"/g)].map(([, file, title]) => ({
      file: file!,
      title: title!,
    })),
    decisions: [...result!.matchAll(/\[(\d{4})\]/g)].map(([, number]) => number!),
  }));
}

/** Fails if a finding has neither a test nor a decision, or one that does not exist; `folder` holds files of C++. */
export function expectAnswers({ tests, decisions }: Finding, folder: string): void {
  expect(tests.length + decisions.length).toBeGreaterThan(0);
  for (const { file, title } of tests) {
    const path = file.endsWith('.ts') ? join(ROOT, file) : join(folder, file);
    expect([file, existsSync(path)]).toEqual([file, true]);
    expect([title, isTestOf(readFileSync(path, 'utf8'), title)]).toEqual([title, true]);
  }
  const files = readdirSync(join(ROOT, 'docs/adr'));
  for (const number of decisions) expect(files.filter((name) => name.startsWith(number))).toHaveLength(1);
}

/** Looks for a case of doctest, a story, or a test of Vitest: a whole text behind a bracket, comma or line break. */
function isTestOf(source: string, title: string): boolean {
  const escaped = title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`[({,\n] *(['"\x60])${escaped}\1`).test(source);
}
