/** `npm run bench NAME [-- OPTIONS]` runs a benchmark of test/bench; its file describes the options. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BENCHES = ['backups', 'caches', 'labs', 'latency', 'names', 'reading', 'search', 'start', 'timeline'];

const [name = '', ...options] = process.argv.slice(2);
if (BENCHES.includes(name)) {
  const file = fileURLToPath(new URL(`../test/bench/${name}.ts`, import.meta.url));
  const { status } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...options], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} else {
  process.stderr.write(`usage: npm run bench NAME [-- OPTIONS], where NAME is one of ${BENCHES.join(', ')}\n`);
  process.exitCode = 2;
}
