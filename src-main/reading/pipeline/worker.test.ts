import { textOfError } from '../../../src-shared/contract/errors.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pipelineStatus } from '../../../src-shared/contract/pipeline.ts';
import { hangs, openTestPipeline, pagesRead, type TestPipeline } from '../../../test/support/pipeline.ts';
import { fail } from '../../platform/kernel/errors.ts';

const MINUTE_MS = 60_000;
let t: TestPipeline;
beforeEach(() => {
  t = openTestPipeline();
});
afterEach(async () => {
  await stop();
  t.close();
});

/** Stops the worker. A stage that ignores the abort has a second of clock time to end. */
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

const began = (count: number): Promise<void> => expect.poll(() => t.engine.began, { interval: 5 }).toHaveLength(count);

describe('a document', () => {
  test('passes all stages, is filed, and leaves no job', async () => {
    const id = await t.add('lab.pdf');
    await t.start();
    await t.pipeline.idle();
    expect(t.row(id)).toMatchObject({
      status: 'done',
      error_message: null,
      file_path: expect.stringMatching(/^patients\/elena-keller\/2025\/20251112_/),
    });
    expect(t.events(id).map(({ stage, status }) => [stage, status])).toEqual([
      ['ocr', 'completed'],
      ['page_classification', 'skipped'],
      ['section_extraction', 'skipped'],
      ['llm_extraction', 'completed'],
      ['organizing', 'completed'],
      ['thumbnail', 'completed'],
    ]);
    expect(t.jobs()).toEqual([]);
    expect(t.db.prepare('SELECT count(*) FROM job_artifacts').pluck().get()).toBe(0);
    expect(t.pipeline.snapshot()).toMatchObject({
      total_processed: 1,
      total_errors: 0,
      queue_depth: 0,
      current_job: null,
    });
  });

  test('is split into sections with six pages, but not with five', async () => {
    t.engine.answer = (name) => pagesRead(name === 'long.pdf' ? 6 : 5);
    const [short, long] = [await t.add('short.pdf'), await t.add('long.pdf')];
    await t.start();
    await t.pipeline.idle();
    const stages = ['ocr', 'page_classification', 'section_extraction', 'llm_extraction', 'organizing', 'thumbnail'];
    const rows = (id: number) => t.events(id).map(({ stage, status }) => [stage, status]);
    const isForLong = (stage: string): boolean => stage === 'page_classification' || stage === 'section_extraction';
    expect(rows(short)).toEqual(stages.map((stage) => [stage, isForLong(stage) ? 'skipped' : 'completed']));
    expect(rows(long)).toEqual(stages.map((stage) => [stage, 'completed']));
    const [skipped] = t.documents.queries.stages(short).events.filter(({ status }) => status === 'skipped');
    expect(skipped).toMatchObject({ message: null, page_current: null, page_total: null, job_kind: 'upload' });
    expect(skipped?.finished_at).toBe(skipped?.started_at);
  });

  test('reports each page in live messages and in its history', async () => {
    t.engine.answer = async (_name, { onPage }) => {
      for (const page of [1, 2, 3]) onPage(page, 3);
      return pagesRead(3);
    };
    const id = await t.add('three.pdf');
    await t.start();
    await t.pipeline.idle();
    expect(t.messages.filter((message) => message.kind === 'progress')).toEqual(
      [1, 2, 3].map((page) => ({
        kind: 'progress',
        document_id: id,
        patient_id: 1,
        stage: 'ocr',
        page_current: page,
        page_total: 3,
      })),
    );
    expect(t.events(id)[0]).toMatchObject({ page_current: 3, page_total: 3 });
  });

  test('succeeds without a preview of its first page', async () => {
    t.engine.thumbnail = () => ({ ok: false, reason: 'bad_answer', code: 'reading.page_unreadable' });
    const id = await t.add('lab.pdf');
    await t.start();
    await t.pipeline.idle();
    expect(t.row(id).status).toBe('done');
    expect(t.events(id).at(-1)).toMatchObject({
      stage: 'thumbnail',
      status: 'failed',
      message: textOfError({ code: 'reading.page_unreadable' }),
    });
    const { events: stages } = t.documents.queries.stages(id);
    expect(stages.map(({ error }) => error)).toEqual([
      ...stages.slice(1).map(() => null),
      { code: 'reading.page_unreadable' },
    ]);
  });

  test('is read again if that is requested during a reading', async () => {
    let release: () => void = () => undefined;
    t.engine.answer = () =>
      new Promise((resolve) => {
        release = () => resolve(pagesRead());
      });
    const id = await t.add('lab.pdf');
    await t.start();
    await began(1);
    t.documents.reading.reprocess(id, { mode: 'both' });
    t.engine.answer = () => pagesRead();
    release();
    await began(2);
    await t.pipeline.idle();
    expect(t.row(id).status).toBe('done');
    expect(t.jobs()).toEqual([]);
  });
});

