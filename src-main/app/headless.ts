import { ConfigError, loadConfig } from '../platform/config/load.ts';
import { parseFlags, USAGE } from './flags.ts';
import { runCore } from './supervisor.ts';
import { VaultInUse } from '../platform/vault/lock.ts';
import { NewerDatabaseError } from '../platform/database/connection.ts';

/** Plain Node: flags → core → print where it listens. SIGTERM and SIGINT stop it cleanly. */
export const serve = (): Promise<void> => start().catch(giveUp);

async function start(): Promise<void> {
  const flags = parseFlags(process.argv.slice(2));
  if (flags.help) return void process.stdout.write(`${USAGE}\n`);
  // What writes the papers of the demonstration is loaded only for it: it takes longer than everything else.
  const { core, mode } = flags.demo
    ? await (await import('./demo/demo.ts')).startDemo(flags.config)
    : await startPlain(flags.config);
  const line = flags.json
    ? JSON.stringify({
        ready: true,
        mode,
        url: core.url,
        backups_url: core.backupsUrl,
        share_url: null,
        pid: process.pid,
      })
    : `Hearth listens on ${core.url}`;
  process.stdout.write(`${line}\n`);
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    void core.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

async function startPlain(overrides: ReturnType<typeof parseFlags>['config']) {
  const config = loadConfig(overrides);
  return { core: await runCore({ config }, giveUp), mode: config.mode };
}

/** Faults that a person can mend are said in words, without a stack. */
function giveUp(error: unknown): void {
  const known =
    error instanceof ConfigError ||
    error instanceof VaultInUse ||
    error instanceof NewerDatabaseError ||
    error instanceof TypeError ||
    (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  process.stderr.write(`${known ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`);
  process.exit(1);
}
