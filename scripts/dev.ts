// `npm run dev`: the core, started anew when a source of it changes, and the user interface as Vite serves it, at one address.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** An editor writes several files at a time. */
const SETTLED_MS = 200;
const flags = process.argv.slice(2);
/** Not the person's own record. */
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
    // One that does not start is tried again when its sources change.
    if (code === 0) core = startCore();
    else process.stdout.write(`The core ended with ${code}; it starts again when a source changes.\n`);
  });
  return child;
}

/** A port that stays the same when the core starts anew. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
