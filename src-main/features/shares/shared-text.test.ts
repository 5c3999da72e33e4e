import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAX_PAGE_TEXT } from '../../../src-shared/contract/share-limits.ts';
import type { PageText } from '../../../src-shared/medical/page.ts';
import type { Outcome } from '../../reading/providers/provider.ts';
import type { Viewer } from './shared-files.ts';
import { createSharedText, type SharedTextDeps } from './shared-text.ts';

type Read = () => Promise<Outcome<PageText>>;

let folder: string, isOpen: boolean, has: boolean, recorded: unknown[], asked: number, read: Read;
let texts: ReturnType<typeof createSharedText>;

const answer = (text: string): Outcome<PageText> => ({ ok: true, value: { text } as PageText });
const SESSION = { rowid: 1, share_id: 'share-1', recipient_label: 'Dr. Frisch' };
const viewer = (signal: AbortSignal = new AbortController().signal): Viewer =>
  ({ session: SESSION, visitor: { ip: '203.0.113.1', userAgent: 'test' }, language: 'en', signal }) as Viewer;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-text-'));
  writeFileSync(join(folder, 'a.pdf'), 'a paper');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  [isOpen, has, recorded, asked] = [true, true, [], 0];
  read = () => Promise.resolve(answer('A page'));
  texts = createSharedText({
    records: {
      has: () => has,
      file: () => ({ file_path: 'patients/a.pdf', mime_type: 'application/pdf', page_turns: {} }),
    },
    resolve: () => join(folder, 'a.pdf'),
    seats: { isOpen: () => isOpen },
    audit: { record: (event: unknown) => recorded.push(event) },
    clock: { now: () => 0 },
    ocr: () => Promise.resolve({}),
    watermark: {
      readVisibleText: () => {
        asked += 1;
        return read();
      },
    },
  } as unknown as SharedTextDeps);
});

describe('the text of a page', () => {
  it('is cut after as many characters as may leave', async () => {
    read = () => Promise.resolve(answer('x'.repeat(MAX_PAGE_TEXT + 1)));
    const { text, is_cut } = await texts.read(1, 1, viewer());
    expect([text.length, is_cut]).toEqual([MAX_PAGE_TEXT, true]);
  });

  it('is read once, as long as the file stays the same', async () => {
    for (const page of [1, 2, 1]) expect((await texts.read(1, page, viewer())).text).toBe('A page');
    expect(asked).toBe(2);
    writeFileSync(join(folder, 'a.pdf'), 'another paper');
    await texts.read(1, 1, viewer());
    expect(asked).toBe(3);
  });

  it('is refused while too many wait, whoever they are', async () => {
    let finish = (): void => undefined;
    read = () => new Promise((resolve) => (finish = () => resolve(answer('A page'))));
    const many = Array.from({ length: 51 }, (_, page) => texts.read(1, page + 1, viewer()));
    await expect(texts.read(1, 60, viewer())).rejects.toMatchObject({ code: 'share.too_many_requests' });
    read = () => Promise.resolve(answer('A page'));
    finish();
    expect(await Promise.all(many)).toHaveLength(51);
  });

  it('that can’t be read is an error, which the trail names', async () => {
    read = () => Promise.resolve({ ok: false, reason: 'too_slow', code: 'reading.cancelled' });
    await expect(texts.read(1, 1, viewer())).rejects.toMatchObject({ code: 'share.text_unavailable' });
    expect(recorded).toMatchObject([{ action: 'view_file_failed', documentId: 1 }]);
  });

  it.each([
    ['the session has ended', 'share.session_ended', () => (isOpen = false)],
    ['the document has left the share', 'document.not_found', () => (has = false)],
  ])('is not sent if %s while it was read', async (_, code, end) => {
    read = () => {
      end();
      return Promise.resolve(answer('A page'));
    };
    await expect(texts.read(1, 1, viewer())).rejects.toMatchObject({ code });
  });

  it('is not called refused if the recipient leaves meanwhile', async () => {
    const left = new AbortController();
    read = () => {
      left.abort();
      return Promise.resolve({ ok: false, reason: 'cancelled', code: 'reading.cancelled' });
    };
    await expect(texts.read(1, 1, viewer(left.signal))).rejects.toMatchObject({ code: 'request.aborted' });
    expect(recorded).toEqual([]);
  });
});
