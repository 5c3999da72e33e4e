/**
 * `node test/crash/backup-load.ts --seconds 60 --rate 20 --backups 3`: backups are made while people upload at a steady
 * rate and the
 * reader works; each is then restored into an empty place, compared as a whole, and searched for every upload that was
 * answered before
 * it was begun.
 */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect, parseArgs } from 'node:util';
import type { BackupOverview } from '../../src-shared/contract/vault-backups.ts';
import { Client } from '../support/client.ts';
import { hearth } from '../support/command.ts';
import { labReport } from '../support/sample-documents.ts';
import { serve } from '../support/serve.ts';

interface BackupResult {
  kind: 'folder' | 'archive';
  seconds: number;
  /** Uploads that had been answered when it was begun, and those that were under way while it went on. */
  before: number;
  during: number;
  files: number;
  /** What is wrong with it once restored; empty when it is clean. */
  faults: string[];
}
export interface LoadReport {
  uploads: number;
  seconds: number;
  perSecond: number;
  /** Why uploads were refused, each reason once. */
  refusals: string[];
  slowestAnswerMs: number;
  medianAnswerMs: number;
  backups: BackupResult[];
}

/** Uploads that may be unanswered at a time, in seconds of the rate; more only delay the backups of a slow disk. */
const MAX_SECONDS_OPEN = 0.25;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Times of an upload, in milliseconds of this process. */
interface Upload {
  hash: string;
  sentAt: number;
  answeredAt: number;
}

/** Uploads that go on whether or not earlier ones have been answered, as of many people. */
function createUploads(client: Client, paper: Uint8Array) {
  const answered: Upload[] = [];
  const open = new Set<Promise<void>>();
  const refusals = new Set<string>();
  let sent = 0;
  const send = (): Promise<void> => {
    const n = (sent += 1);
    const bytes = Buffer.concat([paper, Buffer.from(`\n% ${n}\n`)]);
    const sentAt = performance.now();
    const one = client.upload(bytes, `paper-${n}.pdf`).then(({ status, body }) => {
      if (status === 201) answered.push({ hash: sha256(bytes), sentAt, answeredAt: performance.now() });
      else refusals.add(`${status} ${JSON.stringify(body)}`);
    });
    open.add(one);
    void one.then(
      () => open.delete(one),
      (error: unknown) => {
        refusals.add(inspect(error));
        open.delete(one);
      },
    );
    return one;
  };
  return {
    answered,
    send,
    counts: () => ({ sent, refusals: [...refusals] }),
    async sendAtRate(rate: number, until: () => boolean): Promise<void> {
      const begun = performance.now();
      for (let n = 1; !until(); n += 1) {
        // A machine that falls behind gets no longer queue: it would prove no more, and end in timeouts.
        if (open.size < MAX_SECONDS_OPEN * rate) void send().catch(() => undefined);
        await sleep(Math.max(0, begun + (n * 1000) / rate - performance.now()));
      }
      await Promise.allSettled(open);
    },
  };
}
type Uploads = ReturnType<typeof createUploads>;

/** Does `work` while at least one upload is under way; returns when it began and ended. */
async function besideUploads<T>(
  uploads: Uploads,
  work: () => Promise<T>,
): Promise<{ from: number; to: number; result: T }> {
  await uploads.send();
  const beside = uploads.send();
  const from = performance.now();
  const result = await work();
  const to = performance.now();
  await beside;
  return { from, to, result };
}

async function makeBackup(client: Client): Promise<{ name: string; status: string; files: number }> {
  const { status, body } = await client.post('/api/settings/backup/run');
  if (status !== 202) throw new Error(`a backup was refused: ${JSON.stringify(body)}`);
  for (;;) {
    const now = (await client.get('/api/settings/backup/files')).body as BackupOverview;
    if (now.running === null) return now.items[0]!;
    await sleep(100);
  }
}

/** Restores into an empty folder and returns the problems found there. */
async function faultsOf(
  source: string,
  root: string,
  wanted: readonly string[],
  env: Record<string, string>,
): Promise<string[]> {
  const restored = await hearth(['restore', source, '--vault', root], env);
  if (restored.code !== 0) return [restored.said];
  const verified = await hearth(['verify', '--vault', root], env);
  const found = new Set<string>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) found.add(await hashOf(join(entry.parentPath, entry.name)));
  }
  return [
    ...(verified.code === 0 ? [] : [verified.said]),
    ...wanted.filter((hash) => !found.has(hash)).map((hash) => `an answered upload is not in it: ${hash}`),
  ];
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

interface Load {
  seconds: number;
  rate: number;
  backups: number;
  say: (line: string) => void;
}
interface MadeBackup {
  kind: BackupResult['kind'];
  source: string;
  from: number;
  to: number;
  files: number;
}
interface Place {
  root: string;
  disk: string;
  vault: string;
  env: Record<string, string>;
}

