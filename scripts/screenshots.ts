/**
 * `npm run screenshots` takes the screenshots that the README and docs/ show again, and deletes those that no page
 * shows.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPages } from './build-pages.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TAKEN = join(ROOT, 'test-results', 'screenshots');
/** The browser tests that take them. */
const TAKEN_BY = ['test/e2e/household.test.ts', 'test/e2e/guide-pictures.test.ts'];
const SHOWN = join(ROOT, 'docs', 'screenshots');
/** Matches `](docs/screenshots/documents-light.png)`. */
const LINK = /screenshots\/([\w-]+\.png)/g;

const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT });
const names = new Set(
  pages.flatMap((page) => [...readFileSync(join(ROOT, page), 'utf8').matchAll(LINK)].map((match) => match[1]!)),
);
const run = (...args: string[]): void => {
  execFileSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
};

buildPages();
run('scripts/build-core.ts');
run('node_modules/vitest/vitest.mjs', 'run', '--project', 'e2e', ...TAKEN_BY);
mkdirSync(SHOWN, { recursive: true });
for (const name of names) copyFileSync(join(TAKEN, name), join(SHOWN, name));
for (const name of readdirSync(SHOWN)) if (!names.has(name)) rmSync(join(SHOWN, name));
