import { Worker, type ResourceLimits } from 'node:worker_threads';
import type { ErrorCode } from '../../../src-shared/contract/errors.ts';
import type { Clock } from './clock.ts';
import { Failure } from './errors.ts';

/** The reply of a worker script to one task. */
export type WorkerAnswer =
  | { id: number; ok: true; value: unknown }
  | { id: number; ok: false; code: ErrorCode | null; params: Record<string, string | number>; message: string };
export interface WorkerTask {
  id: number;
  request: unknown;
}

export interface PoolOptions {
  script: URL;
  /** Maximum number of threads. They start when there is work. */
  size: number;
  /** Idle threads end after this time and free their memory. */
  idleMs: number;
  clock: Clock;
  /** Passed to each thread at its start. */
  workerData?: unknown;
  resourceLimits?: ResourceLimits;
}

export interface TaskOptions {
  signal?: AbortSignal | undefined;
  /** Ends the thread when the task takes longer; the task fails with `TaskTimeout`. */
  timeoutMs?: number;
  transfer?: ArrayBuffer[];
}

/** A task exceeded its time limit. */
export class TaskTimeout extends Error {}
/** A thread died during its task: out of memory, or a fault of native code. */
export class WorkerCrash extends Error {}

export interface WorkerPool {
  /** Runs a task on a free thread, or waits for one. An abort ends the thread at once. */
  run<T>(request: unknown, options?: TaskOptions): Promise<T>;
  close(): Promise<void>;
}

interface Job {
  request: unknown;
  options: TaskOptions;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}
interface Thread {
  worker: Worker;
  job: Job | null;
  rest: AbortController | null;
}

export function createWorkerPool({ script, size, idleMs, clock, workerData, resourceLimits }: PoolOptions): WorkerPool {
  const threads = new Set<Thread>();
  const waiting: Job[] = [];
  let nextId = 1;
  let closed = false;

  function start(): Thread {
    const worker = new Worker(script, { workerData, ...(resourceLimits && { resourceLimits }) });
    const thread: Thread = { worker, job: null, rest: null };
    threads.add(thread);
    worker.on('message', (answer: WorkerAnswer) => finish(thread, answer));
    worker.on('error', (error) => drop(thread, new WorkerCrash(error.message, { cause: error })));
    worker.on('exit', () => drop(thread, new WorkerCrash('the thread ended')));
    return thread;
  }

  function drop(thread: Thread, error: unknown): void {
    if (!threads.delete(thread)) return;
    thread.rest?.abort();
    const { job } = thread;
    thread.job = null;
    void thread.worker.terminate();
    job?.reject(error);
    next();
  }

  function finish(thread: Thread, answer: WorkerAnswer): void {
    const { job } = thread;
    thread.job = null;
    if (answer.ok) job?.resolve(answer.value);
    else job?.reject(answer.code ? new Failure(answer.code, { params: answer.params }) : new Error(answer.message));
    next();
    if (!thread.job) void restThenEnd(thread);
  }

  async function restThenEnd(thread: Thread): Promise<void> {
    thread.rest = new AbortController();
    const slept = await clock.sleep(idleMs, thread.rest.signal);
    if (slept && !thread.job) drop(thread, new WorkerCrash('idle'));
  }

  function next(): void {
    while (waiting.length > 0) {
      const thread = [...threads].find((candidate) => candidate.job === null) ?? (threads.size < size ? start() : null);
      if (!thread) return;
      const job = waiting.shift();
      if (job) begin(thread, job);
    }
  }

  function begin(thread: Thread, job: Job): void {
    thread.rest?.abort();
    thread.rest = null;
    thread.job = job;
    const { signal, timeoutMs, transfer } = job.options;
    const ended = new AbortController();
    const stop = (): void => drop(thread, signal?.reason ?? new Error('aborted'));
    signal?.addEventListener('abort', stop, { once: true, signal: ended.signal });
    if (timeoutMs !== undefined)
      void clock.sleep(timeoutMs, ended.signal).then((passed) => {
        if (passed && thread.job === job) drop(thread, new TaskTimeout('the task took too long'));
      });
    const settle =
      <A>(with_: (value: A) => void) =>
      (value: A): void => {
        ended.abort();
        with_(value);
      };
    thread.job = { ...job, resolve: settle(job.resolve), reject: settle(job.reject) };
    job = thread.job;
    thread.worker.postMessage({ id: nextId++, request: job.request } satisfies WorkerTask, transfer ?? []);
  }

  return {
    run: <T>(request: unknown, options: TaskOptions = {}) =>
      new Promise<T>((resolve, reject) => {
        if (closed) return reject(new Failure('server.stopping'));
        if (options.signal?.aborted) return reject(options.signal.reason as Error);
        const job: Job = { request, options, resolve: resolve as (value: unknown) => void, reject };
        waiting.push(job);
        options.signal?.addEventListener(
          'abort',
          () => {
            const at = waiting.indexOf(job);
            if (at < 0) return;
            waiting.splice(at, 1);
            reject(options.signal?.reason as Error);
          },
          { once: true },
        );
        next();
      }),
    async close() {
      closed = true;
      for (const job of waiting.splice(0)) job.reject(new Failure('server.stopping'));
      const ending = [...threads];
      for (const thread of ending) {
        threads.delete(thread);
        thread.rest?.abort();
        thread.job?.reject(new Failure('server.stopping'));
      }
      await Promise.all(ending.map((thread) => thread.worker.terminate()));
    },
  };
}
