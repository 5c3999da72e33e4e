import PQueue, { type Queue, type QueueAddOptions } from 'p-queue';

/** Runs work in turns: whoever asks for much waits behind their own work, not before that of others. */
export interface FairQueue {
  /** Runs the work of `line` when it is its turn; an abort ends the waiting with the signal's reason. */
  run<T>(line: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** How many wait. */
  waiting(): number;
  /** Resolves when nothing waits or runs. */
  settled(): Promise<void>;
}

/** @param concurrency how much runs at the same time, of all lines together */
export function createFairQueue(concurrency = 1): FairQueue {
  const queue = new PQueue<TurnQueue, TurnOptions>({ concurrency, queueClass: TurnQueue });
  return {
    run: (line, work, signal) => queue.add(work, { line, ...(signal && { signal }) }),
    waiting: () => queue.size,
    settled: () => queue.onIdle(),
  };
}

type TurnOptions = QueueAddOptions & { line: string };
type Run = () => Promise<unknown>;
interface Waiting {
  id: string | undefined;
  run: Run;
}

/** The first of each line in turn. */
class TurnQueue implements Queue<Run, TurnOptions> {
  /** The line whose turn is next is the first one. */
  readonly #lines = new Map<string, Waiting[]>();
  size = 0;

  enqueue(run: Run, { id, line = '' }: Partial<TurnOptions> = {}): void {
    const waiting = this.#lines.get(line) ?? [];
    waiting.push({ id, run });
    this.#lines.set(line, waiting);
    this.size += 1;
  }

  dequeue(): Run | undefined {
    for (const [line, waiting] of this.#lines) {
      const next = waiting.shift();
      this.#lines.delete(line);
      if (waiting.length > 0) this.#lines.set(line, waiting);
      this.size -= 1;
      return next?.run;
    }
    return undefined;
  }

  remove(id: string): void {
    for (const [line, waiting] of this.#lines) {
      const at = waiting.findIndex((one) => one.id === id);
      if (at < 0) continue;
      waiting.splice(at, 1);
      if (waiting.length === 0) this.#lines.delete(line);
      this.size -= 1;
      return;
    }
  }

  filter({ line = '' }: Readonly<Partial<TurnOptions>>): Run[] {
    return (this.#lines.get(line) ?? []).map(({ run }) => run);
  }

  /** Lines have no priorities. */
  setPriority(): void {
    throw new Error('Fair queues have no priorities.');
  }
}
