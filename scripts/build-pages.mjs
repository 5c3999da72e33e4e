// Runs on any Node from 20, like start.mjs: only built-in modules here.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { NODE, ROOT, run } from './install.mjs';

/** The household's pages, and the page of recipients. */
const PAGES = [
  { config: 'vite.config.ts', built: join('dist', 'renderer', 'index.html') },
  { config: 'vite.share.config.ts', built: join('dist', 'share', 'share.html') },
];
const SOURCES = ['src-renderer', 'src-shared', 'package-lock.json', ...PAGES.map(({ config }) => config)];

/** Builds the pages that are missing or older than what they are made of; `say` hears of it first. */
export function buildPages(say = () => {}) {
  const newest = Math.max(...SOURCES.map((source) => newestIn(join(ROOT, source))));
  const stale = PAGES.filter(({ built }) => !existsSync(join(ROOT, built)) || timeOf(join(ROOT, built)) < newest);
  if (stale.length > 0)
    say('Building the user interface, which is needed once after an update and takes about 30 seconds.');
  for (const { config } of stale)
    run(NODE, [join('node_modules', 'vite', 'bin', 'vite.js'), 'build', '--config', config, '--logLevel', 'warn']);
}

const timeOf = (path) => statSync(path).mtimeMs;

/** The newest change of a file, or in a folder, whose own time is that of the last file that came or went. */
function newestIn(path) {
  if (!statSync(path).isDirectory()) return timeOf(path);
  return Math.max(timeOf(path), ...readdirSync(path).map((name) => newestIn(join(path, name))));
}
