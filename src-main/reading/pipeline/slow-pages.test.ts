import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestPipeline, pagesRead, type TestPipeline } from '../../../test/support/pipeline.ts';

let t: TestPipeline;
beforeEach(() => {
  t = openTestPipeline();
});
afterEach(async () => {
  await t.pipeline.stop();
  t.close();
});

describe('a page that takes too long', () => {
  test('is read again by a job of its own, after all others, while the document is filed', async () => {
    const statuses: string[] = [];
    t.engine.answer = (name) => {
      statuses.push(t.row(slow).status);
      const answer = pagesRead(2);
      if (name === 'slow.pdf' && statuses.length === 1 && answer.ok)
        Object.assign(answer.value.pages[1]!, { words: [], text: '', isUnread: true });
      return answer;
    };
    const [slow, next] = [await t.add('slow.pdf', 10), await t.add('next.pdf', 20)];
    await t.start();
    await t.pipeline.idle();
    expect(t.engine.began).toEqual(['slow.pdf', 'next.pdf', 'slow.pdf']);
    expect(statuses).toEqual(['processing', 'needs_review', 'processing']);
    expect([t.row(slow), t.row(next)]).toMatchObject([{ status: 'done' }, { status: 'done' }]);
  });

  test('is named as unread when it takes too long again, and gets more time when a user asks', async () => {
    const answer = pagesRead(2);
    if (answer.ok) Object.assign(answer.value.pages[1]!, { words: [], text: '', isUnread: true });
    t.engine.answer = () => answer;
    const id = await t.add('slow.pdf');
    await t.start();
    await t.pipeline.idle();
    expect(t.engine.began).toEqual(['slow.pdf', 'slow.pdf']);
    const reasons = t.db.prepare('SELECT review_reasons FROM documents WHERE id = ?').pluck().get(id);
    expect(JSON.parse(reasons as string)).toContainEqual({ code: 'unread_pages', params: { pages: '2' } });
    t.pipeline.pause();
    t.documents.reading.reprocess(id, { mode: 'both' });
    const options = t.db.prepare('SELECT options FROM jobs WHERE document_id = ?').pluck().get(id);
    expect(JSON.parse(options as string)).toMatchObject({ isSlow: true, unreadPageMinutes: 15 });
  });
});
