import { afterEach, beforeEach, expect, test } from 'vitest';
import { hangs, openTestPipeline, type TestPipeline } from '../../../test/support/pipeline.ts';

let t: TestPipeline;
beforeEach(() => {
  t = openTestPipeline();
});
afterEach(async () => {
  await stop();
  t.close();
});

/** Stops the pipeline. A stage that ignores the abort has a second of clock time to end. */
async function stop(): Promise<void> {
  let stopped = false;
  void t.pipeline.stop().then(() => {
    stopped = true;
  });
  const isStopped = (): boolean => {
    t.clock.advance(1000);
    return stopped;
  };
  await expect.poll(isStopped, { interval: 5 }).toBe(true);
}

/** Opens the same vault as the next process would after a crash of the previous one. */
function reopen(): TestPipeline {
  t.db.close();
  t = openTestPipeline(t.root);
  return t;
}
const began = (count: number): Promise<void> => expect.poll(() => t.engine.began, { interval: 5 }).toHaveLength(count);
const extractionBegan = (): Promise<void> =>
  expect.poll(() => t.engine.extracted.length, { interval: 5 }).toBeGreaterThan(0);

test('returns the job to the queue on a stop, and continues after its last finished stage', async () => {
  t.engine.extraction = hangs;
  const id = await t.add('lab.pdf');
  await t.start();
  await extractionBegan();
  await stop();
  expect([t.row(id).status, t.jobs()]).toEqual([
    'pending',
    [expect.objectContaining({ state: 'queued', attempts: 0, not_before: null })],
  ]);
  expect(t.events(id).map(({ stage, status }) => [stage, status])).toEqual([
    ['ocr', 'completed'],
    ['page_classification', 'skipped'],
    ['section_extraction', 'skipped'],
    ['llm_extraction', 'cancelled'],
  ]);
  reopen();
  await t.start();
  await t.pipeline.idle();
  expect(t.engine.began).toEqual([]);
  expect(t.engine.extracted).toEqual(['lab.pdf']);
  expect(t.row(id).status).toBe('done');
});

test('continues the job of a killed process without reading the pages again', async () => {
  t.engine.extraction = hangs;
  const id = await t.add('lab.pdf');
  await t.start();
  await extractionBegan();
  expect(t.row(id).status).toBe('processing');
  reopen();
  await t.start();
  await t.pipeline.idle();
  expect(t.engine.began).toEqual([]);
  expect(t.events(id).map(({ stage, status }) => [stage, status])).toEqual([
    ['ocr', 'completed'],
    ['page_classification', 'skipped'],
    ['section_extraction', 'skipped'],
    ['llm_extraction', 'cancelled'],
    ['llm_extraction', 'completed'],
    ['organizing', 'completed'],
    ['thumbnail', 'completed'],
  ]);
  expect(t.row(id).status).toBe('done');
});

test('reads pages again that were rotated meanwhile', async () => {
  t.engine.extraction = hangs;
  const id = await t.add('lab.pdf');
  await t.start();
  await extractionBegan();
  reopen();
  t.db.prepare(`UPDATE documents SET page_turns = '{"1":90}' WHERE id = ?`).run(id);
  await t.start();
  await t.pipeline.idle();
  expect(t.engine.began).toEqual(['lab.pdf']);
});

test('delays a document longer after each crash of the process', async () => {
  t.engine.answer = hangs;
  await t.add('lab.pdf');
  const waits: (string | null)[] = [];
  for (let death = 1; death <= 6; death += 1) {
    await t.start();
    await began(1);
    reopen();
    t.engine.answer = hangs;
    // Only the first check of the next start matters: it must not take the job.
    t.pipeline.pause();
    await t.start();
    waits.push(t.jobs()[0]?.not_before ?? null);
    await t.pipeline.stop();
    t.db.prepare('UPDATE jobs SET not_before = NULL').run();
    t.pipeline.resume();
  }
  expect(waits).toEqual([null, null, null, '2026-11-21T08:00:05', '2026-11-21T08:00:10', '2026-11-21T08:00:20']);
});

test('remains stopped after a restart, with the running job back in the queue', async () => {
  t.engine.answer = hangs;
  const id = await t.add('lab.pdf');
  await t.start();
  await began(1);
  t.pipeline.pause();
  expect(t.pipeline.snapshot()).toMatchObject({
    running: false,
    auto_stopped: false,
    current_job: null,
    queue_depth: 1,
  });
  expect(t.row(id).status).toBe('pending');
  reopen();
  await t.start();
  await t.pipeline.idle();
  expect(t.engine.began).toEqual([]);
  t.pipeline.resume();
  await began(1);
  await t.pipeline.idle();
  expect(t.row(id).status).toBe('done');
});