function makePlace(): Place {
  const root = mkdtempSync(join(tmpdir(), 'hearth-load-'));
  const env = { XDG_CONFIG_HOME: join(root, 'config') };
  const disk = join(root, 'disk');
  for (const folder of [env.XDG_CONFIG_HOME, disk]) mkdirSync(folder);
  return { root, disk, vault: join(root, 'vault'), env };
}

async function planBackups(client: Client, folder: string): Promise<void> {
  const plan = { folder, every: 'off', at: '03:30', include_secrets: false };
  const keep = { keep_daily: 7, keep_weekly: 5, keep_monthly: 12 };
  const { status } = await client.call('PUT', '/api/settings/backup/plan', { ...plan, ...keep });
  if (status !== 200) throw new Error('the folder for backups was refused');
}

/** Backups into a folder, spread over the time, and then one into an archive; each beside uploads. */
async function makeBackups(client: Client, uploads: Uploads, place: Place, load: Load): Promise<MadeBackup[]> {
  const made: MadeBackup[] = [];
  const begun = performance.now();
  for (let n = 1; n <= load.backups; n += 1) {
    await sleep(Math.max(0, begun + (load.seconds * 1000 * n) / (load.backups + 1) - performance.now()));
    const { from, to, result } = await besideUploads(uploads, () => makeBackup(client));
    const source = join(place.disk, 'snapshots', `${result.name}.json`);
    made.push({ kind: 'folder', source, from, to, files: result.files });
    load.say(`backup ${n}: ${result.status}, ${result.files} files`);
  }
  const archive = join(place.root, 'archive.zip');
  const pack = () => hearth(['backup', archive, '--vault', place.vault], place.env);
  const { from, to, result: packed } = await besideUploads(uploads, pack);
  load.say(`archive: ${packed.said.trim()}`);
  const files = Number(/^(\d+) files/m.exec(packed.said)?.[1]);
  if (existsSync(archive)) made.push({ kind: 'archive', source: archive, from, to, files });
  await sleep(Math.max(0, begun + load.seconds * 1000 - performance.now()));
  return made;
}

/** Restores a backup and compares it with the uploads that were answered before it began. */
async function judge(backup: MadeBackup, uploads: readonly Upload[], place: Place, n: number): Promise<BackupResult> {
  const wanted = uploads.filter(({ answeredAt }) => answeredAt < backup.from).map(({ hash }) => hash);
  const during = uploads.filter(({ sentAt, answeredAt }) => sentAt <= backup.to && answeredAt >= backup.from).length;
  const folder = join(place.root, `restored-${n}`);
  mkdirSync(folder);
  return {
    kind: backup.kind,
    seconds: (backup.to - backup.from) / 1000,
    before: wanted.length,
    during,
    files: backup.files,
    faults: await faultsOf(backup.source, join(folder, 'vault'), wanted, place.env),
  };
}

/** Runs the whole of it on a vault of its own, which is removed afterwards. */
export async function backupUnderLoad(load: Load): Promise<LoadReport> {
  const place = makePlace();
  const served = await serve({ vault: place.vault, env: place.env });
  try {
    const client = new Client(served.url);
    await client.setup();
    await planBackups(client, place.disk);
    const uploads = createUploads(client, await labReport());
    const begun = performance.now();
    let finished = false;
    const sending = uploads.sendAtRate(load.rate, () => finished);
    const made = await makeBackups(client, uploads, place, load).finally(() => {
      finished = true;
    });
    await sending;
    const took = (performance.now() - begun) / 1000;
    await served.stop('SIGTERM');
    const backups: BackupResult[] = [];
    for (const [n, backup] of made.entries()) backups.push(await judge(backup, uploads.answered, place, n));
    const waits = uploads.answered.map(({ sentAt, answeredAt }) => answeredAt - sentAt).sort((a, b) => a - b);
    const { sent, refusals } = uploads.counts();
    return {
      uploads: sent,
      seconds: took,
      perSecond: sent / took,
      refusals,
      slowestAnswerMs: waits.at(-1) ?? 0,
      medianAnswerMs: waits[waits.length >> 1] ?? 0,
      backups,
    };
  } finally {
    await served.stop('SIGKILL');
    rmSync(place.root, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '60' },
      rate: { type: 'string', default: '20' },
      backups: { type: 'string', default: '3' },
    },
  });
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const report = await backupUnderLoad({
    seconds: Number(values.seconds),
    rate: Number(values.rate),
    backups: Number(values.backups),
    say,
  });
  say(JSON.stringify(report, null, 2));
  process.exitCode = report.refusals.length > 0 || report.backups.some((backup) => backup.faults.length > 0) ? 1 : 0;
}
