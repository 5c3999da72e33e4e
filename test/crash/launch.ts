import { spawn } from 'node:child_process';
import { SERVE } from '../support/program.ts';

export interface Launched {
  /** Where it listens; null when it ended before it said so. */
  ready: Promise<string | null>;
  /** Resolves when the process is gone, with its exit code. */
  ended: Promise<number | null>;
  kill(signal: 'SIGKILL' | 'SIGTERM'): void;
  /** Lines of its log so far. */
  log(): string;
}

/** Starts the real program on a vault. Unlike a server for tests it may be killed before it is ready. */
export function launch(vault: string): Launched {
  const child = spawn(
    process.execPath,
    [SERVE, '--json', '--vault', vault, '--port', '0', '--phone-backups-port', '0'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, VAULT_LOG_LEVEL: 'info' },
    },
  );
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => void child.once('close', resolve));
  const first = new Promise<string>(
    (resolve) =>
      void child.stdout.once('data', (chunk: Buffer) =>
        resolve((JSON.parse(chunk.toString().split('\n')[0] ?? '') as { url: string }).url),
      ),
  );
  return {
    ready: Promise.race([first, ended.then(() => null)]),
    ended,
    kill: (signal) => void child.kill(signal),
    log: () => log,
  };
}