describe('order', () => {
  test('runs reprocess requests first, then uploads with the smallest first, then retries', async () => {
    const [large, small, reprocessed, failed] = [
      await t.add('large.pdf', 5000),
      await t.add('small.pdf', 50),
      await t.add('asked.pdf', 9000),
      await t.add('failed.pdf', 10),
    ];
    t.db.prepare('DELETE FROM jobs WHERE document_id IN (?, ?)').run(reprocessed, failed);
    t.db.prepare("UPDATE documents SET status = 'failed' WHERE id = ?").run(failed);
    t.documents.reading.retryAllFailed();
    t.documents.reading.reprocess(reprocessed, { mode: 'both' });
    expect(t.pipeline.snapshot().queued_jobs.map((job) => job.doc_id)).toEqual([reprocessed, small, large, failed]);
    await t.start();
    await t.pipeline.idle();
    expect(t.engine.began).toEqual(['asked.pdf', 'small.pdf', 'large.pdf', 'failed.pdf']);
  });

  test('runs delayed jobs at their time', async () => {
    const id = await t.add('later.pdf');
    t.db.prepare('DELETE FROM jobs').run();
    t.pipeline.enqueue({ kind: 'reprocess', documentId: id, notBefore: '2026-11-21T08:05:00' });
    await t.start();
    await t.pipeline.idle();
    expect(t.engine.began).toEqual([]);
    for (let minute = 0; minute < 5; minute += 1) {
      t.clock.advance(MINUTE_MS);
      await t.pipeline.idle();
    }
    await began(1);
  });
});

describe('a slow document', () => {
  test('waits until all others were read, and then may take its time', async () => {
    const patience: [string, boolean][] = [];
    t.engine.answer = (name, { mustBeQuick = false }) => {
      patience.push([name, !mustBeQuick]);
      return mustBeQuick && name === 'slow.pdf'
        ? { ok: false, reason: 'too_slow', code: 'reading.file_too_demanding' }
        : pagesRead();
    };
    const [slow, next] = [await t.add('slow.pdf', 10), await t.add('next.pdf', 20)];
    await t.start();
    await t.pipeline.idle();
    expect(patience).toEqual([
      ['slow.pdf', false],
      ['next.pdf', false],
      ['slow.pdf', true],
    ]);
    expect([t.row(slow), t.row(next)]).toMatchObject([{ status: 'done', error_message: null }, { status: 'done' }]);
    expect(t.pipeline.snapshot()).toMatchObject({ total_processed: 2, total_errors: 0 });
  });
});

describe('cancelling', () => {
  test('takes a waiting document out of the queue', async () => {
    const id = await t.add('lab.pdf');
    expect(t.pipeline.cancel(id)).toBe(true);
    expect(t.pipeline.cancel(id)).toBe(false);
    await t.start();
    await t.pipeline.idle();
    expect(t.engine.began).toEqual([]);
  });

  test('ends a reading at once, even if its provider does not respond, and starts the next', async () => {
    let aborted = false;
    t.engine.answer = (name, { signal }) => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      return name === 'stuck.pdf' ? hangs() : pagesRead();
    };
    const stuck = await t.add('stuck.pdf', 50);
    const next = await t.add('next.pdf', 60);
    await t.start();
    await began(1);
    expect(t.pipeline.cancel(stuck)).toBe(true);
    expect(aborted).toBe(true);
    expect(t.row(stuck).status).toBe('cancelled');
    expect(t.events(stuck)).toEqual([expect.objectContaining({ stage: 'ocr', status: 'cancelled' })]);
    const statusLater = (): string => {
      t.clock.advance(1000);
      return t.row(next).status;
    };
    await expect.poll(statusLater, { interval: 5 }).toBe('done');
    expect(t.row(stuck).status).toBe('cancelled');
    expect(t.jobs()).toEqual([]);
  });
});

