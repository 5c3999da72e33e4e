/**
 * How soon a large file of an encrypted phone backup starts to arrive, and how fast it comes, through the service:
 * `npm run bench downloads [-- --mb 1024]`.
 */
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileIdOf, generateBackup } from '../fixtures/ios-backup/generate.ts';
import { watchMemory } from '../support/memory.ts';
import { BACKUP_PASSWORD, phoneClient, TOKEN } from '../support/phones.ts';
import { serve } from '../support/serve.ts';

const { values } = parseArgs({ options: { mb: { type: 'string', default: '1024' } } });
const MEGABYTES = Number(values.mb);
const MIB = 1024 * 1024;
const FIRST_BYTE_MS = 300;
const root = mkdtempSync(join(tmpdir(), 'hearth-bench-downloads-'));
const base = join(root, 'backups'),
  temp = join(root, 'temp');
process.on('exit', () => rmSync(root, { recursive: true, force: true }));

/** A file of random bytes, one piece at a time. */
function largeFile(path: string): string {
  const file = openSync(path, 'w'),
    piece = randomBytes(MIB);
  for (let i = 0; i < MEGABYTES; i += 1) {
    piece.writeUInt32BE(i);
    writeSync(file, piece);
  }
  closeSync(file);
  return path;
}

/** Decrypted bytes on disk. */
const inTemp = (): number =>
  readdirSync(temp, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);

let failed = 0;
function report(name: string, ok: boolean, figures: string): void {
  if (!ok) failed += 1;
  process.stdout.write(`${ok ? 'ok  ' : 'OVER'} ${name.padEnd(40)} ${figures}\n`);
}

const file = largeFile(join(root, 'large.bin'));
await generateBackup({
  folder: join(base, 'phone'),
  entries: [{ domain: 'MediaDomain', path: 'large.mov', content: { file } }],
  keybag: { password: BACKUP_PASSWORD, firstRounds: 10 },
});
rmSync(file);
const served = await serve({
  env: { BACKUP_PATHS__BASE_PATH: base, BACKUP_PATHS__TEMP_PATH: temp, SECURITY__API_TOKEN: TOKEN },
});
const address = `${served.backupsUrl}/backups/phone/file/${fileIdOf('MediaDomain', 'large.mov')}`;

interface Download {
  firstMs: number;
  seconds: number;
  bytes: number;
  /** Decrypted bytes on disk when the first ones arrived. */
  onDisk: number;
}

/** Requests the file; `isWhole` reads all of it, otherwise the connection ends after the first bytes. */
async function download(session: string, { range = '', isWhole = false }): Promise<Download> {
  const headers = { 'X-API-Token': TOKEN, 'X-Backup-Session': session, ...(range !== '' && { range }) };
  const start = performance.now();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(address, { headers }, resolve).on('error', reject);
  });
  let firstMs = 0,
    bytes = 0,
    onDisk = 0;
  for await (const chunk of response) {
    if (bytes === 0) [firstMs, onDisk] = [performance.now() - start, inTemp()];
    bytes += (chunk as Buffer).length;
    if (!isWhole) break;
  }
  return { firstMs, onDisk, bytes, seconds: (performance.now() - start) / 1000 };
}

try {
  const phone = phoneClient(served.backupsUrl);
  await phone.get('/backups');
  const first: Download[] = [];
  for (let round = 0; round < 5; round += 1) {
    // A new session, so that neither keys nor pages of the file are in memory.
    const session = await phone.unlock('phone');
    first.push(await download(session, {}));
    await phone.post('/backups/phone/lock', undefined, session);
  }
  const times = first.map(({ firstMs }) => firstMs).toSorted((a, b) => a - b);
  const most = Math.max(...first.map(({ onDisk }) => onDisk));
  report(
    `first byte of ${MEGABYTES} MB`,
    times.at(-1)! < FIRST_BYTE_MS,
    `p50 ${times[2]!.toFixed(0)} ms, slowest ${times.at(-1)!.toFixed(0)} ms, under ${FIRST_BYTE_MS}`,
  );
  report('decrypted bytes on disk by then', most < MIB, `${most}, less than 1 MB`);
  const session = await phone.unlock('phone');
  const middle = Math.floor((MEGABYTES * MIB) / 2) + 7;
  const range = await download(session, { range: `bytes=${middle}-${middle + 65_535}`, isWhole: true });
  report('64 KiB in its middle', range.firstMs < FIRST_BYTE_MS, `${range.firstMs.toFixed(0)} ms`);
  const largest = watchMemory(served.process.pid!);
  const whole = await download(session, { isWhole: true });
  report(
    'the whole file',
    whole.bytes === MEGABYTES * MIB,
    `${whole.seconds.toFixed(1)} s, ${(MEGABYTES / whole.seconds).toFixed(0)} MB/s, ` +
      `at most ${Math.round((largest() ?? 0) / MIB)} MB of memory`,
  );
} finally {
  await served.remove();
}
process.exitCode = failed === 0 ? 0 : 1;
