/**
 * How long the household waits while recipients of shares read: `npm run bench:shares [-- --recipients 200 --waiters 50
 * --page-seconds 60 --seconds 60]`. Each recipient has opened a share of the real service with a code, and asks every
 * 30 seconds whether its session goes on, as the page of recipients does. It looks at a page for `page-seconds` on
 * average, from half of it to one and a half, before it fetches the next one. Each waiter asks every 5 seconds for the
 * seat of a recipient. Meanwhile the household asks for its pages, one after the other. The recipients are a process of
 * their own, on the same two processors.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PDFDocument } from '@cantoo/pdf-lib';
import PQueue from 'p-queue';
import { Client } from '../support/client.ts';
import { watchMemory } from '../support/memory.ts';
import { SERVE } from '../support/program.ts';
import { labReport, letter, photographedPage, scanned } from '../support/sample-documents.ts';
import { serve } from '../support/serve.ts';
import type { Read, Visit, Visitors } from './shares-visitors.ts';

const { values } = parseArgs({
  options: {
    recipients: { type: 'string', default: '200' },
    waiters: { type: 'string', default: '50' },
    'page-seconds': { type: 'string', default: '60' },
    seconds: { type: 'string', default: '60' },
  },
});
const [RECIPIENTS, WAITERS, PAGE_SECONDS, SECONDS] = [
  values.recipients,
  values.waiters,
  values['page-seconds'],
  values.seconds,
].map(Number) as [number, number, number, number];
/** The median that the household may wait. */
const LIMIT_MS = 50;
/** Half of the pages have to come within this time: whoever waits longer believes that the page is broken. */
const PAGE_LIMIT_MS = 2000;
const PROCESSORS = 2;
/** Recipients enter a code at the same time; more than the service takes are refused. */
const ENTERING = 4;
const PAUSE_MS = 50;
const MIB = 2 ** 20;
const LOOP = new URL('./loop-delay.ts', import.meta.url).href;

const SENTENCE =
  'Die Patientin wurde heute untersucht und berichtet über Beschwerden im Bereich der Schulter seit Januar.';

/** Papers as doctors share them: reports of one page, letters of several, and scans. */
async function papers(): Promise<{ name: string; bytes: Uint8Array }[]> {
  const lines = (page: number) =>
    Array.from({ length: 38 }, (_, n) => ({ text: `${page}.${n} ${SENTENCE}`.slice(0, 96), y: 70 + n * 19, size: 10 }));
  const scan = await PDFDocument.create();
  const picture = await scan.embedPng(
    await scanned(Array.from({ length: 28 }, (_, n) => `${n} ${SENTENCE.slice(0, 60)}`)),
  );
  for (let page = 0; page < 2; page += 1)
    scan.addPage([595, 842]).drawImage(picture, { x: 0, y: 0, width: 595, height: 842 });
  return [
    ...(await Promise.all(
      Array.from({ length: 4 }, async (_, seed) => ({ name: `report-${seed}.pdf`, bytes: await labReport({ seed }) })),
    )),
    { name: 'letter.pdf', bytes: await letter([1, 2, 3].map(lines)) },
    { name: 'discharge.pdf', bytes: await letter([4, 5, 6, 7, 8].map(lines)) },
    { name: 'scan.pdf', bytes: await scan.save() },
    { name: 'photo.jpg', bytes: await photographedPage() },
  ];
}

const person = async (url: string): Promise<{ client: Client; documents: number[] }> => {
  const client = new Client(url);
  await client.setup();
  const documents: number[] = [];
  for (const { name, bytes } of await papers()) {
    const { body } = await client.upload(bytes, name);
    documents.push(body.document_id);
  }
  await client.idle(180);
  const { items } = (await client.get('/api/documents?limit=50')).body as { items: { id: number }[] };
  return { client, documents: documents.filter((id) => items.some((item) => item.id === id)) };
};

/** Enters a share with a code, as a recipient does; the cookie of the seat, or of the place in the queue. */
async function enter(client: Client, door: string, shareId: string, token: string, address: string): Promise<string> {
  const headers = {
    'X-Requested-With': 'XMLHttpRequest',
    'X-Forwarded-For': address,
    'content-type': 'application/json',
  };
  await fetch(`${door}/api/share/${token}/request-otp`, { method: 'POST', headers });
  let code: string | undefined;
  while (code === undefined) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    code = (await client.get(`/api/shares/${shareId}/active-otp`)).body.active_otp?.code;
  }
  const reply = await fetch(`${door}/api/share/${token}/verify-otp`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ code }),
  });
  if (!reply.ok) throw new Error(`a recipient was not let in: ${reply.status} ${await reply.text()}`);
  return reply.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
}

