import { getEventListeners } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { LONG } from '../../../test/support/long.ts';
import { systemClock } from './clock.ts';
import { Failure } from './errors.ts';
import { createWorkerPool, TaskTimeout, WorkerCrash, type WorkerPool } from './worker-pool.ts';

/** A scripted thread: on request it replies, refuses, hangs, exits or keeps a buffer, and it reports its thread id. */
const SCRIPT = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { execFileSync } from 'node:child_process';
  import { parentPort, threadId, workerData } from 'node:worker_threads';
  const WRITE_TWICE = \`const [, file] = process.argv, { writeFileSync } = require('node:fs');
    writeFileSync(file, 'once'); setTimeout(() => writeFileSync(file, 'twice'), 300)\`;
  parentPort.on('message', ({ id, request }) => {
    const refuse = (code) => parentPort.postMessage({ id, ok: false, code, params: { pages: 7 }, message: 'refused' });
    if (request === 'die') process.exit(3);
    if (request === 'throw') throw new Error('broken');
    if (request === 'hang') for (;;);
    // Nothing interrupts a call of native code, such as this one or that of a database.
    if (request.writeTo) execFileSync(process.execPath, ['-e', WRITE_TWICE, request.writeTo]);
    if (request === 'refuse') return refuse('upload.damaged');
    if (request === 'fault') return refuse(null);
    if (request === 'keep memory') globalThis.kept = Buffer.alloc(250 * 2 ** 20, 1);
    if (request === 'take memory') {
      const kept = [];
      for (;;) kept.push(Buffer.alloc(2 ** 24, 1));
    }
    parentPort.postMessage({ id, ok: true, value: { thread: threadId, process: process.pid, workerData, bytes: request.bytes?.byteLength ?? 0 } });
  });
`)}`,
);

interface Answer {
  thread: number;
  process: number;
  workerData: unknown;
  bytes: number;
}

let pool: WorkerPool;
const open = (size: number, idleMs = 60_000): WorkerPool =>
  (pool = createWorkerPool({ script: SCRIPT, size, idleMs, clock: systemClock, workerData: { limit: 5 } }));
afterEach(() => pool.close());

describe('a pool of threads', () => {
  test('reuses its thread for the next task and passes its data', async () => {
    open(1);
    const first = await pool.run<Answer>({}),
      second = await pool.run<Answer>({});
    expect(first.workerData).toEqual({ limit: 5 });
    expect(second.thread).toBe(first.thread);
  });

  test('moves buffers without a copy', async () => {
    open(1);
    const bytes = new ArrayBuffer(1024);
    expect((await pool.run<Answer>({ bytes }, { transfer: [bytes] })).bytes).toBe(1024);
    expect(bytes.byteLength).toBe(0);
  });

  test('gives up what waits for somebody who left, and finishes what it has begun', async () => {
    open(1);
    const left = new AbortController();
    const begun = pool.run<Answer>({}, { waiting: left.signal });
    const waiting = pool.run<Answer>({}, { waiting: left.signal });
    left.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    await expect(pool.run({}, { waiting: left.signal })).rejects.toThrow('left');
    expect((await pool.run<Answer>({})).thread).toBe((await begun).thread);
  });

  test('does not hold on to what it has done for a signal that lives longer', async () => {
    open(1);
    const { signal } = new AbortController();
    const running = [pool.run({}, { waiting: signal }), pool.run({}, { signal })];
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await Promise.all(running);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('returns failures with their code and data, and other errors with their message', async () => {
    open(1);
    await expect(pool.run('refuse')).rejects.toMatchObject({ code: 'upload.damaged', params: { pages: 7 } });
    const fault = await pool.run('fault').catch((error: unknown) => error);
    expect(fault).not.toBeInstanceOf(Failure);
    expect((fault as Error).message).toBe('refused');
  });

  test.each(['die', 'throw'])('rejects a task whose thread did "%s", and starts another thread', async (how) => {
    open(1);
    const { thread } = await pool.run<Answer>({});
    const lost = pool.run(how),
      following = pool.run<Answer>({});
    await expect(lost).rejects.toBeInstanceOf(WorkerCrash);
    expect((await following).thread).not.toBe(thread);
  });

  test('ends a thread that hangs when its task is cancelled', async () => {
    open(1);
    const stop = new AbortController();
    const hanging = pool.run('hang', { signal: stop.signal }),
      following = pool.run<Answer>({});
    stop.abort(new Error('cancelled by a person'));
    await expect(hanging).rejects.toThrow('cancelled by a person');
    expect((await following).bytes).toBe(0);
  });

  test('reports that a task which writes was cancelled when it writes no more', async () => {
    open(1);
    const file = join(mkdtempSync(join(tmpdir(), 'hearth-pool-')), 'written');
    const stop = new AbortController();
    const writing = pool.run({ writeTo: file }, { signal: stop.signal, writes: true });
    await expect.poll(() => existsSync(file)).toBe(true);
    stop.abort(new Error('cancelled by a person'));
    await expect(writing).rejects.toThrow('cancelled by a person');
    rmSync(file);
    await setTimeout(500);
    expect(existsSync(file)).toBe(false);
    rmSync(dirname(file), { recursive: true });
  });

  test('takes a cancelled task out of the queue', async () => {
    open(1);
    const stop = new AbortController(),
      stopWaiting = new AbortController();
    const hanging = pool.run('hang', { signal: stop.signal }),
      waiting = pool.run({}, { signal: stopWaiting.signal });
    stopWaiting.abort(new Error('not any more'));
    await expect(waiting).rejects.toThrow('not any more');
    stop.abort(new Error('ended'));
    await expect(hanging).rejects.toThrow('ended');
  });

  test('ends a task that takes too long', async () => {
    open(1);
    await expect(pool.run('hang', { timeoutMs: 50 })).rejects.toBeInstanceOf(TaskTimeout);
    expect(await pool.run<Answer>({})).toMatchObject({ bytes: 0 });
  });

  test('ends idle threads', async () => {
    const slept: number[] = [];
    const clock = {
      ...systemClock,
      sleep: (ms: number) => {
        slept.push(ms);
        return Promise.resolve(true);
      },
    };
    pool = createWorkerPool({ script: SCRIPT, size: 1, idleMs: 1234, clock });
    const first = await pool.run<Answer>({});
    await new Promise(setImmediate);
    const second = await pool.run<Answer>({});
    expect(slept[0]).toBe(1234);
    expect(second.thread).not.toBe(first.thread);
  });

  test('rejects running, waiting and later tasks when it closes', async () => {
    open(1);
    const refused = (task: Promise<unknown>) => expect(task).rejects.toMatchObject({ code: 'server.stopping' });
    const tasks = [refused(pool.run('hang')), refused(pool.run({}))];
    await pool.close();
    await Promise.all([...tasks, refused(pool.run({}))]);
  });
});

describe('a pool of processes', () => {
  const openProcess = (): WorkerPool =>
    (pool = createWorkerPool({
      ...{ script: SCRIPT, size: 1, idleMs: 60_000, clock: systemClock, workerData: { limit: 5 } },
      process: { maxBytes: 400 * 2 ** 20, maxIdleBytes: 200 * 2 ** 20 },
    }));

  test('runs tasks in another process, which it reuses', async () => {
    openProcess();
    const first = await pool.run<Answer>({ bytes: new Uint8Array(4) });
    expect(first).toMatchObject({ workerData: { limit: 5 }, bytes: 4 });
    expect(first.process).not.toBe(process.pid);
    expect((await pool.run<Answer>({})).process).toBe(first.process);
    await expect(pool.run('refuse')).rejects.toMatchObject({ code: 'upload.damaged', params: { pages: 7 } });
  });

  test.each(['take memory', 'die', 'throw', 'fault'])('replaces a process whose task did "%s"', async (how) => {
    openProcess();
    const { process: first } = await pool.run<Answer>({});
    await expect(pool.run(how)).rejects.toBeInstanceOf(WorkerCrash);
    expect((await pool.run<Answer>({})).process).not.toBe(first);
  });

  test('ends a process that holds more than its task may, and lets the next task hold more', LONG, async () => {
    openProcess();
    const { process: first } = await pool.run<Answer>({});
    await expect(pool.run('keep memory', { maxBytes: 150 * 2 ** 20 })).rejects.toBeInstanceOf(WorkerCrash);
    const after = await pool.run<Answer>('keep memory');
    expect(after.process).not.toBe(first);
  });

  test('replaces a process that holds much memory after a task', LONG, async () => {
    openProcess();
    const { process: first } = await pool.run<Answer>({});
    expect((await pool.run<Answer>('keep memory')).process).toBe(first);
    expect((await pool.run<Answer>({})).process).not.toBe(first);
  });

  test('ends a task that takes too long', async () => {
    openProcess();
    await expect(pool.run('hang', { timeoutMs: 2000 })).rejects.toBeInstanceOf(TaskTimeout);
    expect(await pool.run<Answer>({})).toMatchObject({ bytes: 0 });
  });

  test('ends its processes when it closes', async () => {
    openProcess();
    const { process: child } = await pool.run<Answer>({});
    const hanging = expect(pool.run('hang')).rejects.toMatchObject({ code: 'server.stopping' });
    await pool.close();
    await hanging;
    expect(() => process.kill(child, 0)).toThrow('ESRCH');
  });
});
