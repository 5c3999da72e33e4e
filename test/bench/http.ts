/**
 * Rates of the API over HTTP on loopback beside a bare Express app that runs the same statements on the same database
 * and sends the same bytes: `npm run bench http [-- --vault DIR --documents 20000 --rounds 7 --ms 700 --only NAME]`. Product, peer
 * and clients are processes of their own; their rounds alternate, and each figure is the median of its rounds.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { DATABASE_FILE } from '../../src-main/app/core.ts';
import { openDatabase } from '../../src-main/platform/database/connection.ts';
import { createSigner, openSecretKey } from '../../src-main/platform/config/secret-key.ts';
import { Client } from '../support/client.ts';
import { serve } from '../support/serve.ts';
import type { Load, Loaded } from './http-load.ts';
import type { PeerOptions, Query } from './http-peer.ts';
import { peerQueries } from './http-queries.ts';
import { seed } from './seed-large.ts';

const MIN_RATIO = 0.6;
const MAX_P99_MS = 30;
/** Clients whose rate is compared, and clients whose slowest replies count. */
const [RATE_CLIENTS, SLOW_CLIENTS] = [4, 8];
/** Requests before the first round: as many as V8 needs to compile what a reply needs. */
const WARM_REQUESTS = 600;

const { values } = parseArgs({
  options: {
    vault: { type: 'string' },
    documents: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '7' },
    ms: { type: 'string', default: '700' },
    only: { type: 'string' },
  },
});
const rounds = Number(values.rounds),
  ms = Number(values.ms);
const folder = values.vault ?? mkdtempSync(join(tmpdir(), 'hearth-bench-'));
const file = join(folder, DATABASE_FILE);
const isFresh = !existsSync(file);
const db = openDatabase(file);
if (isFresh) seed(db, Number(values.documents));
db.prepare(
  'INSERT OR REPLACE INTO sessions (session_id, user_id, created_at, last_active_at, expires_at, ' +
    "ip_address, user_agent) VALUES ('bench', 1, '2026-01-01T00:00:00', ?, '2099-01-01T00:00:00', " +
    "'127.0.0.1', 'bench')",
).run(new Date().toISOString().slice(0, 19));

const median = (all: readonly number[]): number => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
const p99 = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
const child = (name: string): ChildProcess =>
  fork(fileURLToPath(new URL(name, import.meta.url)), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // JSON has no Infinity.
    serialization: 'advanced',
  });
/** Processor time of a process in ms; null where the system does not tell. */
function cpuOf({ pid }: ChildProcess): number | null {
  if (process.platform !== 'linux') return null;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const served = await serve({ vault: folder, env: { VAULT_PIPELINE_WATCH: 'false' } });
const clients = child('./http-load.ts');
const peer = child('./http-peer.ts');
try {
  const cookie = `vault_session=${createSigner(openSecretKey(folder), 'session').sign('bench', Date.now())}`;
  const ann = new Client(served.url);
  ann.cookie = cookie;
  const endpoints: { name: string; path: string; queries: readonly Query[]; reply: string }[] = [];
  for (const endpoint of peerQueries(db)) {
    if (values.only !== undefined && !endpoint.name.startsWith(values.only)) continue;
    const { status, body } = await ann.get(endpoint.path);
    if (status !== 200) throw new Error(`${endpoint.path}: ${status} ${JSON.stringify(body)}`);
    endpoints.push({ ...endpoint, reply: JSON.stringify(body) });
  }
  const options: PeerOptions = {
    database: file,
    routes: endpoints.map(({ queries, reply }, index) => ({ path: `/${index}`, queries, reply })),
  };
  peer.send(options);
  const [peerUrl] = (await once(peer, 'message')) as [string];
  const load = async (target: ChildProcess, request: Load): Promise<Loaded & { cpu: number | null }> => {
    const before = cpuOf(target);
    clients.send(request);
    const [loaded] = (await once(clients, 'message')) as [Loaded];
    const after = cpuOf(target);
    return { ...loaded, cpu: before === null || after === null ? null : (after - before) / loaded.times.length };
  };
  process.stdout.write(
    `${Number(db.prepare('SELECT count(*) FROM documents').pluck().get())} documents; rate: ${RATE_CLIENTS} clients, ` +
      `p99: ${SLOW_CLIENTS} clients; medians of ${rounds} rounds of ${ms} ms\n`,
  );
  let missed = 0;
  for (const [index, { name, path, reply }] of endpoints.entries()) {
    const sides = [
      { process: served.process, url: served.url, path, cookie },
      { process: peer, url: peerUrl, path: `/${index}`, cookie: '' },
    ].map((side) => ({ ...side, rates: [] as number[], slow: [] as number[], cpu: [] as number[] }));
    for (const { process: target, url, path: own, cookie: sent } of sides) {
      const warm = await load(target, {
        url,
        path: own,
        cookie: sent,
        ms: Infinity,
        clients: RATE_CLIENTS,
        requests: WARM_REQUESTS,
      });
      if (warm.body !== reply)
        throw new Error(`${url}${own} sends ${warm.body.length} characters, not ${reply.length}`);
    }
    for (let round = 0; round < rounds; round += 1)
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const request = { url: side.url, path: side.path, cookie: side.cookie, ms, requests: Infinity };
        const rate = await load(side.process, { ...request, clients: RATE_CLIENTS });
        side.rates.push((rate.times.length / rate.elapsed) * 1000);
        if (rate.cpu !== null) side.cpu.push(rate.cpu);
        side.slow.push(p99((await load(side.process, { ...request, clients: SLOW_CLIENTS })).times));
      }
    const [own, bare] = sides as [(typeof sides)[number], (typeof sides)[number]];
    const ratio = median(own.rates) / median(bare.rates),
      slowest = median(own.slow);
    const isMissed = ratio < MIN_RATIO || slowest >= MAX_P99_MS;
    if (isMissed) missed += 1;
    const shown = (value: number, digits = 0, width = 5): string => value.toFixed(digits).padStart(width);
    process.stdout.write(
      `${name.padEnd(16)} ${shown(Buffer.byteLength(reply) / 1000, 1)} kB  ${shown(median(own.rates))} of ` +
        `${shown(median(bare.rates))} a second, ratio ${ratio.toFixed(2)}; p99 ${shown(slowest, 1)} and ` +
        `${shown(median(bare.slow), 1)} ms; processor ${shown(median(own.cpu), 2)} and ` +
        `${shown(median(bare.cpu), 2)} ms a request${isMissed ? '  MISSED' : ''}\n`,
    );
  }
  const load1 = loadavg()[0] ?? 0;
  process.stdout.write(`load of the machine ${load1.toFixed(1)} on ${availableParallelism()} processors\n`);
  process.exitCode = missed === 0 ? 0 : 1;
} finally {
  clients.kill();
  peer.kill();
  await served.stop();
  db.close();
  if (!values.vault) rmSync(folder, { recursive: true, force: true });
}