describe('failures', () => {
  test('of a provider are retried after 300, 600 and 900 s, then the document fails', async () => {
    t.engine.answer = () => ({ ok: false, reason: 'refused', code: 'reading.tesseract_failed' });
    const id = await t.add('lab.pdf');
    await t.start();
    await t.pipeline.idle();
    for (const [attempt, seconds] of [
      [1, 300],
      [2, 600],
      [3, 900],
    ] as const) {
      const due = new Date(t.clock.now() + seconds * 1000).toISOString().slice(0, 19);
      expect(t.row(id)).toMatchObject({
        status: 'pending',
        error_message: textOfError({ code: 'reading.tesseract_failed' }),
        retry_count: attempt,
        process_at: due,
      });
      expect(t.jobs()).toEqual([{ document_id: id, state: 'queued', attempts: attempt, not_before: due }]);
      t.clock.advance((seconds - 1) * 1000);
      t.pipeline.wake();
      await t.pipeline.idle();
      expect(t.engine.began).toHaveLength(attempt);
      t.clock.advance(1000);
      t.pipeline.wake();
      await began(attempt + 1);
      await t.pipeline.idle();
    }
    expect(t.row(id)).toMatchObject({
      status: 'failed',
      error_message: textOfError({ code: 'reading.tesseract_failed' }),
    });
    expect(t.pipeline.snapshot()).toMatchObject({
      total_errors: 1,
      recent_errors: [
        { doc_id: id, filename: 'lab.pdf', stage: 'ocr', message: textOfError({ code: 'reading.tesseract_failed' }) },
      ],
      auto_stopped: false,
    });
  });

  test('of the file are not retried, and the next document is read', async () => {
    t.engine.answer = (name) => {
      if (name === 'bad.pdf') throw fail('upload.damaged');
      return pagesRead();
    };
    const [bad, good] = [await t.add('bad.pdf', 50), await t.add('good.pdf', 60)];
    await t.start();
    await t.pipeline.idle();
    expect([t.row(bad).status, t.row(good).status]).toEqual(['failed', 'done']);
    expect(t.row(bad).error_message).toBe(fail('upload.damaged').detail);
    expect(t.engine.began).toEqual(['bad.pdf', 'good.pdf']);
  });

  test('of the program are reported without the text of the error', async () => {
    t.engine.answer = () => {
      throw new Error('secret words of the page');
    };
    const id = await t.add('lab.pdf');
    await t.start();
    await t.pipeline.idle();
    expect(t.row(id).status).toBe('failed');
    expect(JSON.stringify([t.row(id), t.events(id), t.pipeline.snapshot()])).not.toContain('secret');
  });

  test('stop the pipeline after three unreachable providers and return the job to the queue', async () => {
    t.engine.answer = () => ({ ok: false, reason: 'unreachable', code: 'reading.tesseract_timeout' });
    const ids = [
      await t.add('1.pdf', 50),
      await t.add('2.pdf', 60),
      await t.add('3.pdf', 70),
      await t.add('4.pdf', 80),
    ];
    await t.start();
    await t.pipeline.idle();
    expect(t.engine.began).toEqual(['1.pdf', '2.pdf', '3.pdf']);
    expect(t.pipeline.snapshot()).toMatchObject({
      running: false,
      auto_stopped: true,
      auto_stop_reason: textOfError({ code: 'reading.tesseract_timeout' }),
      auto_stop_error: { code: 'reading.tesseract_timeout' },
      queue_depth: 4,
    });
    expect(t.row(ids[2]!)).toMatchObject({ status: 'pending', retry_count: 0, process_at: null });
    t.engine.answer = () => pagesRead();
    t.pipeline.resume();
    await began(5);
    await t.pipeline.idle();
    expect([t.row(ids[2]!).status, t.row(ids[3]!).status]).toEqual(['done', 'done']);
    expect(t.pipeline.snapshot()).toMatchObject({ running: true, auto_stopped: false, auto_stop_reason: null });
  });

  test('are counted from zero after a success', async () => {
    t.engine.answer = (name) =>
      name === '3.pdf' ? pagesRead() : { ok: false, reason: 'unreachable', code: 'reading.tesseract_timeout' };
    for (const name of ['1', '2', '3', '4', '5']) await t.add(`${name}.pdf`, 50 + Number(name));
    await t.start();
    await t.pipeline.idle();
    expect(t.engine.began).toHaveLength(5);
    expect(t.pipeline.snapshot().auto_stopped).toBe(false);
  });

  test('of a full disk stop the pipeline and return the job to the queue', async () => {
    t.engine.answer = () => {
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    };
    const id = await t.add('lab.pdf');
    await t.start();
    await t.pipeline.idle();
    expect(t.pipeline.snapshot()).toMatchObject({
      auto_stopped: true,
      auto_stop_reason: fail('server.disk_full').detail,
    });
    expect([t.row(id).status, t.jobs()]).toEqual([
      'pending',
      [expect.objectContaining({ state: 'queued', attempts: 0 })],
    ]);
  });
});

test('the status lists the running and the waiting jobs', async () => {
  t.engine.answer = (_name, { onPage }) => {
    onPage(2, 7);
    return hangs();
  };
  const [first, second] = [await t.add('first.pdf', 50), await t.add('second.pdf', 60)];
  await t.start();
  await began(1);
  const status = t.pipeline.snapshot();
  expect(pipelineStatus.parse(status)).toEqual(status);
  expect(status).toEqual({
    queue_depth: 1,
    processing: 'first.pdf',
    processing_step: 'ocr',
    processing_doc_id: first,
    processing_pages: 7,
    processing_page_current: 2,
    total_processed: 0,
    total_errors: 0,
    recent_errors: [],
    queued_files: [{ filename: 'second.pdf', size: 60 }],
    queued_jobs: [{ kind: 'upload', label: 'second.pdf', doc_id: second }],
    current_job: {
      doc_id: first,
      filename: 'first.pdf',
      kind: 'upload',
      stage: 'ocr',
      page_current: 2,
      page_total: 7,
      stages_done: [],
      started_at: '2026-11-21T08:00:00',
      stages_planned: ['ocr', 'page_classification', 'section_extraction', 'llm_extraction', 'organizing', 'thumbnail'],
    },
    llm_queues: [],
    watcher_active: false,
    auto_stopped: false,
    auto_stop_reason: null,
    auto_stop_error: null,
    running: true,
  });
});
