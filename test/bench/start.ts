/**
 * Start of the bundled program on a vault of 100 000 documents, and its memory when idle:
 * `npm run bench start [-- --vault DIR] [--program FILE]`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '../../src-main/platform/database/connection.ts';
import { SERVE } from '../support/program.ts';
import { serve } from '../support/serve.ts';
import { seed } from './seed-large.ts';

const { values } = parseArgs({ options: { vault: { type: 'string' }, program: { type: 'string' } } });
const program = [values.program ?? SERVE];
const vault = values.vault ?? mkdtempSync(join(tmpdir(), 'hearth-start-'));
if (!existsSync(join(vault, 'vault.db'))) {
  const db = openDatabase(join(vault, 'vault.db'));
  seed(db, 100_000);
  db.close();
}
const RUNS = 5;
const median = (times: number[]): number => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
const bare = median(
  Array.from({ length: RUNS }, () => {
    const start = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    return performance.now() - start;
  }),
);
const starts: number[] = [];
let resident = 0;
for (let run = 0; run < RUNS; run += 1) {
  const start = performance.now();
  const served = await serve({ vault, program });
  await fetch(`${served.url}/health`);
  starts.push(performance.now() - start);
  if (run === RUNS - 1) {
    await new Promise((resolve) => setTimeout(resolve, 3000));
    resident =
      process.platform === 'linux'
        ? Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${served.process.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
        : 0;
  }
  await served.stop();
}
process.stdout.write(
  `node -e 0: ${bare.toFixed(0)} ms; serve to /health: ${median(starts).toFixed(0)} ms, ` +
    `${(median(starts) - bare).toFixed(0)} ms more; resident when idle ${resident.toFixed(0)} MB\n`,
);
if (!values.vault) rmSync(vault, { recursive: true, force: true });
process.exitCode = median(starts) - bare < 1500 && resident < 200 ? 0 : 1;
