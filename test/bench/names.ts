/**
 * Names over 100 000 documents and 500 000 lab results, by HTTP on loopback: `npm run bench names [-- --vault DIR]`.
 * The vault is changed and
 * put back: entries are merged, renamed and undone.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { NAME_TYPES } from '../../src-shared/contract/names.ts';
import { createSigner, openSecretKey } from '../../src-main/platform/config/secret-key.ts';
import { DATABASE_FILE } from '../../src-main/app/core.ts';
import { openDatabase } from '../../src-main/platform/database/connection.ts';
import { aliasKey } from '../../src-main/features/names/name-key.ts';
import { REFERENCES, TABLES } from '../../src-main/features/names/references.ts';
import { Client } from '../support/client.ts';
import { serve } from '../support/serve.ts';
import { seed } from './seed-large.ts';

const LIMIT_MS = 50;
const ROUNDS = 24;
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
// Every entry has spellings as a household that reads for years gathers them.
db.transaction(() => {
  const add = db.prepare(
    'INSERT OR IGNORE INTO name_aliases (kind, entry_id, alias, alias_key, auto_mapped, created_at) ' +
      "VALUES (?, ?, ?, ?, ?, '2026-01-01T00:00:00')",
  );
  for (const type of NAME_TYPES)
    for (const { id, canonical_display } of db.prepare(`SELECT id, canonical_display FROM ${TABLES[type]}`).all() as {
      id: number;
      canonical_display: string;
    }[]) {
      for (const alias of [
        canonical_display,
        ...[1, 2, 3, 4].map((n) => `${canonical_display} form ${'abcd'.charAt(n - 1)}`),
      ])
        add.run(type, id, alias, aliasKey(type, alias), id % 3 === 0 ? 1 : 0);
    }
});
db.prepare(
  'INSERT OR REPLACE INTO sessions (session_id, user_id, created_at, last_active_at, expires_at, ' +
    "ip_address, user_agent) VALUES ('bench', 1, '2026-01-01T00:00:00', ?, '2099-01-01T00:00:00', " +
    "'127.0.0.1', 'bench')",
).run(new Date().toISOString().slice(0, 19));
const served = await serve({ vault: folder, env: { VAULT_PIPELINE_WATCH: 'false' } });
const ann = new Client(served.url);
ann.cookie = `vault_session=${createSigner(openSecretKey(folder), 'session').sign('bench', Date.now())}`;

const at = (times: readonly number[], share: number): number =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
async function timed(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ ms: number; body: Record<string, never> }> {
  const start = performance.now();
  const answer = await ann.call(method, path, body);
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return { ms: performance.now() - start, body: answer.body as Record<string, never> };
}
let slow = 0;
function tell(name: string, times: readonly number[], limit: number | null): void {
  const over = limit !== null && at(times, 0.5) > limit;
  if (over) slow += 1;
  process.stdout.write(
    `${name.padEnd(44)} p50 ${at(times, 0.5).toFixed(1).padStart(7)}  p95 ${at(times, 0.95).toFixed(1).padStart(7)}  worst ${Math.max(
      ...times,
    )
      .toFixed(1)
      .padStart(7)} ms${over ? `  over ${limit}` : ''}\n`,
  );
}
async function measure(name: string, path: string, method = 'GET', limit: number | null = LIMIT_MS): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push((await timed(method, path)).ms);
  tell(name, times, limit);
}

await timed('GET', '/api/normalization');
await measure('overview', '/api/normalization');
for (const type of NAME_TYPES) {
  const path = `/api/normalization/${type}`;
  const [reference] = REFERENCES[type];
  if (!reference) continue;
  const { table, column } = reference;
  const used = db
    .prepare(
      `SELECT "${column}" FROM "${table}" WHERE "${column}" IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC LIMIT 2`,
    )
    .pluck()
    .all() as number[];
  const entries = db.prepare(`SELECT count(*) FROM ${TABLES[type]}`).pluck().get() as number;
  if (entries === 0) continue;
  await measure(`${type}: list of ${entries}`, path);
  await measure(`${type}: search`, `${path}?search=a`);
  await measure(`${type}: by uses`, `${path}?sort=uses`);
  await measure(`${type}: proposals`, `${path}/auto-merge`, 'POST', null);
  const [target, source] = used;
  if (target === undefined || source === undefined) continue;
  await measure(`${type}: most used entry`, `${path}/${target}`);
  await measure(`${type}: its documents`, `${path}/${target}/documents`);
  const merged = await timed('POST', `${path}/merge`, { source_id: source, target_id: target });
  const undone = await timed('POST', `${path}/merges/${merged.body['merge_id']}/undo`);
  const waiting = db.prepare('SELECT count(*) FROM name_reindexes').pluck();
  const caughtUp = performance.now();
  const meanwhile: number[] = [];
  while (waiting.get() !== 0) meanwhile.push((await timed('GET', `${path}?limit=50`)).ms);
  tell(`${type}: merge of ${String(merged.body['moved_references'])} references`, [merged.ms], null);
  tell(`${type}: its undo`, [undone.ms], null);
  if (meanwhile.length > 1)
    tell(
      `${type}: list while the search catches up (${((performance.now() - caughtUp) / 1000).toFixed(0)} s)`,
      meanwhile,
      LIMIT_MS,
    );
}
await served.stop();
db.close();
if (!values.vault) rmSync(folder, { recursive: true, force: true });
process.stdout.write(slow === 0 ? `every median within ${LIMIT_MS} ms\n` : `${slow} medians over ${LIMIT_MS} ms\n`);
process.exitCode = slow === 0 ? 0 : 1;
