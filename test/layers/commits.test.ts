import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ROOT } from '../support/lint.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearth-commit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const check = (message: string): { code: number | null; problems: string } => {
  const file = join(folder, 'COMMIT_EDITMSG');
  writeFileSync(file, message);
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/check-commit.mjs'), file], {
    encoding: 'utf8',
  });
  return { code: status, problems: stderr };
};
const body = '\n\nIt was red on a fresh machine.\n';

it.each([
  ['a subject of 73 characters', `${'x'.repeat(73)}${body}`, 'The subject has 73 characters'],
  ['a subject that ends with a full stop', `Mend it.${body}`, 'ends with a full stop'],
  ['a second line that is not empty', 'Mend it\nIt was red.\nAlways.\n', 'second line is not empty'],
  ['a message without a reason', 'Mend it\n\n# Please enter the commit message.\n', 'body that gives the reason'],
])('rejects %s', (_what, message, problem) => {
  const { code, problems } = check(message);
  expect(problems).toContain(problem);
  expect(code).toBe(1);
});

it('accepts a subject of 72 characters with a reason, and what is squashed later', () => {
  expect(check(`${'x'.repeat(72)}${body}`)).toEqual({ code: 0, problems: '' });
  expect(check('fixup! Mend it\n')).toEqual({ code: 0, problems: '' });
});

it('the hook runs the check', () => {
  expect(readFileSync(join(ROOT, 'lefthook.yml'), 'utf8')).toMatch(/^commit-msg:[^]*check-commit\.mjs \{1\}$/m);
});
