/**
 * The axis of a life over 100 000 documents and 500 000 results, by HTTP on loopback: `npm run bench timeline [--
 * --vault DIR]`.
 * `cold`: something was written before every call, so that nothing that was kept counts.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createSigner, openSecretKey } from '../../src-main/platform/config/secret-key.ts';
import { DATABASE_FILE } from '../../src-main/app/core.ts';
import { openDatabase, type Database } from '../../src-main/platform/database/connection.ts';
import { Client } from '../support/client.ts';
import { serve } from '../support/serve.ts';
import { seed } from './seed-large.ts';

const LIMIT_MS = 50;
const CALLS = 25;
const EVENTS = 1200;
const IN_EVENT = 20;

/** Events over all years and patients, each with documents. */
function seedEvents(db: Database): void {
  const insert = db.prepare(
    'INSERT INTO events (patient_id, title, slug, event_type, date_start, date_end, ' +
      "norm_specialty_id, created_at, updated_at) VALUES (?, ?, ?, 'diagnosis', ?, ?, ?, " +
      "'2026-01-01T00:00:00', '2026-01-01T00:00:00')",
  );
  const link = db.prepare(
    'INSERT OR IGNORE INTO event_documents (event_id, document_id, relevance) SELECT ?, id, ' +
      "'primary' FROM documents WHERE id = ?",
  );
  db.transaction(() => {
    for (let n = 0; n < EVENTS; n += 1) {
      const month = `${2000 + (n % 26)}-${String(1 + (n % 12)).padStart(2, '0')}`;
      const id = Number(
        insert.run(1 + (n % 4), `Event ${n}`, `event-${n}`, `${month}-03`, `${month}-25`, n % 3 ? null : 1 + (n % 40))
          .lastInsertRowid,
      );
      for (let document = 0; document < IN_EVENT; document += 1) link.run(id, 1 + ((n * 83 + document * 7) % 100_000));
    }
  });
}

const { values } = parseArgs({
  options: {
    vault: { type: 'string' },
    documents: { type: 'string', default: '100000' },
    results: { type: 'string', default: '500000' },
  },
});
const folder = values.vault ?? mkdtempSync(join(tmpdir(), 'hearth-bench-'));
const file = join(folder, DATABASE_FILE);
const isFresh = !existsSync(file);
const db = openDatabase(file);
if (isFresh) seed(db, Number(values.documents), Number(values.results));
if (db.prepare('SELECT count(*) FROM events').pluck().get() === 0) seedEvents(db);
db.prepare(
  'INSERT OR REPLACE INTO sessions (session_id, user_id, created_at, last_active_at, expires_at, ' +
    "ip_address, user_agent) VALUES ('bench', 1, '2026-01-01T00:00:00', ?, '2099-01-01T00:00:00', " +
    "'127.0.0.1', 'bench')",
).run(new Date().toISOString().slice(0, 19));
const served = await serve({ vault: folder, env: { VAULT_PIPELINE_WATCH: 'false' } });
const ann = new Client(served.url);
ann.cookie = `vault_session=${createSigner(openSecretKey(folder), 'session').sign('bench', Date.now())}`;
const touch = db.prepare("UPDATE sessions SET user_agent = ? WHERE session_id = 'bench'");

const median = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
async function timed(path: string): Promise<number> {
  const start = performance.now();
  const { status } = await ann.get(path);
  if (status !== 200) throw new Error(`${path}: ${status}`);
  return performance.now() - start;
}
let slow = 0;
async function measure(name: string, paths: readonly string[]): Promise<void> {
  const warm: number[] = [],
    cold: number[] = [];
  for (let n = 0; n < CALLS; n += 1) {
    const path = paths[n % paths.length] ?? '';
    touch.run(`bench ${name} ${n}`);
    cold.push(await timed(path));
    warm.push(await timed(path));
  }
  if (median(warm) > LIMIT_MS || median(cold) > LIMIT_MS) slow += 1;
  process.stdout.write(
    `${name.padEnd(30)} p50 ${median(warm).toFixed(1).padStart(6)} ms, cold ` +
      `${median(cold).toFixed(1).padStart(6)} ms\n`,
  );
}

try {
  const years = Array.from({ length: CALLS }, (_, n) => 2000 + n);
  const of = (patient: number): string => `/api/timeline?patient_id=${patient}`;
  await measure('a life', [1, 2, 3, 4].map(of));
  await measure(
    'a year',
    years.map((year) => `${of(2)}&from=${year}-01-01&to=${year}-12-31`),
  );
  await measure(
    'a month',
    years.map((year) => `${of(3)}&from=${year}-03-01&to=${year}-03-31`),
  );
  await measure(
    'a life of one specialty',
    years.map((_, n) => `${of(2)}&specialty=${1 + n}`),
  );
  await measure(
    'a year of one specialty',
    years.map((year, n) => `${of(2)}&specialty=${1 + n}&from=${year}-01-01&to=${year}-12-31`),
  );
  await measure(
    'events of a patient',
    [1, 2, 3, 4].map((patient) => `/api/events?patient_id=${patient}`),
  );
  const {
    body: { items },
  } = (await ann.get('/api/events?patient_id=1')) as { body: { items: { id: number }[] } };
  await measure(
    'an event with its documents',
    items.slice(0, CALLS).map(({ id }) => `/api/events/${id}`),
  );
} finally {
  await served.stop();
  db.close();
  if (!values.vault) rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(slow === 0 ? 'all within their limits\n' : `${slow} over their limits\n`);
process.exitCode = slow === 0 ? 0 : 1;
