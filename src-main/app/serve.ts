import { loadConfig } from '../platform/config/load.ts';
import { describeError } from './describe-error.ts';
import { parseFlags, USAGE } from './flags.ts';
import { runCore, type RunningCore } from './supervisor.ts';

/** Entry for plain Node without a window: starts the core, prints its address, and stops it on SIGTERM and SIGINT. */
async function serve(): Promise<void> {
  const flags = parseFlags(process.argv.slice(2));
  if (flags.help) return void process.stdout.write(`${USAGE}\n`);
  // Writing and reading its papers takes some seconds. With --json, the first line is the address.
  if (flags.demo && !flags.json) process.stdout.write('Hearth is preparing the demo.\n');
  // The demo loads the PDF writer for its sample documents, which takes longer to load than everything else.
  const { core, mode } = flags.demo
    ? await (await import('./demo/demo.ts')).startDemo(flags.config)
    : await startVault(flags.config);
  const ready = {
    ready: true,
    mode,
    url: core.url,
    backups_url: core.backupsUrl,
    share_url: null,
    pid: process.pid,
  };
  process.stdout.write(`${flags.json ? JSON.stringify(ready) : `Hearth listens on ${core.url}`}\n`);
  stopOnSignal(core);
}

async function startVault(overrides: ReturnType<typeof parseFlags>['config']) {
  const config = loadConfig(overrides);
  return { core: await runCore({ config }, exitWithError), mode: config.mode };
}

function stopOnSignal(core: Pick<RunningCore, 'stop'>): void {
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    void core.stop().then(() => process.exit(0), exitWithError);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

/** Prints an error that the user can fix as one sentence, and any other error with its stack. */
function exitWithError(error: unknown): void {
  process.stderr.write(`${describeError(error)}\n`);
  process.exit(1);
}

await serve().catch(exitWithError);
