import { fork, type ChildProcess } from 'node:child_process';
import type { HostStart } from './process-messages.ts';
import { inheritedEnvironment } from './run-program.ts';

/** A worker script in a process of its own, with the part of the interface of `Worker` that a pool uses. */
export class WorkerProcess {
  readonly #child: ChildProcess;

  constructor(start: HostStart) {
    this.#child = fork(new URL('./process-host.ts', import.meta.url), {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [],
      env: environment(),
    });
    // A process that could not be started, or that ended before a message arrived, is reported by `error` or `exit`.
    this.#child.send(start, () => undefined);
  }

  on(event: 'message' | 'error' | 'exit', listener: (value: never) => void): void {
    this.#child.on(event, listener as (value: unknown) => void);
  }

  postMessage(task: unknown): void {
    this.#child.send(task as object, () => undefined);
  }

  terminate(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) return resolve();
      this.#child.once('exit', () => resolve());
      this.#child.once('error', () => resolve());
      this.#child.kill('SIGKILL');
    });
  }
}

function environment(): Record<string, string> {
  // glibc returns large blocks at once, and the memory of few arenas sooner.
  const malloc = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: String(2 ** 20) };
  // Electron's own program runs as Node.
  return { ...inheritedEnvironment(), ...malloc, ELECTRON_RUN_AS_NODE: '1' };
}
