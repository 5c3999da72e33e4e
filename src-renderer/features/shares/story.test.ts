import { expect, it } from 'vitest';
import type { ShareEvent } from '../../../src-shared/contract/shares.ts';
import { openedCounts, readNow, storyOf } from './story.ts';

const event = (id: number, more: Partial<ShareEvent>): ShareEvent => ({
  id,
  action: 'view_file',
  document_id: null,
  session_id: 1,
  client_ip: '203.0.113.1',
  user_agent: null,
  details: null,
  created_at: '2026-11-12T10:00:00',
  ...more,
});
/** Newest first: two pages of one document, another one, the first again, and the code on the day before. */
const EVENTS = [
  event(6, { document_id: 7 }),
  event(5, { document_id: 7 }),
  event(4, { document_id: 8 }),
  event(3, { document_id: 7 }),
  event(2, { document_id: 7, session_id: 2 }),
  event(1, { action: 'otp_verify_ok', created_at: '2026-11-10T10:00:00' }),
];

it('makes one line of what was repeated, and a new one for another document, session or day', () => {
  expect(
    storyOf(EVENTS).map(({ day, lines }) => [day, ...lines.map(({ event: { id }, count }) => `${id}×${count}`)]),
  ).toEqual([
    ['2026-11-12', '6×2', '4×1', '3×1', '2×1'],
    ['2026-11-10', '1×1'],
  ]);
});

it('counts a document once while its pages are looked at one after the other', () => {
  expect([...openedCounts(EVENTS)]).toEqual([
    [7, 3],
    [8, 1],
  ]);
});

it('knows which document a session looked at last', () => {
  expect([readNow(EVENTS, 1), readNow(EVENTS, 2), readNow(EVENTS, 3)]).toEqual([7, 7, undefined]);
});
