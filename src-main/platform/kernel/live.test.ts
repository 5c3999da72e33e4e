import { expect, test, vi } from 'vitest';
import type { LiveMessage } from '../../../src-shared/contract/live.ts';
import { testClock } from '../../../test/support/vault.ts';
import { createLive } from './live.ts';

const progress = (document_id: number, page_current: number): LiveMessage => ({
  kind: 'progress',
  document_id,
  patient_id: 1,
  stage: 'ocr',
  page_current,
  page_total: 99,
});
const change = (document_id: number): LiveMessage => ({
  kind: 'document',
  document_id,
  patient_id: 1,
  status: 'done',
  change: 'updated',
});

test('sends the first and then the latest of fast messages every tenth of a second, per document', async () => {
  const clock = testClock();
  const live = createLive(clock);
  const got: LiveMessage[] = [];
  live.subscribe((message) => got.push(message));
  for (let page = 1; page <= 50; page += 1) live.announce(progress(7, page));
  live.announce(progress(8, 1));
  expect(got).toEqual([progress(7, 1), progress(8, 1)]);
  clock.advance(100);
  await vi.waitFor(() => expect(got).toEqual([progress(7, 1), progress(8, 1), progress(7, 50)]));
  clock.advance(100);
  live.announce(progress(7, 51));
  expect(got.at(-1)).toEqual(progress(7, 51));
});

test('sends all changes of documents in order', () => {
  const live = createLive(testClock());
  const got: LiveMessage[] = [];
  live.subscribe((message) => got.push(message));
  for (const id of [1, 1, 2]) live.announce(change(id));
  expect(got).toEqual([change(1), change(1), change(2)]);
});

test('sends nothing to a closed listener, which may close during a message', () => {
  const live = createLive(testClock());
  const got: string[] = [];
  const leave = live.subscribe(() => {
    got.push('first');
    leave();
  });
  live.subscribe(() => got.push('second'));
  live.announce(change(1));
  live.announce(change(2));
  expect(got).toEqual(['first', 'second', 'second']);
});
