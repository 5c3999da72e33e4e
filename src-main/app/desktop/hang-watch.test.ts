import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'hearth-hang-'));
const children: ChildProcess[] = [];
afterAll(() => {
  // One that was not ended would be busy for ever.
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A program that watches itself, and what it does then; resolves to the signal that ended it. */
function run(mark: string, then: string): Promise<string | null> {
  const again = `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`;
  const script = `
    import { watchForHangs } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'hang-watch.ts')).href)};
    const stop = watchForHangs({ limitMs: 1200, program: [process.execPath, '-e', ${JSON.stringify(again)}] });
    ${then}`;
  const file = join(folder, `${basename(mark)}.mjs`);
  writeFileSync(file, script);
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file], { stdio: 'ignore' });
  children.push(child);
  return new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
}

it('a program that hangs is ended and started again', async () => {
  const mark = join(folder, 'again');
  expect(await run(mark, 'setTimeout(() => { for (;;); }, 100);')).toBe('SIGKILL');
  await expect.poll(() => existsSync(mark), { timeout: 10_000 }).toBe(true);
});

it('a program that works, or waits, is left alone', async () => {
  const mark = join(folder, 'never');
  expect(await run(mark, 'setTimeout(() => stop(), 2500);')).toBeNull();
  expect(existsSync(mark)).toBe(false);
});
