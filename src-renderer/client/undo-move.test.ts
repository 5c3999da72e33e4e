import { afterEach, expect, it, vi } from 'vitest';
import { undoMove } from './undo-move.ts';

afterEach(() => vi.unstubAllGlobals());

/** What undoing the move of such a document sends. */
async function sent(
  patient_undecided: boolean,
  event_links: Parameters<typeof undoMove>[0]['event_links'] = [],
): Promise<unknown[][]> {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => new Response('{}'));
  vi.stubGlobal('fetch', fetch);
  await undoMove({ id: 7, patient_id: 1, patient_undecided, event_links });
  return fetch.mock.calls.map(([address, request]) => [request?.method, address, JSON.parse(String(request?.body))]);
}

it('a moved document goes back to the person it had', async () => {
  expect(await sent(false)).toEqual([['PATCH', '/api/documents/7', { patient_id: 1 }]]);
});

it('a moved document of which it was undecided whose it is waits again', async () => {
  const reopened = ['POST', '/api/review/answers', { answer: 'reopen', document_ids: [7], patient_id: 1 }];
  expect(await sent(true)).toEqual([reopened]);
  const event_links = [{ event_id: 4, relevance: 'secondary' as const }];
  expect(await sent(true, event_links)).toEqual([reopened, ['PATCH', '/api/documents/7', { event_links }]]);
});
