// `npm run dev`: the core, restarted when one of its sources changes, and the user interface served by Vite, at one
// address.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Editors save several files at a time. */
const SETTLED_MS = 200;
const flags = process.argv.slice(2);
/** A vault of its own, so that development never touches real records. */
const vault = flags.includes('--vault') || flags.includes('--demo') ? [] : ['--vault', join(tmpdir(), 'hearth-dev')];

const port = await freePort();
process.env['HEARTH_DEV_CORE'] = `http://127.0.0.1:${port}`;
let core = startCore();
let isStopping = false,
  restart: NodeJS.Timeout | undefined;
for (const folder of ['src-main', 'src-shared'])
  watch(join(ROOT, folder), { recursive: true }, () => {
    clearTimeout(restart);
    restart = setTimeout(() => {
      if (core.exitCode === null) core.kill('SIGTERM');
      else core = startCore();
    }, SETTLED_MS);
  });
const { createServer: createVite } = await import('vite');
const vite = await createVite({ configFile: join(ROOT, 'vite.config.ts') });
await vite.listen();
process.stdout.write(`Open ${vite.resolvedUrls?.local[0] ?? ''}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    isStopping = true;
    if (core.exitCode !== null) process.exit(0);
    core.kill('SIGTERM');
  });

function startCore(): ChildProcess {
  const child = spawn(
    process.execPath,
    [join(ROOT, 'src-main', 'app', 'serve.ts'), ...vault, ...flags, '--port', String(port)],
    { stdio: 'inherit' },
  );
  child.once('exit', (code) => {
    if (isStopping) process.exit(0);
    // A core that fails to start is started again when its sources change.
    if (code === 0) core = startCore();
    else process.stdout.write(`The core ended with ${code}; it starts again when a source changes.\n`);
  });
  return child;
}

/** Finds a free port that stays the same across restarts of the core. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
