import { processKeys } from './process-keys.ts';
import { startHost, type ChildHost } from './child-host.ts';
import type { HostStart } from './process-messages.ts';
import { inheritedEnvironment } from './run-program.ts';

/** A worker script in a process of its own, with the part of the interface of `Worker` that a pool uses. */
export class WorkerProcess {
  readonly #child: ChildHost;
  readonly #ended = Promise.withResolvers<void>();

  constructor(start: Omit<HostStart, 'keys'>) {
    this.#child = startHost(new URL('./process-host.ts', import.meta.url), environment());
    this.#child.onEnd(() => this.#ended.resolve());
    this.#child.send({ ...start, keys: processKeys() });
  }

  /** A process that could not be started, or that ended before a message arrived, is reported by `exit`. */
  on(event: 'message' | 'error' | 'exit', listener: (value: never) => void): void {
    if (event === 'message') this.#child.onMessage(listener as (value: unknown) => void);
    else if (event === 'exit') void this.#ended.promise.then(() => listener(null as never));
  }

  postMessage(task: unknown): void {
    this.#child.send(task);
  }

  terminate(): Promise<void> {
    this.#child.kill();
    return this.#ended.promise;
  }
}

function environment(): Record<string, string> {
  // glibc returns large blocks at once, and the memory of few arenas sooner.
  const malloc = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: String(2 ** 20) };
  return { ...inheritedEnvironment(), ...malloc };
}
