import { startHost } from './child-host.ts';
import type { ProgramReport, ProgramStart } from './process-messages.ts';
import { inheritedEnvironment } from './run-program.ts';

/** How a program ended: it could not be started, or it exited; the code is null if a signal ended it. */
export type ProgramEnd = { kind: 'missing' } | { kind: 'exited'; code: number | null };

/** A program that runs until it ends by itself or is stopped. */
export interface RunningProgram {
  readonly ended: Promise<ProgramEnd>;
  /** Ends the program and all that it started; resolves when they have ended. */
  stop(): Promise<ProgramEnd>;
}

/**
 * Starts a program without a shell and passes each line of its output and its errors to `onLine`, at most 1000
 * characters of it. The program ends with this process, however that one ends.
 */
export function startProgram(command: string, args: readonly string[], onLine: (line: string) => void): RunningProgram {
  const host = startHost(new URL('./program-host.ts', import.meta.url), inheritedEnvironment());
  let pid = 0;
  let end: ProgramEnd = { kind: 'exited', code: null };
  host.onMessage((message) => {
    const report = message as ProgramReport;
    if ('line' in report) onLine(report.line);
    else if ('pid' in report) pid = report.pid;
    else end = 'missing' in report ? { kind: 'missing' } : { kind: 'exited', code: report.exited };
  });
  const { promise: ended, resolve } = Promise.withResolvers<ProgramEnd>();
  const finish = (): void => {
    // The host itself may have been killed.
    killGroup(pid);
    resolve(end);
  };
  host.onEnd(finish);
  const start: ProgramStart = { command, args, env: inheritedEnvironment() };
  host.send(start);
  return {
    ended,
    stop() {
      host.send('end');
      return ended;
    },
  };
}

function killGroup(pid: number): void {
  if (pid === 0 || process.platform === 'win32') return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has ended, as it should.
  }
}
