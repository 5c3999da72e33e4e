import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestPipeline, type TestPipeline } from '../../../test/support/pipeline.ts';

let t: TestPipeline;
beforeEach(() => {
  t = openTestPipeline();
});
afterEach(async () => {
  await t.pipeline.stop();
  t.close();
});

test('a document that could not be read is done once a person marks it as reviewed, and filed by its fields', async () => {
  t.engine.answer = () => ({ ok: false, reason: 'bad_answer', code: 'reading.page_unreadable' });
  const id = await t.add('lab.pdf');
  await t.start();
  await t.pipeline.idle();
  expect(t.row(id)).toMatchObject({ status: 'failed', error_message: expect.any(String) });
  t.documents.edits.markReviewed(id);
  expect(t.row(id)).toMatchObject({
    status: 'done',
    error_message: null,
    file_path: expect.stringMatching(/^patients\/elena-keller\//),
  });
});

test('a document is left as it is by a reading that cannot run', async () => {
  const id = await t.add('lab.pdf');
  await t.start();
  await t.pipeline.idle();
  const before = t.row(id);
  expect(() => t.documents.reading.reprocess(id, { mode: 'vision_llm' })).toThrow('reading.no_vision_model');
  expect([t.row(id), t.jobs()]).toEqual([before, []]);
});

test('a document is read from its file when its text is wanted again but was never read', async () => {
  const id = await t.add('lab.pdf');
  t.pipeline.cancel(id);
  t.documents.reading.reprocess(id, { mode: 'llm' });
  await t.start();
  await t.pipeline.idle();
  expect(t.engine.began).toEqual(['lab.pdf']);
  expect(t.row(id).status).toBe('done');
});
