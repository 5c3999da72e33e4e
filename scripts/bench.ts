/**
 * `npm run bench NAME [-- OPTIONS]` runs a benchmark of test/bench; its file describes the options. Without a name it
 * lists the benchmarks.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BENCHES = [
  'backups',
  'caches',
  'downloads',
  'encryption',
  'flash',
  'http',
  'imaging',
  'labs',
  'latency',
  'names',
  'reading',
  'search',
  'shares',
  'start',
  'timeline',
  'watermark',
];

const [name = '', ...options] = process.argv.slice(2);
if (BENCHES.includes(name)) {
  const file = fileURLToPath(new URL(`../test/bench/${name}.ts`, import.meta.url));
  const { status } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...options], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} else {
  const usage = `usage: npm run bench NAME [-- OPTIONS], where NAME is one of ${BENCHES.join(', ')}\n`;
  if (name === '') process.stdout.write(usage);
  else {
    process.stderr.write(usage);
    process.exitCode = 2;
  }
}
