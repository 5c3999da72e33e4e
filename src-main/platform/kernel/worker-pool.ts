import { Worker, type ResourceLimits } from 'node:worker_threads';
import type { ErrorCode } from '../../../src-shared/contract/errors.ts';
import type { Clock } from './clock.ts';
import { Failure } from './errors.ts';
import type { WorkerTask } from './process-messages.ts';
import { WorkerProcess } from './worker-process.ts';

/** The reply of a worker script to one task. */
export type WorkerAnswer = (
  | { id: number; ok: true; value: unknown }
  | { id: number; ok: false; code: ErrorCode | null; params: Record<string, string | number>; message: string }
) & {
  /** Resident memory after the task, if the thread has a process of its own. */
  heldBytes?: number;
};

export interface PoolOptions {
  script: URL;
  /** Maximum number of threads. They start on demand. */
  size: number;
  /** Idle threads end after this time and free their memory. */
  idleMs: number;
  clock: Clock;
  /** Passed to each thread at its start. */
  workerData?: unknown;
  resourceLimits?: ResourceLimits;
  /** Runs each thread in a process of its own, which ends when it holds more memory, that of native code included. */
  process?: {
    maxBytes: number;
    /** A process that holds more after a task is replaced: WebAssembly memory never shrinks. */
    maxIdleBytes: number;
  };
}

export interface TaskOptions {
  signal?: AbortSignal | undefined;
  /** Gives the task up while it waits for a thread; once begun, it is finished. */
  waiting?: AbortSignal | undefined;
  /**
   * The task writes files: an abort is reported when its thread has ended, since it writes on until then, and would
   * bring back what the caller deletes.
   */
  writes?: boolean;
  /** Terminates the thread if the task takes longer; the task fails with `TaskTimeout`. */
  timeoutMs?: number;
  /** Memory that the process may hold during this task; threads have no limit of their own. */
  maxBytes?: number;
  transfer?: ArrayBuffer[];
}

/** A task exceeded its time limit. */
export class TaskTimeout extends Error {}
/**
 * A thread or its process died during a task, or failed with an error that has no code: out of memory, a fault of native
 * code.
 */
export class WorkerCrash extends Error {}

export interface WorkerPool {
  /** Runs a task on a free thread, or waits for one. An abort terminates the thread at once. */
  run<T>(request: unknown, options?: TaskOptions): Promise<T>;
  /** Ends the threads that have nothing to do, which frees their memory. */
  endIdle(): void;
  close(): Promise<void>;
}

interface Job {
  request: unknown;
  options: TaskOptions;
  /** Ends the abort listeners of its waiting: a signal that lives longer would keep the job, and with it its result. */
  waitEnd: AbortController;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}
interface Thread {
  worker: Worker | WorkerProcess;
  job: Job | null;
  /** Ends the time limit and abort listener of the job. */
  jobEnd: AbortController | null;
  /** Ends the idle time. */
  idle: AbortController | null;
}

export const createWorkerPool = (options: PoolOptions): WorkerPool => new ThreadPool(options);

