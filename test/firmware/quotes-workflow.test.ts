/** @module-tag long */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Market, startMarket } from '../fakes/market/market.ts';
import { describeWith } from '../support/requirements.ts';

const WORKFLOW = fileURLToPath(new URL('../../resources/quotes-workflow', import.meta.url));
const PUBLISH_LATEST = fileURLToPath(new URL('../../firmware/boards/publish-latest.mjs', import.meta.url));
const NESTLE = '3886335-4-1';
const ABB = '1222171-4-1';
const GONE = '999999-4-1';

let market: Market;
let place: string;
let clone: string;
let remote: string;

beforeAll(async () => {
  market = await startMarket();
});
afterAll(() => market.close());
beforeEach(() => {
  market.faultOf = () => undefined;
  market.seen.length = 0;
  market.listings.clear();
  market.listings.set(NESTLE, {
    price: 1234.5,
    previousClose: 1200,
    currency: 'CHF',
    name: 'NESTLE N',
    closes: Array.from({ length: 130 }, (_, day) => 1000 + day),
  });
  market.listings.set(ABB, {
    price: 50.02,
    previousClose: 50.5,
    currency: 'CHF',
    name: 'ABB LTD N',
    closes: [49, null, 51],
  });
  place = mkdtempSync(join(tmpdir(), 'quotes-test-'));
  remote = join(place, 'remote.git');
  clone = join(place, 'fork');
  git(place, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  git(place, 'clone', '--quiet', remote, clone);
  cpSync(WORKFLOW, clone, { recursive: true });
  config({ symbols: [{ key: NESTLE, name: 'Nestlé' }, { key: ABB }] });
  git(clone, 'add', '.');
  git(clone, '-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '--quiet', '-m', 'Prices');
  git(clone, 'push', '--quiet', 'origin', 'HEAD:main');
  return () => rmSync(place, { recursive: true, force: true });
});

describeWith({ gate: 'firmware', programs: ['git'] }, 'fetching', () => {
  test('writes the webhook object of each key and an index', async () => {
    const { code, out } = await fetchQuotes();
    expect(out).toContain('2 fetched, 0 failed');
    expect(code).toBe(0);
    const quote = written(NESTLE);
    expect(quote).toMatchObject({
      symbol: NESTLE,
      name: 'Nestlé',
      price: 1234.5,
      currency: 'CHF',
      change: 34.5,
      changePct: 2.88,
      range: '6MO',
      ok: true,
      updated: '2026-11-20T10:00:00.000Z',
      age: 0,
    });
    expect(quote.spark).toHaveLength(48);
    expect(quote.spark.at(-1)).toBe(1129);
    expect(written(ABB)).toMatchObject({ name: 'ABB LTD N', spark: [49, 51] });
    expect(written('index').quotes.map(({ key, ok }: { key: string; ok: boolean }) => [key, ok])).toEqual([
      [NESTLE, true],
      [ABB, true],
    ]);
  });

  test('sends queries that the portal accepts: one parameter, inline arguments', async () => {
    config({ range: '1mo', symbols: [{ key: ABB }] });
    await fetchQuotes();
    const documents = market.seen.map(({ path }) => new URL(path, 'http://x').searchParams.get('query'));
    expect(documents).toEqual([
      `query{quoteList(listingKeys:"${ABB}"){quoteList{edges{node{...on Instrument{lval iNetVperprV ` +
        'perfPercentage mCur mShortName}}}}}}',
      `query{integration{solid{chart(listingKey:"${ABB}" frequency:"1d" from:"2020-01-01" ` +
        'to:"2100-01-01" max:"22"){timeserie{prices{close}}}}}}',
    ]);
  });

  test('keeps an invalid listing key out of requests and paths, and fetches the others', async () => {
    config({
      symbols: [
        { key: '../../etc/passwd' },
        { key: '1-2-3"){x}' },
        { key: '1-2-3\n' },
        { key: 12 },
        { key: ABB },
        { key: ABB },
        { key: NESTLE, range: '7y' },
      ],
    });
    const { code, err } = await fetchQuotes();
    expect(code).toBe(3);
    expect(err).toContain('symbols[0]: "../../etc/passwd" is not a listing key');
    expect(err).toContain('listed twice');
    expect(err).toContain('"7y" is not a timeframe');
    expect(new Set(market.seen.map(({ symbol }) => symbol))).toEqual(new Set([ABB]));
    expect(readdirSync(join(clone, 'out/quotes')).sort()).toEqual([`${ABB}.json`, 'index.json']);
  });

  test.each([
    ['no file', undefined, 'cannot be read'],
    ['no JSON', '{"symbols": [', 'is not JSON'],
    ['no list', '{"symbols": {}}', 'no list "symbols"'],
    ['an empty list', '{"symbols": []}', 'lists no symbols'],
    ['a wrong common range', '{"range": "fortnight", "symbols": [{"key": "1-2-3"}]}', 'is not a timeframe'],
    ['null', 'null', 'must hold an object'],
  ])('rejects a configuration with %s, and says what to do', async (_name, text, said) => {
    if (text === undefined) rmSync(join(clone, 'quotes-config.json'));
    else writeFileSync(join(clone, 'quotes-config.json'), text);
    const { code, err } = await fetchQuotes();
    expect(code).toBe(2);
    expect(err).toContain(said);
    expect(existsSync(join(clone, 'out'))).toBe(false);
  });

  test('limits points to 0 to 60, and requests no series for 0', async () => {
    config({ points: 0, symbols: [{ key: NESTLE }, { key: ABB, points: 900 }] });
    await fetchQuotes();
    expect(written(NESTLE).spark).toEqual([]);
    expect(market.seen.filter(({ symbol }) => symbol === NESTLE)).toHaveLength(1);
    config({ points: 1, symbols: [{ key: NESTLE }] });
    await fetchQuotes();
    expect(written(NESTLE).spark).toEqual([1129]);
  });

  test('retries after a temporary failure, and not after a permanent one', async () => {
    let refusals = 0;
    market.faultOf = ({ symbol }) => (symbol === ABB && refusals++ === 0 ? { kind: 'status', status: 503 } : undefined);
    config({ symbols: [{ key: ABB }, { key: GONE }] });
    const { code, err } = await fetchQuotes();
    expect(code).toBe(3);
    expect(err).toContain(`${GONE}: the portal has no price for it; there is no earlier price to keep`);
    expect(market.seen.filter(({ symbol }) => symbol === ABB)).toHaveLength(3);
    expect(market.seen.filter(({ symbol }) => symbol === GONE)).toHaveLength(1);
  });

  test('writes the price with an empty sparkline when the series fails', async () => {
    market.faultOf = ({ path }) => (path.includes('timeserie') ? { kind: 'status', status: 404 } : undefined);
    expect((await fetchQuotes()).code).toBe(0);
    expect(written(ABB)).toMatchObject({ price: 50.02, spark: [], ok: true });
  });

  test('needs no network for recorded responses, and writes nothing in a dry run', async () => {
    const recorded = join(place, 'recorded');
    mkdirSync(recorded);
    writeFileSync(
      join(recorded, `${ABB}.quote.json`),
      JSON.stringify({
        data: {
          quoteList: {
            quoteList: {
              edges: [{ node: { lval: '1’234,50', iNetVperprV: '-34.50', perfPercentage: '', mCur: 'EUR' } }],
            },
          },
        },
      }),
    );
    config({ symbols: [{ key: ABB }] });
    const dry = await fetchQuotes('--fixtures', recorded, '--dry-run');
    expect(dry).toMatchObject({ code: 0, out: expect.stringContaining('dry run: 1 files not written') });
    expect(existsSync(join(clone, 'out'))).toBe(false);
    expect((await fetchQuotes('--fixtures', recorded)).code).toBe(0);
    expect(written(ABB)).toMatchObject({
      price: 1234.5,
      change: -34.5,
      changePct: -2.7187,
      currency: 'EUR',
      name: ABB,
      spark: [],
    });
    expect(market.seen).toEqual([]);
  });

  test('ends at its deadline; what it did not reach has failed', async () => {
    const { code, err } = await fetchQuotes('--budget', '0.000001');
    expect(code).toBe(1);
    expect(err).toContain('no time left');
    expect(market.seen).toEqual([]);
  });
});

describeWith({ gate: 'firmware', programs: ['git'] }, 'publishing', () => {
  test('force-pushes one commit without a parent that holds only the prices', async () => {
    await fetchQuotes();
    expect(push().said).toContain('pushed 3 files (first publication)');
    const first = published();
    market.listings.get(ABB)!.price = 51;
    await fetchQuotes();
    expect(push().said).toContain('pushed 3 files (changed)');
    const second = published();
    expect(second).not.toBe(first);
    expect(git(remote, 'rev-list', '--count', 'data')).toBe('1');
    expect(git(remote, 'log', '-1', '--format=%P', 'data')).toBe('');
    expect(git(remote, 'ls-tree', '-r', '--name-only', 'data').split('\n')).toEqual([
      `quotes/${ABB}.json`,
      `quotes/${NESTLE}.json`,
      'quotes/index.json',
    ]);
    expect(JSON.parse(git(remote, 'show', `data:quotes/${ABB}.json`)).price).toBe(51);
    // The clone itself is as it was: same branch, nothing staged.
    expect(git(clone, 'rev-parse', 'HEAD')).toBe(git(remote, 'rev-parse', 'main'));
    expect(git(clone, 'diff', '--cached', '--name-only')).toBe('');
  });

  test('does not push unchanged prices on the same day, but does on the next', async () => {
    await fetchQuotes();
    push();
    const first = published();
    await fetchQuotes('--now', '2026-11-20T10:15:00Z');
    expect(push('--now', '2026-11-20T10:15:00Z').said).toContain('unchanged: nothing pushed');
    expect(published()).toBe(first);
    await fetchQuotes('--now', '2026-11-21T00:02:00Z');
    expect(push('--now', '2026-11-21T00:02:00Z').said).toContain('(a new day)');
    expect(published()).not.toBe(first);
  });

  test('keeps the last good file of a failing key, first as ok with its age, later as not ok, until it recovers', async () => {
    await fetchQuotes();
    push();
    market.faultOf = ({ symbol }) => (symbol === ABB ? { kind: 'status', status: 404 } : undefined);
    const early = await fetchQuotes('--now', '2026-11-20T10:30:00Z');
    expect(early.code).toBe(3);
    expect(early.err).toContain('still shown');
    push('--now', '2026-11-20T10:30:00Z');
    const kept = (): Record<string, unknown> => JSON.parse(git(remote, 'show', `data:quotes/${ABB}.json`));
    expect(kept()).toMatchObject({
      price: 50.02,
      ok: true,
      stale: true,
      age: 1800,
      updated: '2026-11-20T10:00:00.000Z',
      error: 'the portal answered 404',
    });
    previous();
    expect((await fetchQuotes('--now', '2026-11-20T11:01:00Z')).err).toContain('marked as too old');
    push('--now', '2026-11-20T11:01:00Z');
    expect(kept()).toMatchObject({ price: 50.02, ok: false, age: 3660, updated: '2026-11-20T10:00:00.000Z' });
    market.faultOf = () => undefined;
    previous();
    expect((await fetchQuotes('--now', '2026-11-20T11:15:00Z')).code).toBe(0);
    push('--now', '2026-11-20T11:15:00Z');
    expect(kept()).toMatchObject({ ok: true, age: 0, updated: '2026-11-20T11:15:00.000Z' });
    expect(kept()).not.toHaveProperty('stale');
  });

  test('keeps the last prices marked as stale when every fetch fails, and sets the exit code', async () => {
    await fetchQuotes();
    push();
    market.faultOf = () => ({ kind: 'status', status: 403 });
    const { code } = await fetchQuotes('--now', '2026-11-20T12:00:00Z');
    expect(code).toBe(1);
    expect(push('--now', '2026-11-20T12:00:00Z').code).toBe(0);
    expect(JSON.parse(git(remote, 'show', 'data:quotes/index.json')).quotes).toMatchObject([
      { key: NESTLE, ok: false, age: 7200 },
      { key: ABB, ok: false, age: 7200 },
    ]);
  });

  test('leaves the branch unchanged when there is nothing to publish', () => {
    const { code, said } = push();
    expect(code).toBe(1);
    expect(said).toContain('holds no prices');
    expect(git(remote, 'branch', '--list', 'data')).toBe('');
  });

  test('removes a key that is no longer listed', async () => {
    await fetchQuotes();
    push();
    config({ symbols: [{ key: ABB }] });
    await fetchQuotes();
    push();
    expect(git(remote, 'ls-tree', '-r', '--name-only', 'data').split('\n')).toEqual([
      `quotes/${ABB}.json`,
      'quotes/index.json',
    ]);
  });

  test('pushes nothing in a dry run, and puts no URL with a secret on a command line', async () => {
    await fetchQuotes();
    expect(push('--dry-run').said).toContain('dry run: 3 files would be pushed');
    expect(git(remote, 'branch', '--list', 'data')).toBe('');
    const workflow = readFileSync(join(WORKFLOW, '.github/workflows/quotes.yml'), 'utf8');
    expect(workflow).not.toMatch(/secrets\.|github\.token|GITHUB_TOKEN|x-access-token/);
    expect(workflow).toContain("cron: '2,17,32,47 * * * *'");
  });

  test('keeps what another workflow published on the branch', async () => {
    await fetchQuotes();
    push();
    const latest = (version: string): string =>
      execFileSync(process.execPath, [PUBLISH_LATEST, version], { cwd: clone, encoding: 'utf8', stdio: 'pipe' });
    expect(latest('1.2.3')).toContain('1.2.3 is the newest version');
    market.listings.get(ABB)!.price = 52;
    config({ symbols: [{ key: ABB }] });
    await fetchQuotes();
    push();
    const files = git(remote, 'ls-tree', '-r', '--name-only', 'data').split('\n');
    expect(files).toEqual(['firmware/latest.json', `quotes/${ABB}.json`, 'quotes/index.json']);
    expect(git(remote, 'show', 'data:firmware/latest.json')).toBe('{"version":"1.2.3"}');
    expect(git(remote, 'rev-list', '--count', 'data')).toBe('1');
    expect(latest('1.2.3')).toContain('nothing pushed');
    expect(latest('1.1.9')).toContain('nothing pushed');
    expect(latest('1.10.0')).toContain('1.10.0 is the newest version');
    expect(JSON.parse(git(remote, 'show', `data:quotes/${ABB}.json`)).price).toBe(52);
  });

  test('does not undo a newer run', async () => {
    await fetchQuotes();
    push();
    const trap = join(clone, '.git/hooks/pre-push');
    writeFileSync(
      trap,
      `#!/bin/sh\ngit -C "${remote}" update-ref refs/heads/data "$(git -C "${remote}" rev-parse main)"\n`,
      { mode: 0o755 },
    );
    market.listings.get(ABB)!.price = 52;
    await fetchQuotes();
    expect(push().code).toBe(1);
    expect(published()).toBe(git(remote, 'rev-parse', 'main'));
  });
});

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}
const published = (): string => git(remote, 'rev-parse', 'data');
const config = (value: unknown): void => writeFileSync(join(clone, 'quotes-config.json'), JSON.stringify(value));
const written = (name: string) => JSON.parse(readFileSync(join(clone, `out/quotes/${name}.json`), 'utf8'));

/** As the workflow does it: the published files first, then the fetcher. A later `--now` overrides the first. */
async function fetchQuotes(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  previous();
  const child = spawn(
    process.execPath,
    ['quotes/fetch.mjs', '--portal', `${market.url}/_/api/graphql/prod`, '--now', '2026-11-20T10:00:00Z', ...args],
    { cwd: clone, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  return new Promise((resolve) => void child.once('close', (code) => resolve({ code, out, err })));
}
function previous(): void {
  execFileSync(process.execPath, ['quotes/publish.mjs', 'previous'], { cwd: clone, stdio: 'ignore' });
}
function push(...args: string[]): { code: number; said: string } {
  try {
    return {
      code: 0,
      said: execFileSync(process.execPath, ['quotes/publish.mjs', 'push', '--now', '2026-11-20T10:00:00Z', ...args], {
        cwd: clone,
        encoding: 'utf8',
        stdio: 'pipe',
      }),
    };
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
    return { code: status, said: stdout + stderr };
  }
}
