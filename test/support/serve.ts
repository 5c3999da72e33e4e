import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVE } from './program.ts';

/** Configuration folder of the programs that tests start: never that of the person who runs them. */
const CONFIG = join(tmpdir(), `hearth-test-config-${process.getuid?.() ?? ''}`);
/** What the program opens beside its pages is on a free port too, and on this computer only. */
const TICKER_PORT = { VAULT_TICKER_SOURCE_PORT: '0', VAULT_TICKER_SOURCE_HOST: '127.0.0.1' };
const OWN_CONFIG = { XDG_CONFIG_HOME: CONFIG, APPDATA: CONFIG, ...(process.platform === 'darwin' && { HOME: CONFIG }) };

export interface Served {
  url: string;
  /** The service for phone backups. */
  backupsUrl: string;
  /** The service for recipients of shares, if it runs from the start. */
  shareUrl: string | null;
  vault: string;
  process: ChildProcess;
  /** Ends it with the signal and returns its exit code; the vault stays. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Ends it and removes the vault. */
  remove(): Promise<void>;
}

/** How the program is started. */
export interface ServeOptions {
  vault?: string;
  args?: string[];
  env?: Record<string, string>;
  /** What Node is to run instead, with flags of Node before it. */
  program?: string[];
  /** A program with arguments that runs the rest of the line, under limits of its own. */
  through?: string[];
}

/** Starts the real program on a vault of its own, on a free port. */
export async function serve({
  vault = mkdtempSync(join(tmpdir(), 'hearth-test-')),
  args = [],
  env = {},
  program = [SERVE],
  through = [],
}: ServeOptions = {}): Promise<Served> {
  const [command = process.execPath, ...before] = [...through, process.execPath];
  const child = spawn(
    command,
    [
      ...before,
      ...program,
      '--json',
      '--vault',
      vault,
      '--port',
      '0',
      '--phone-backups-port',
      '0',
      '--share-port',
      '0',
      ...args,
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...OWN_CONFIG, ...TICKER_PORT, VAULT_LOG_LEVEL: 'error', ...env },
    },
  );
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const first = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().split('\n')[0] ?? ''));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}: ${errors}`)));
  });
  const ready = JSON.parse(first) as { url: string; backups_url: string; share_url: string | null };
  const { url, backups_url: backupsUrl, share_url: shareUrl } = ready;
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> =>
    new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode);
      child.once('exit', (code) => resolve(code));
      child.kill(signal);
    });
  return {
    url,
    backupsUrl,
    shareUrl,
    vault,
    process: child,
    stop,
    async remove() {
      await stop('SIGKILL');
      rmSync(vault, { recursive: true, force: true });
    },
  };
}
