/**
 * What the two caches save a household of 20 000 documents, by HTTP on loopback: `npm run bench caches`. Every write to
 * the database clears both, so the peer of a repeated call is the same call after a write. ADR 0057 says why there are
 * no others. Exit 1 if a cache saves less than half of the time: delete it then.
 */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DATABASE_FILE } from '../../src-main/app/core.ts';
import { createSigner, openSecretKey } from '../../src-main/platform/config/secret-key.ts';
import { openDatabase } from '../../src-main/platform/database/connection.ts';
import { Client } from '../support/client.ts';
import { serve } from '../support/serve.ts';
import { COMMON_WORD, seed } from './seed-large.ts';

const DOCUMENTS = 20_000;
const RESULTS = 100_000;
const ROUNDS = 25;
const MIN_RATIO = 2;
/** Folders that changed less than three seconds ago are not cached; these changed an hour ago. */
const CHANGED_BEFORE_S = 3600;

const folder = mkdtempSync(join(tmpdir(), 'hearth-bench-'));
const db = openDatabase(join(folder, DATABASE_FILE));
seed(db, DOCUMENTS, RESULTS);
createFiles();
db.prepare(
  `INSERT INTO sessions (session_id, user_id, created_at, last_active_at, expires_at, ip_address, user_agent)
    VALUES ('bench', 1, '2026-01-01T00:00:00', ?, '2099-01-01T00:00:00', '127.0.0.1', 'bench')`,
).run(new Date().toISOString().slice(0, 19));
const served = await serve({ vault: folder, env: { VAULT_PIPELINE_WATCH: 'false' } });
const ann = new Client(served.url);
ann.cookie = `vault_session=${createSigner(openSecretKey(folder), 'session').sign('bench', Date.now())}`;

/** Files the documents by year, a fifth of them in folders of events, and writes a small file for each. */
function createFiles(): void {
  const documents = db.prepare('SELECT id, patient_id, event_date FROM documents').all() as {
    id: number;
    patient_id: number;
    event_date: string | null;
  }[];
  const move = db.prepare('UPDATE documents SET file_path = ? WHERE id = ?');
  const folders = new Set<string>();
  db.transaction(() => {
    for (const { id, patient_id, event_date } of documents) {
      const year = event_date?.slice(0, 4) ?? 'undated';
      const place = id % 5 === 0 ? `events/${year}-episode-${id % 40}` : year;
      const path = `patients/patient-${patient_id}/${place}/${id}.pdf`;
      const parent = dirname(join(folder, path));
      if (!folders.has(parent)) mkdirSync(parent, { recursive: true });
      folders.add(parent);
      writeFileSync(join(folder, path), '%PDF');
      move.run(path, id);
    }
  });
  const changed = Date.now() / 1000 - CHANGED_BEFORE_S;
  for (const path of folders)
    for (let parent = path; parent !== folder; parent = dirname(parent)) utimesSync(parent, changed, changed);
}

async function timed(path: string): Promise<number> {
  const start = performance.now();
  const { status } = await ann.get(path);
  if (status !== 200) throw new Error(`${path}: ${status}`);
  return performance.now() - start;
}
const median = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0;

let isBelow = false;
async function measure(name: string, path: string): Promise<void> {
  const write = db.prepare("UPDATE sessions SET user_agent = ? WHERE session_id = 'bench'");
  const repeated: number[] = [];
  const afterWrites: number[] = [];
  await timed(path);
  for (let round = 0; round < ROUNDS; round += 1) {
    repeated.push(await timed(path));
    write.run(`bench ${round}`);
    afterWrites.push(await timed(path));
  }
  const ratio = median(afterWrites) / median(repeated);
  const savesTooLittle = ratio < MIN_RATIO;
  isBelow ||= savesTooLittle;
  process.stdout.write(
    `${name.padEnd(36)} p50 ${median(repeated).toFixed(1).padStart(6)} ms, after a write ` +
      `${median(afterWrites).toFixed(1).padStart(6)} ms, ratio ${ratio.toFixed(1)}` +
      `${savesTooLittle ? '  saves too little' : ''}\n`,
  );
}

const mostUsed = db
  .prepare('SELECT norm_lab_test_id FROM lab_results GROUP BY 1 HAVING norm_lab_test_id > 0 ORDER BY count(*) DESC')
  .pluck()
  .get() as number;
await measure('query cache: facets', '/api/documents/facets');
await measure('query cache: facets of a common word', `/api/documents/facets?q=${COMMON_WORD}`);
await measure('query cache: summary of lab results', '/api/lab-results/summary?patient_id=2');
await measure('query cache: documents of a name', `/api/normalization/lab_tests/${mostUsed}/documents`);
await measure('folder cache: top of the vault', '/api/vault/tree?depth=1');
await measure('folder cache: a patient', '/api/vault/tree?path=patients/patient-1&depth=1');

db.close();
await served.stop();
rmSync(folder, { recursive: true, force: true });
process.exitCode = isBelow ? 1 : 0;
