#!/usr/bin/env node
// Publishes out/quotes as the only commit of the branch `data`; other folders of that branch stay as they are. Run it
// inside the clone: git's own credentials are used.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const EXIT = { done: 0, failed: 1, badUsage: 2 };
const BRANCH = 'data';
const PUBLISHER = {
  GIT_AUTHOR_NAME: 'quotes',
  GIT_AUTHOR_EMAIL: 'quotes@users.noreply.github.com',
  GIT_COMMITTER_NAME: 'quotes',
  GIT_COMMITTER_EMAIL: 'quotes@users.noreply.github.com',
};
/** Fields that change with every run even if the price does not. */
const TIME_FIELDS = ['updated', 'age'];
const PUBLISHED = /^(\d{1,12}-\d{1,6}-\d{1,6}|index)\.json$/;
const USAGE = `usage:
  node quotes/publish.mjs previous [--remote origin] [--to previous/quotes]
    copies the current files of the branch for the fetcher
  node quotes/publish.mjs push [--remote origin] [--out out] [--now TIME] [--dry-run]
    publishes new files`;

/** @param {string[]} args @param {{ env?: Record<string, string>, input?: string | Buffer }} [with_] */
const git = (args, { env = {}, input } = {}) =>
  execFileSync('git', args, {
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0', ...env },
    input: input ?? '',
    maxBuffer: 2 ** 26,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
/** @param {string[]} args @param {{ env?: Record<string, string>, input?: string | Buffer }} [with_] */
const gitLine = (args, with_) => git(args, with_).toString().trim();

try {
  process.exitCode = main();
} catch (error) {
  const { code, stderr, message } = /** @type {Error & { code?: string, stderr?: Buffer }} */ (error);
  console.error(stderr?.toString().trim() || message);
  if (String(code).startsWith('ERR_PARSE_ARGS')) console.error(USAGE);
  process.exitCode = String(code).startsWith('ERR_PARSE_ARGS') ? EXIT.badUsage : EXIT.failed;
}

function main() {
  const { values: flags, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      remote: { type: 'string', default: 'origin' },
      to: { type: 'string', default: 'previous/quotes' },
      out: { type: 'string', default: 'out' },
      now: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  if (positionals[0] === 'previous') return fetchPrevious(flags.remote, flags.to);
  if (positionals[0] === 'push')
    return push({
      ...flags,
      dryRun: flags['dry-run'],
      now: flags.now === undefined ? new Date() : new Date(flags.now),
    });
  console.error(USAGE);
  return EXIT.badUsage;
}

/**
 * Copies the published files into a folder. A missing branch is not an error.
 * @param {string} remote
 * @param {string} folder
 */
function fetchPrevious(remote, folder) {
  rmSync(folder, { recursive: true, force: true });
  const commit = publishedCommit(remote);
  if (!commit) {
    console.log(`nothing is published yet on ${BRANCH}`);
    return EXIT.done;
  }
  mkdirSync(folder, { recursive: true });
  const files = publishedFiles(commit);
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
  console.log(`${files.size} published files`);
  return EXIT.done;
}

/** @param {{ remote: string, out: string, now: Date, dryRun: boolean }} options */
function push({ remote, out, now, dryRun }) {
  const folder = join(out, 'quotes');
  const names = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => PUBLISHED.test(name))
        .sort()
    : [];
  if (!names.some((name) => name !== 'index.json')) {
    console.error(`${folder} holds no prices: nothing is published, so that what is there stays.`);
    return EXIT.failed;
  }
  const before = publishedCommit(remote);
  const why = before
    ? reasonToPush(before, new Map(names.map((name) => [name, readFileSync(join(folder, name))])), now)
    : 'first publication';
  if (!why) {
    console.log('unchanged: nothing pushed');
    return EXIT.done;
  }
  if (dryRun) {
    console.log(`dry run: ${names.length} files would be pushed (${why})`);
    return EXIT.done;
  }
  const commit = orphanCommit(folder, names, now, before);
  // Forced, but only over the commit that was fetched, so that a concurrent run is not overwritten.
  git([
    'push',
    '--quiet',
    `--force-with-lease=refs/heads/${BRANCH}:${before ?? ''}`,
    remote,
    `${commit}:refs/heads/${BRANCH}`,
  ]);
  console.log(`pushed ${names.length} files (${why})`);
  return EXIT.done;
}

/** Fetches the latest commit of the remote's branch. @param {string} remote @returns {string | undefined} */
function publishedCommit(remote) {
  const [commit] = gitLine(['ls-remote', remote, `refs/heads/${BRANCH}`]).split(/\s/);
  if (!commit) return undefined;
  git(['fetch', '--quiet', '--depth=1', '--no-tags', remote, `refs/heads/${BRANCH}`]);
  return gitLine(['rev-parse', 'FETCH_HEAD']);
}

/** @param {string} commit */
function publishedFiles(commit) {
  /** @type {Map<string, Buffer>} */
  const files = new Map();
  for (const path of gitLine(['ls-tree', '-r', '--name-only', commit, 'quotes/']).split('\n')) {
    const name = path.slice('quotes/'.length);
    if (PUBLISHED.test(name)) files.set(name, git(['cat-file', 'blob', `${commit}:${path}`]));
  }
  return files;
}

/**
 * Whether the content changed or a new day began: GitHub disables the schedule of a repository without activity for 60
 * days, and one commit a day prevents that.
 * @param {string} commit @param {Map<string, Buffer>} files @param {Date} now
 */
function reasonToPush(commit, files, now) {
  const published = publishedFiles(commit);
  const same =
    published.size === files.size &&
    [...files].every(([name, bytes]) => {
      const there = published.get(name);
      return there && content(there) === content(bytes);
    });
  if (!same) return 'changed';
  const day = new Date(Number(gitLine(['show', '-s', '--format=%ct', commit])) * 1000).toISOString().slice(0, 10);
  return day === now.toISOString().slice(0, 10) ? undefined : 'a new day';
}

/** Returns a file without the fields that change with every run. @param {Buffer} bytes */
function content(bytes) {
  try {
    return JSON.stringify(JSON.parse(bytes.toString()), (key, value) =>
      TIME_FIELDS.includes(key) ? undefined : value,
    );
  } catch {
    return bytes.toString();
  }
}

/**
 * Creates a commit without a parent: quotes/, and what `before` holds beside it. The clone's index and branch stay
 * untouched.
 * @param {string} folder
 * @param {string[]} names
 * @param {Date} now
 * @param {string | undefined} before
 */
function orphanCommit(folder, names, now, before) {
  const scratch = mkdtempSync(join(tmpdir(), 'quotes-'));
  try {
    const env = { GIT_INDEX_FILE: join(scratch, 'index') };
    if (before) {
      git(['read-tree', before], { env });
      git(['rm', '-r', '-f', '--cached', '--quiet', '--ignore-unmatch', 'quotes'], { env });
    }
    for (const name of names) {
      const blob = gitLine(['hash-object', '-w', '--stdin'], { input: readFileSync(join(folder, name)) });
      git(['update-index', '--add', '--cacheinfo', `100644,${blob},quotes/${name}`], { env });
    }
    const tree = gitLine(['write-tree'], { env });
    return gitLine(['commit-tree', tree, '-m', `Quotes of ${now.toISOString()}`], {
      env: { ...PUBLISHER, GIT_AUTHOR_DATE: now.toISOString(), GIT_COMMITTER_DATE: now.toISOString() },
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
