import type { Config } from '../platform/config/config.ts';
import { loadConfig } from '../platform/config/load.ts';
import { cacheCompiledCode, saveCompiledCode } from './compile-cache.ts';
import { SAMPLE } from './demo/credentials.ts';
import { describeError } from './describe-error.ts';
import { parseFlags, USAGE, type Flags } from './flags.ts';
import { endGrowth, growAsUsual, growAtOnce } from './start-memory.ts';
import type { RunningCore } from './running-core.ts';

/** What runs, and the lines for a person and for a program that tell where. */
interface Running {
  sentences: string[];
  ready: object;
  stop(): Promise<void>;
}

/** Entry for plain Node without a window: starts the core, prints its address, and stops it on SIGTERM and SIGINT. */
async function serve(): Promise<void> {
  const flags = parseFlags(process.argv.slice(2));
  if (flags.help) return void process.stdout.write(`${USAGE}\n`);
  // With --json, the first line is the address.
  if (!flags.json) process.stdout.write(flags.demo ? 'Opening the sample household.\n' : 'Opening the vault.\n');
  const config = loadConfig(flags.config);
  cacheCompiledCode();
  growAtOnce();
  const running = config.mode === 'share' && !flags.demo ? serveShares(config) : serveCore(flags, config);
  stopOnSignal(running);
  const { sentences, ready } = await running;
  process.stdout.write(flags.json ? `${JSON.stringify(ready)}\n` : `${sentences.join('\n')}\nPress Ctrl+C to stop.\n`);
  growAsUsual();
  saveCompiledCode();
}

/** Loading the core takes longer than everything before, so it is loaded after the first line. */
async function serveCore(flags: Flags, config: Config): Promise<Running> {
  const { runFlags } = await import('./run-flags.ts');
  endGrowth();
  const core = await runFlags(flags, config, { onError: exitWithError });
  const { url, backupsUrl, shareUrl, stop } = core;
  const isLocked = core.isLocked();
  return {
    stop,
    ready: {
      ...{ ready: true, mode: 'core', url, backups_url: backupsUrl, share_url: shareUrl(), pid: process.pid },
      ...(isLocked && { locked: true }),
    },
    sentences: describe(core, config, flags),
  };
}

/** Serves only shares. */
async function serveShares(config: Config): Promise<Running> {
  const { startShareMode } = await import('./share-mode.ts');
  const { url, stop } = await startShareMode(config);
  return {
    stop,
    ready: { ready: true, mode: 'share', url, backups_url: null, share_url: url, pid: process.pid },
    sentences: [`Hearth serves shares on ${url}`],
  };
}

/** What a person at the terminal needs to know. */
function describe({ url, backupsUrl, isLocked }: RunningCore, config: Config, { demo }: Flags): string[] {
  const port = config['phone_backups.port'];
  if (isLocked())
    return [
      `Hearth listens on ${url}`,
      'The vault is encrypted. Open this address on this computer and enter its password, or write the password into a ' +
        'file and name that in HEARTH_VAULT_PASSWORD_FILE before the next start.',
    ];
  return [
    `Hearth listens on ${url}`,
    ...(demo
      ? [
          `Sign in as ${SAMPLE.username} with the password ${SAMPLE.password}. Nothing that you change is kept.`,
          `The phone backup opens with the passphrase “${SAMPLE.phone_passphrase}”.`,
        ]
      : []),
    ...(backupsUrl === null
      ? [
          `Port ${port} is in use, so other programs cannot reach phone backups. Everything else works. ` +
            'To change that, choose another port with --phone-backups-port.',
        ]
      : []),
  ];
}

/**
 * Stops the program at the first signal, also while it starts. Later ones change nothing: a terminal sends Ctrl+C to
 * `npm start` and to this program, and `npm start` passes it on as well.
 */
function stopOnSignal(running: Promise<Running>): void {
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    void running.then((program) => program.stop()).then(() => process.exit(0), exitWithError);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** Prints an error that the user can fix as one sentence, and any other error with its stack. */
function exitWithError(error: unknown): void {
  process.stderr.write(`${describeError(error)}\n`);
  process.exit(1);
}

await serve().catch(exitWithError);
