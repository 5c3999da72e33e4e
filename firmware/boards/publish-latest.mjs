#!/usr/bin/env node
// Names the newest version in firmware/latest.json on the branch `data`, where devices look for it. Everything else on
// that branch stays. Run it inside the clone: git's own credentials are used.
//   node boards/publish-latest.mjs VERSION [REMOTE=origin]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BRANCH = 'data';
const FILE = 'firmware/latest.json';
const MAX_TRIES = 5;
const AUTHOR = Object.fromEntries(
  ['GIT_AUTHOR', 'GIT_COMMITTER'].flatMap((who) => [
    [`${who}_NAME`, 'firmware'],
    [`${who}_EMAIL`, 'firmware@users.noreply.github.com'],
  ]),
);

/** @param {string[]} args @param {{ env?: Record<string, string>, input?: string }} [options] */
const git = (args, { env = {}, input = '' } = {}) =>
  execFileSync('git', args, {
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0', ...env },
    input,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
    .toString()
    .trim();

/** @param {string} version */
const order = (version) => version.split('.').reduce((sum, part) => sum * 100 + Number(part), 0);

/** @param {string} remote */
function published(remote) {
  const [commit] = git(['ls-remote', remote, `refs/heads/${BRANCH}`]).split(/\s/);
  if (!commit) return undefined;
  git(['fetch', '--quiet', '--depth=1', '--no-tags', remote, `refs/heads/${BRANCH}`]);
  return git(['rev-parse', 'FETCH_HEAD']);
}

/** @param {string} commit */
function versionOf(commit) {
  if (git(['ls-tree', '--name-only', commit, FILE]) === '') return undefined;
  return JSON.parse(git(['show', `${commit}:${FILE}`])).version;
}

/**
 * The only commit of the branch, as the published prices make it: the files of `before` with the new one.
 * @param {string | undefined} before @param {string} version
 */
function makeCommit(before, version) {
  const scratch = mkdtempSync(join(tmpdir(), 'latest-'));
  try {
    const env = { ...AUTHOR, GIT_INDEX_FILE: join(scratch, 'index') };
    if (before) git(['read-tree', before], { env });
    const blob = git(['hash-object', '-w', '--stdin'], { input: `${JSON.stringify({ version })}\n` });
    git(['update-index', '--add', '--cacheinfo', `100644,${blob},${FILE}`], { env });
    return git(['commit-tree', git(['write-tree'], { env }), '-m', `Firmware ${version}`], { env });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const [version = '', remote = 'origin'] = process.argv.slice(2);
if (!/^\d+\.\d{1,2}\.\d{1,2}$/.test(version)) {
  console.error('usage: node boards/publish-latest.mjs VERSION [REMOTE], VERSION as 1.2.3 with parts up to 99');
  process.exit(2);
}
for (let left = MAX_TRIES; ; left -= 1) {
  const before = published(remote);
  const there = before && versionOf(before);
  if (there && order(there) >= order(version)) {
    console.log(`${there} is published and not older: nothing pushed`);
    break;
  }
  // Only over the commit that was read: the prices are published by another workflow at any moment.
  const lease = `--force-with-lease=refs/heads/${BRANCH}:${before ?? ''}`;
  try {
    git(['push', '--quiet', lease, remote, `${makeCommit(before, version)}:refs/heads/${BRANCH}`]);
    console.log(`${version} is the newest version`);
    break;
  } catch (error) {
    if (left <= 1) throw error;
  }
}
