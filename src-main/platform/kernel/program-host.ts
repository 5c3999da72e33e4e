import { spawn } from 'node:child_process';
import { readBoundedLines } from './bounded-lines.ts';
import { parentPort } from './child-host.ts';
import { systemClock } from './clock.ts';
import type { ProgramReport, ProgramStart } from './process-messages.ts';

/**
 * The process beside a program that keeps running: it starts the program in a process group of its own, reports its
 * lines, and ends the whole group when it is asked to, or when the process that started this one has died.
 */

/** Time to end by itself before the group is killed. */
const GRACE_MS = 2000;
/** Time to read the last lines of a program that has ended; one that it left behind may hold its output open. */
const LAST_LINES_MS = 500;

const port = parentPort();
const report = (message: ProgramReport): void => void port.send(message);

port.onceMessage(({ command, args, env }: ProgramStart) => {
  const isWindows = process.platform === 'win32';
  const child = spawn(command, args, {
    ...{ stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true, env },
    detached: !isWindows,
  });
  const signalGroup = (signal: NodeJS.Signals): void => {
    const { pid } = child;
    if (pid === undefined) return;
    if (isWindows) return void spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' });
    try {
      process.kill(-pid, signal);
    } catch {
      // The group has ended.
    }
  };
  const finish = (message: ProgramReport): void => {
    // What the program started, and left behind.
    signalGroup('SIGKILL');
    if (!port.isConnected()) return process.exit(0);
    void port.send(message).then(() => process.exit(0));
  };
  const end = (): void => {
    signalGroup('SIGTERM');
    setTimeout(() => signalGroup('SIGKILL'), GRACE_MS);
  };
  const reading = [child.stdout, child.stderr].map((stream) =>
    readBoundedLines(stream, systemClock, (line) => report({ line })).catch(() => undefined),
  );
  child.once('spawn', () => report({ pid: child.pid ?? 0 }));
  child.once('error', (error: NodeJS.ErrnoException) => finish({ missing: error.code ?? '' }));
  child.once('exit', (code) => {
    const read = Promise.race([Promise.all(reading), systemClock.sleep(LAST_LINES_MS)]);
    void read.then(() => finish({ exited: code }));
  });
  port.onMessage(end);
  port.onDisconnect(end);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
});