/** Shares three of the papers with each recipient; some of them have somebody who waits. */
async function openShares(client: Client, door: string, documents: readonly number[]): Promise<Visit[]> {
  const entering = new PQueue({ concurrency: ENTERING });
  const visits: Visit[] = [];
  await Promise.all(
    Array.from({ length: RECIPIENTS }, (_, n) =>
      entering.add(async () => {
        const shared = [0, 1, 2].map((offset) => documents[(n + offset * 3) % documents.length]!);
        const { body } = await client.post('/api/shares', {
          patient_id: 1,
          document_ids: [...new Set(shared)],
          recipient_label: `Dr. med. Regula Aebischer ${n}`,
        });
        const token = String(body.share_url).split('/').at(-1) ?? '';
        const address = (device: number): string => `10.${device}.${n >> 8}.${n & 255}`;
        visits.push({ kind: 'reader', cookie: await enter(client, door, body.share_id, token, address(1)) });
        if (n < WAITERS)
          visits.push({ kind: 'waiter', cookie: await enter(client, door, body.share_id, token, address(2)) });
      }),
    ),
  );
  return visits;
}

const PATHS = [
  '/api/documents?limit=50',
  '/api/documents?q=ferritin',
  '/api/documents/1',
  '/api/today',
  '/api/lab-results?patient_id=1',
  '/api/shares',
  '/api/pipeline/status',
  '/api/patients',
];

/** Asks for the pages of the household one after the other, until this time. */
async function live(client: Client, until: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; Date.now() < until; n += 1) {
    const start = performance.now();
    const { status } = await client.get(PATHS[n % PATHS.length]!);
    if (status !== 200) throw new Error(`${PATHS[n % PATHS.length]} answered ${status}`);
    times.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return times;
}

const at = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
let missed = 0;
function report(name: string, times: readonly number[], limit = Infinity): void {
  const median = at(times, 0.5);
  const isMissed = times.length === 0 || median > limit;
  if (isMissed) missed += 1;
  const bound = limit === Infinity ? '' : `  median under ${limit} ms${isMissed ? '  MISSED' : ''}`;
  const figures = [0.5, 0.95, 1].map((share) => at(times, share).toFixed(1).padStart(8)).join('');
  process.stdout.write(
    `${name.padEnd(40)} ${String(times.length).padStart(6)} replies, p50 p95 max${figures} ms${bound}\n`,
  );
}

/** `0 requests failed`, or with each reason: `2 requests failed (503 server.busy 2)`. */
function describe({ failures, stale }: Read): string {
  const reasons = Object.entries(failures).map(([reason, times]) => `${reason} ${times}`);
  const failed = Object.values(failures).reduce((sum, times) => sum + times, 0);
  return (
    `${failed} requests failed${failed > 0 ? ` (${reasons.join(', ')})` : ''}; ${stale} idle connections had ended when ` +
    'they were used again'
  );
}

async function visit(visitors: ChildProcess, order: Visitors): Promise<Read> {
  const answered = once(visitors, 'message') as Promise<[Read]>;
  visitors.send(order);
  return (await answered)[0];
}

const delays = join(tmpdir(), `hearth-bench-shares-${process.pid}.json`);
const served = await serve({
  program: ['--import', LOOP, SERVE],
  // On more processors the two would be others than those that are measured.
  through: availableParallelism() > PROCESSORS ? ['taskset', '--cpu-list', '0,1'] : [],
  env: {
    VAULT_PIPELINE_WATCH: 'false',
    VAULT_SHARE_LISTEN: 'always',
    VAULT_SHARE_TRUSTED_PROXY: '127.0.0.1',
    LOOP_DELAY_FILE: delays,
  },
});
const visitors = fork(fileURLToPath(new URL('./shares-visitors.ts', import.meta.url)));
try {
  const { client, documents } = await person(served.url);
  const door = served.shareUrl ?? '';
  const start = performance.now();
  const visits = await openShares(client, door, documents);
  process.stdout.write(
    `${RECIPIENTS} recipients and ${WAITERS} waiters came in ${((performance.now() - start) / 1000).toFixed(0)} s; a page ` +
      `is looked at for ${PAGE_SECONDS} s on average; load of the machine ${loadavg()[0]?.toFixed(1)}\n`,
  );
  report('the household alone', await live(client, Date.now() + 3000));
  const memory = watchMemory(served.process.pid!);
  served.process.kill('SIGUSR2');
  const [read, times] = await Promise.all([
    visit(visitors, { door, visits, pageSeconds: PAGE_SECONDS, seconds: SECONDS }),
    live(client, Date.now() + SECONDS * 1000),
  ]);
  await served.stop();
  const { worked } = JSON.parse(readFileSync(delays, 'utf8')) as { worked: { p99: number; max: number } };
  report('the household meanwhile', times, LIMIT_MS);
  report('recipients: a page', read.pages, PAGE_LIMIT_MS);
  report('recipients: whether the session goes on', read.checks);
  if (WAITERS > 0) report('waiters: whether the seat is free', read.claims);
  process.stdout.write(
    `${(read.pages.length / SECONDS).toFixed(1)} pages a second, ${(read.bytes / read.pages.length / 1024).toFixed(0)} kB ` +
      `each; at most ${Math.round((memory() ?? 0) / MIB)} MB; longest work of the event loop ${worked.max.toFixed(0)} ms, ` +
      `p99 ${worked.p99.toFixed(1)} ms; ${describe(read)}\n`,
  );
  if (Object.keys(read.failures).length > 0) missed += 1;
} finally {
  visitors.kill();
  await served.remove();
  rmSync(delays, { force: true });
}
process.exitCode = missed > 0 ? 1 : 0;
