import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hangs, openTestPipeline, type TestPipeline } from '../../../test/support/pipeline.ts';

let t: TestPipeline;
beforeEach(() => {
  t = openTestPipeline();
});
afterEach(async () => {
  await stop();
  t.close();
});

/** A stage that does not listen gets a second of the clock to end. */
async function stop(): Promise<void> {
  let stopped = false;
  void t.pipeline.stop().then(() => {
    stopped = true;
  });
  await vi.waitFor(
    () => {
      t.clock.advance(1000);
      expect(stopped).toBe(true);
    },
    { timeout: 10_000, interval: 5 },
  );
}

/** The same vault opened by the next process. The one before is gone without a word. */
function reopen(): TestPipeline {
  t.db.close();
  t = openTestPipeline(t.root);
  return t;
}
const began = (count: number): Promise<void> =>
  vi.waitFor(() => expect(t.engine.began).toHaveLength(count), { timeout: 10_000, interval: 5 });
const extractionBegan = (): Promise<void> =>
  vi.waitFor(() => expect(t.engine.extracted.length).toBeGreaterThan(0), { timeout: 10_000, interval: 5 });

test('a clean stop hands the job back; the next process goes on after the last finished stage', async () => {
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
    ['llm_extraction', 'cancelled'],
  ]);
  reopen();
  await t.start();
  await t.pipeline.idle();
  expect(t.engine.began).toEqual([]);
  expect(t.engine.extracted).toEqual(['lab.pdf']);
  expect(t.row(id).status).toBe('done');
});

test('a process that dies leaves its job to the next one, which does not read the pages again', async () => {
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
    ['llm_extraction', 'cancelled'],
    ['llm_extraction', 'completed'],
    ['organizing', 'completed'],
    ['thumbnail', 'completed'],
  ]);
  expect(t.row(id).status).toBe('done');
});

test('pages turned meanwhile are read again', async () => {
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

test('a document that brings the process down again and again waits longer each time', async () => {
  t.engine.answer = hangs;
  await t.add('lab.pdf');
  const waits: (string | null)[] = [];
  for (let death = 1; death <= 6; death += 1) {
    await t.start();
    await began(1);
    reopen();
    t.engine.answer = hangs;
    // Only the look of the next start counts: it must not take the job.
    t.pipeline.pause();
    await t.start();
    waits.push(t.jobs()[0]?.not_before ?? null);
    await t.pipeline.stop();
    t.db.prepare('UPDATE jobs SET not_before = NULL').run();
    t.pipeline.resume();
  }
  expect(waits).toEqual([null, null, null, '2026-11-21T08:00:05', '2026-11-21T08:00:10', '2026-11-21T08:00:20']);
});

test('a stop by hand lasts across restarts, with the job in flight put back', async () => {
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
