/** @module-tag long */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { OXLINT, ROOT } from '../support/lint.ts';

it('the rules cover every folder of the project', () => {
  const output = execFileSync(process.execPath, [OXLINT, '.'], { cwd: ROOT, encoding: 'utf8' });
  expect(Number(/on (\d+) files/.exec(output)?.[1])).toBeGreaterThan(1000);
});

it('CONTRIBUTING draws every pair of features that depend on each other', () => {
  const { stdout } = spawnSync(process.execPath, ['scripts/layout.ts'], { cwd: ROOT, encoding: 'utf8' });
  const pairs = [...stdout.matchAll(/^ {2}feature (\S+ -> \S+)$/gm)].map(([, pair]) => pair);
  const [, drawing = ''] =
    /^These features depend[^`]+`npm run layout`[^`]+```\n([^`]+)```/m.exec(
      readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8'),
    ) ?? [];
  const drawn = drawing.split(/[\n(),]|\band\b/).flatMap((line) => {
    const steps = line.split('→').map((names) => names.match(/[a-z-]{2,}/g) ?? []);
    return steps.slice(1).flatMap((targets, at) => {
      return steps[at]!.flatMap((feature) => targets.map((target) => `${feature} -> ${target}`));
    });
  });
  expect(pairs.length).toBeGreaterThan(10);
  expect([...new Set(drawn)].sort()).toEqual(pairs.sort());
});
