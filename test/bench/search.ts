/**
 * Lists and search over 100 000 documents, in the server: `npm run bench search [-- --vault DIR]`. The peer is a LIKE
 * scan over the same rows.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../../src-main/platform/config/load.ts';
import { DATABASE_FILE, startCore } from '../../src-main/app/core.ts';
import { openDatabase } from '../../src-main/platform/database/connection.ts';
import type { UserCaller } from '../../src-main/platform/kernel/caller.ts';
import { COMMON_WORD, seed } from './seed-large.ts';

const { values } = parseArgs({
  options: { vault: { type: 'string' }, documents: { type: 'string', default: '100000' } },
});
const folder = values.vault ?? mkdtempSync(join(tmpdir(), 'hearth-bench-'));
const file = join(folder, DATABASE_FILE);
if (!existsSync(file)) {
  const fresh = openDatabase(file);
  seed(fresh, Number(values.documents));
  fresh.close();
}
const core = await startCore({
  config: loadConfig({ 'vault.path': folder, 'http.port': 0, 'pipeline.watch_enabled': false, 'log.level': 'error' }),
});
const ann: UserCaller = {
  kind: 'user',
  ip: '127.0.0.1',
  userId: 1,
  username: 'ann',
  displayName: 'Ann',
  role: 'admin',
  sessionId: 'bench',
};
const { list, suggest } = core.documents.queries;
type Query = Parameters<typeof list>[0];
const page = { limit: 50, offset: 0 };

const ms = (work: () => unknown): number => {
  const start = performance.now();
  work();
  return performance.now() - start;
};
const at = (times: number[], share: number): number =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
let slow = 0;
/** `by`: the share of calls that must keep the limit; the exact total is counted in the first call and kept. */
function report(name: string, times: number[], limit: number, by: number): void {
  const p95 = at(times, 0.95),
    judged = at(times, by);
  if (judged > limit) slow += 1;
  process.stdout.write(
    `${name.padEnd(44)} first ${times[0]?.toFixed(1).padStart(7)}  p50 ` +
      `${at(times, 0.5).toFixed(1).padStart(6)}  p95 ${p95.toFixed(1).padStart(6)}  p99 ` +
      `${at(times, 0.99).toFixed(1).padStart(6)} ms  ${judged > limit ? `over ${limit}` : 'ok'}\n`,
  );
}
const repeat = (name: string, limit: number, queries: Query[]): void =>
  report(
    name,
    queries.map((query) => ms(() => list(query, ann))),
    limit,
    limit > 10 ? 0.95 : 0.5,
  );

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
for (const sort of [
  'event_date',
  'original_filename',
  'doc_type',
  'doctor',
  'facility',
  'specialty',
  'status',
  'created_at',
] as const)
  for (const order of ['asc', 'desc'] as const)
    repeat(
      `sorted by ${sort} ${order}`,
      10,
      times(12, () => ({ ...page, sort, order })),
    );
const filters: [string, Partial<Query>][] = [
  ['one patient', { patient_id: 2 }],
  ['type', { type: ['invoice'] }],
  ['two types', { type: ['invoice', 'lab_test'] }],
  ['status', { status: ['needs_review'] }],
  ['doctor', { doctor_id: ['17'] }],
  ['no doctor', { doctor_id: ['__blank__'] }],
  ['facility', { facility_id: ['9'] }],
  ['specialty', { specialty: ['s-3'] }],
  ['dates', { date_from: '2019-01-01', date_to: '2019-12-31' }],
  ['tag', { tag: ['wichtig'] }],
  ['no date bound match', { date_from: '2031-01-01' }],
];
for (const [name, filter] of filters)
  repeat(
    `filter: ${name}`,
    10,
    times(12, () => ({ ...page, ...filter })),
  );
repeat(
  'filter: doctor, different each time',
  10,
  times(100, (i) => ({ ...page, doctor_id: [String(i + 1)] })),
);
repeat(
  'page 200',
  10,
  times(12, () => ({ ...page, offset: 10_000 })),
);
const WORDS = [
  'wort7',
  'wort19999',
  'ferritin',
  'hypertonie diabetes',
  '"blutdruck puls"',
  'metformin -ramipril',
  'wort1*',
  'ferriti*',
  'people:patient',
  COMMON_WORD,
  `${COMMON_WORD} ferritin`,
];
for (const q of WORDS)
  repeat(
    `search: ${q}`,
    100,
    times(20, () => ({ ...page, q })),
  );
repeat(
  'search: different rare words',
  100,
  times(300, (i) => ({ ...page, q: `wort${i * 61}` })),
);
repeat(
  'search: different common words',
  100,
  times(60, (i) => ({
    ...page,
    q: ['ferritin', 'herz', 'lunge', 'knie', 'asthma', 'urin'][i % 6] ?? 'herz',
    patient_id: 1 + (i % 4),
  })),
);
for (const typed of ['f', 'fe', 'fer', 'ferri', 'ferriti', 'ferritin', 'verl', COMMON_WORD, 'wort1', 'diabetes me'])
  report(
    `as one types: ${typed}`,
    times(20, () => ms(() => suggest({ q: typed, limit: 8 }, ann))),
    50,
    0.95,
  );

const db = openDatabase(file);
const MATCHES =
  'FROM documents AS d JOIN document_texts AS t ON t.id = d.id WHERE t.title LIKE ?1 OR t.body LIKE ' +
  '?1 OR t.people LIKE ?1 OR t.labels LIKE ?1';
const page50 = db.prepare(`SELECT d.id ${MATCHES} ORDER BY d.event_date DESC LIMIT 50`),
  count = db.prepare(`SELECT count(*) ${MATCHES}`);
/** The same result as a list: one page and the total. */
const scan = (pattern: string): unknown => [page50.all({ 1: pattern }), count.get({ 1: pattern })];
for (const word of ['wort7777', COMMON_WORD]) {
  const peer = at(
      times(5, () => ms(() => scan(`%${word}%`))),
      0.5,
    ),
    own = at(
      times(40, () => ms(() => list({ ...page, q: word }, ann))),
      0.5,
    );
  process.stdout.write(
    `${`LIKE '%${word}%' scan`.padEnd(44)} p50 ${peer.toFixed(1)} ms, ratio ${(peer / own).toFixed(0)}\n`,
  );
}
db.close();
await core.stop();
if (!values.vault) rmSync(folder, { recursive: true, force: true });
process.stdout.write(slow === 0 ? 'all within their limits\n' : `${slow} over their limits\n`);
process.exitCode = slow === 0 ? 0 : 1;
