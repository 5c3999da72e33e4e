/**
 * `node test/crash/backup-load.ts --seconds 60 --rate 20 --backups 3`: backups are made while people upload at a steady rate and the
 * reader works; each is then restored into an empty place, compared as a whole, and searched for every upload that was answered before
 * it was begun.
 */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { BackupOverview } from '../../src-shared/contract/vault-backups.ts';
import { Client } from '../support/client.ts';
import { hearth } from '../support/command.ts';
import { labReport } from '../support/sample-documents.ts';
import { serve } from '../support/serve.ts';

interface BackupResult {
  kind: 'folder' | 'archive';
  seconds: number;
  /** Uploads that had been answered when it was begun, and while it went on. */
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
  refused: number;
  slowestAnswerMs: number;
  medianAnswerMs: number;
  backups: BackupResult[];
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Uploads at a steady rate, whether or not earlier ones have been answered: as many people, not one after the other. */
async function uploadAtRate(
  client: Client,
  paper: Uint8Array,
  {
    rate,
    until,
    answered,
    waits,
  }: { rate: number; until: () => boolean; answered: Map<string, number>; waits: number[] },
): Promise<{ sent: number; refused: number }> {
  const open = new Set<Promise<void>>();
  const begun = performance.now();
  let sent = 0,
    refused = 0;
  while (!until()) {
    const n = (sent += 1);
    const bytes = Buffer.concat([paper, Buffer.from(`\n% ${n}\n`)]);
    const from = performance.now();
    const one = client.upload(bytes, `paper-${n}.pdf`).then(({ status }) => {
      waits.push(performance.now() - from);
      if (status === 201) answered.set(sha256(bytes), performance.now());
      else refused += 1;
    });
    open.add(one);
    void one.finally(() => open.delete(one));
    await sleep(Math.max(0, begun + (sent * 1000) / rate - performance.now()));
  }
  await Promise.all(open);
  return { sent, refused };
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

/** Restores into an empty place and answers what is wrong there. */
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

/** Runs the whole of it on a vault of its own, which goes afterwards. */
export async function backupUnderLoad({
  seconds,
  rate,
  backups,
  say,
}: {
  seconds: number;
  rate: number;
  backups: number;
  say: (line: string) => void;
}): Promise<LoadReport> {
  const place = mkdtempSync(join(tmpdir(), 'hearth-load-'));
  const env = { XDG_CONFIG_HOME: join(place, 'config') };
  const disk = join(place, 'disk'),
    vault = join(place, 'vault');
  for (const folder of [env.XDG_CONFIG_HOME, disk]) mkdirSync(folder);
  const served = await serve({ vault, env });
  try {
    const client = new Client(served.url);
    await client.setup();
    const { status } = await client.call('PUT', '/api/settings/backup/plan', {
      folder: disk,
      every: 'off',
      at: '03:30',
      keep_daily: 7,
      keep_weekly: 5,
      keep_monthly: 12,
      include_secrets: false,
    });
    if (status !== 200) throw new Error('the folder for backups was refused');
    const answered = new Map<string, number>();
    const waits: number[] = [];
    const begun = performance.now();
    let finished = false;
    const uploads = uploadAtRate(client, await labReport(), { rate, until: () => finished, answered, waits });
    const made: { kind: BackupResult['kind']; source: string; from: number; to: number; files: number }[] = [];
    for (let n = 1; n <= backups; n += 1) {
      // Spread over the time, each among uploads.
      await sleep(Math.max(0, begun + (seconds * 1000 * n) / (backups + 1) - performance.now()));
      const from = performance.now();
      const { name, status: ended, files } = await makeBackup(client);
      made.push({
        kind: 'folder',
        source: join(disk, 'snapshots', `${name}.json`),
        from,
        to: performance.now(),
        files,
      });
      say(`backup ${n}: ${ended}, ${files} files`);
    }
    const archive = join(place, 'archive.zip');
    const from = performance.now();
    const packed = await hearth(['backup', archive, '--vault', vault], env);
    say(`archive: ${packed.said.trim()}`);
    if (existsSync(archive))
      made.push({
        kind: 'archive',
        source: archive,
        from,
        to: performance.now(),
        files: Number(/^(\d+) files/m.exec(packed.said)?.[1]),
      });
    await sleep(Math.max(0, begun + seconds * 1000 - performance.now()));
    finished = true;
    const { sent, refused } = await uploads;
    const took = (performance.now() - begun) / 1000;
    await served.stop('SIGTERM');
    const results: BackupResult[] = [];
    for (const [n, backup] of made.entries()) {
      const wanted = [...answered].filter(([, at]) => at < backup.from).map(([hash]) => hash);
      const during = [...answered.values()].filter((at) => at >= backup.from && at <= backup.to).length;
      const root = join(place, `restored-${n}`, 'vault');
      mkdirSync(join(place, `restored-${n}`));
      results.push({
        kind: backup.kind,
        seconds: (backup.to - backup.from) / 1000,
        before: wanted.length,
        during,
        files: backup.files,
        faults: await faultsOf(backup.source, root, wanted, env),
      });
    }
    waits.sort((a, b) => a - b);
    return {
      uploads: sent,
      seconds: took,
      perSecond: sent / took,
      refused,
      slowestAnswerMs: waits.at(-1) ?? 0,
      medianAnswerMs: waits[waits.length >> 1] ?? 0,
      backups: results,
    };
  } finally {
    await served.stop('SIGKILL');
    rmSync(place, { recursive: true, force: true });
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
  process.exitCode = report.refused > 0 || report.backups.some((backup) => backup.faults.length > 0) ? 1 : 0;
}