class ThreadPool implements WorkerPool {
  readonly #options: PoolOptions;
  readonly #threads = new Set<Thread>();
  readonly #waiting: Job[] = [];
  #nextId = 1;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  run<T>(request: unknown, options: TaskOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#isClosed) return reject(new Failure('server.stopping'));
      const signals = [options.signal, options.waiting].filter((signal) => signal !== undefined);
      const aborted = signals.find((signal) => signal.aborted);
      if (aborted) return reject(aborted.reason as Error);
      const waitEnd = new AbortController();
      const job: Job = { request, options, waitEnd, resolve: resolve as (value: unknown) => void, reject };
      this.#waiting.push(job);
      for (const signal of signals)
        signal.addEventListener('abort', () => this.#cancelWaiting(job, signal.reason), { signal: waitEnd.signal });
      this.#startWaiting();
    });
  }

  endIdle(): void {
    for (const thread of [...this.#threads]) if (!thread.job) this.#endThread(thread, new WorkerCrash('idle'));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#waiting.splice(0)) job.reject(new Failure('server.stopping'));
    const ending = [...this.#threads];
    this.#threads.clear();
    for (const thread of ending) {
      thread.idle?.abort();
      takeJob(thread)?.reject(new Failure('server.stopping'));
    }
    await Promise.all(ending.map((thread) => thread.worker.terminate()));
  }

  #cancelWaiting(job: Job, reason: unknown): void {
    const index = this.#waiting.indexOf(job);
    if (index < 0) return;
    this.#waiting.splice(index, 1);
    job.waitEnd.abort();
    job.reject(reason);
  }

  #startWaiting(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#freeThread();
      if (!thread) return;
      const job = this.#waiting.shift();
      if (job) this.#startJob(thread, job);
    }
  }

  #freeThread(): Thread | null {
    const idle = [...this.#threads].find((thread) => thread.job === null);
    if (idle) return idle;
    return this.#threads.size < this.#options.size ? this.#startThread() : null;
  }

  #startThread(): Thread {
    const worker = startWorker(this.#options);
    const thread: Thread = { worker, job: null, jobEnd: null, idle: null };
    this.#threads.add(thread);
    worker.on('message', (answer: WorkerAnswer) => this.#finishJob(thread, answer));
    worker.on('error', (error) => this.#endThread(thread, new WorkerCrash(error.message, { cause: error })));
    worker.on('exit', () => this.#endThread(thread, new WorkerCrash('the thread ended')));
    return thread;
  }

  #startJob(thread: Thread, job: Job): void {
    thread.idle?.abort();
    thread.idle = null;
    thread.job = job;
    job.waitEnd.abort();
    const { signal, timeoutMs, transfer, maxBytes } = job.options;
    const end = new AbortController();
    thread.jobEnd = end;
    const abort = (): void => this.#endThread(thread, signal?.reason ?? new Error('aborted'));
    signal?.addEventListener('abort', abort, { once: true, signal: end.signal });
    if (timeoutMs !== undefined)
      void this.#options.clock.sleep(timeoutMs, end.signal).then((passed) => {
        if (passed && thread.job === job) this.#endThread(thread, new TaskTimeout('the task took too long'));
      });
    const task: WorkerTask = { id: this.#nextId++, request: job.request, ...(maxBytes !== undefined && { maxBytes }) };
    thread.worker.postMessage(task, transfer ?? []);
  }

  #finishJob(thread: Thread, answer: WorkerAnswer): void {
    // What failed unexpectedly may be broken for good, such as a WebAssembly module that was aborted.
    if (!answer.ok && !answer.code) return this.#endThread(thread, new WorkerCrash(answer.message));
    const job = takeJob(thread);
    if (answer.ok) job?.resolve(answer.value);
    else if (answer.code) job?.reject(new Failure(answer.code, { params: answer.params }));
    if ((answer.heldBytes ?? 0) > (this.#options.process?.maxIdleBytes ?? Infinity))
      return this.#endThread(thread, new WorkerCrash('holds too much memory'));
    this.#startWaiting();
    if (!thread.job) void this.#endWhenIdle(thread);
  }

  async #endWhenIdle(thread: Thread): Promise<void> {
    thread.idle = new AbortController();
    const slept = await this.#options.clock.sleep(this.#options.idleMs, thread.idle.signal);
    if (slept && !thread.job) this.#endThread(thread, new WorkerCrash('idle'));
  }

  #endThread(thread: Thread, error: unknown): void {
    if (!this.#threads.delete(thread)) return;
    thread.idle?.abort();
    const job = takeJob(thread);
    const ended = thread.worker.terminate();
    if (job?.options.writes) void ended.finally(() => job.reject(error));
    else job?.reject(error);
    this.#startWaiting();
  }
}

function startWorker({ script, workerData, resourceLimits = {}, process }: PoolOptions): Worker | WorkerProcess {
  if (process)
    return new WorkerProcess({ script: script.href, workerData, resourceLimits, maxBytes: process.maxBytes });
  return new Worker(script, { workerData, resourceLimits });
}

/** Removes the job from its thread and ends its time limit. */
function takeJob(thread: Thread): Job | null {
  const { job } = thread;
  thread.job = null;
  thread.jobEnd?.abort();
  thread.jobEnd = null;
  return job;
}
