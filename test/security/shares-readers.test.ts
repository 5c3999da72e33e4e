/** @module-tag long */
import { statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { test } from '../support/fixtures.ts';
import type { Household } from '../support/household.ts';
import { sendRequest, type RawReply } from '../support/raw-http.ts';
import { letter } from '../support/sample-documents.ts';

/** Recipients who read much: they wait for themselves, and what was drawn is not drawn again. */

let household: Household, port: number;
const it = test.override('serveOptions', {
  env: { VAULT_PIPELINE_WATCH: 'false', VAULT_SHARE_LISTEN: 'always' },
});
it.beforeAll(({ served, household: records }) => {
  household = records;
  port = Number(new URL(served.shareUrl ?? '').port);
});

/** A share with a paper of so many pages. */
async function shareOf(pages: number) {
  const share = household.make.share();
  const path = join(household.vault, household.make.pathOf(share.document));
  writeFileSync(path, await letter(Array.from({ length: pages }, (_, n) => [{ text: `Page ${n}`, y: 100 }])));
  household.db.prepare('UPDATE documents SET page_count = ? WHERE id = ?').run(pages, share.document);
  const read = (cookie: string, page = 1): Promise<RawReply> =>
    sendRequest(port, 'GET', `/api/share/documents/${share.document}/pages/${page}/image`, { cookie });
  return { share, path, read };
}

describe('a recipient', () => {
  it('waits for one page of a share that has thirty readers, not for all of theirs', async () => {
    const [crowd, quiet] = [await shareOf(12), await shareOf(1)];
    const { cookie } = household.make.recipient(quiet.share);
    let done = 0;
    const readers = Array.from({ length: 30 }, (_, n) => ({
      cookie: household.make.recipient(crowd.share).cookie,
      page: 1 + (n % 12),
    }));
    const replies = readers.map(async (reader) => {
      const { status } = await crowd.read(reader.cookie, reader.page);
      done += 1;
      return status;
    });
    // All of them wait by now.
    await expect.poll(() => done).toBeGreaterThan(0);
    const before = done;
    expect((await quiet.read(cookie)).status).toBe(200);
    expect(done - before).toBeLessThan(10);
    expect(new Set(await Promise.all(replies))).toEqual(new Set([200]));
  });

  it('who asks again gets the page that was drawn, in the same minute, until access ends', async () => {
    const [{ share, path, read }, another] = [await shareOf(1), await shareOf(1)];
    const [first, other] = [household.make.recipient(share), household.make.recipient(share)];
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    const startOfMinute = new Date().getSeconds();
    if (startOfMinute > 50) await new Promise((resolve) => setTimeout(resolve, (61 - startOfMinute) * 1000));
    const drawn = await read(first.cookie);
    expect(drawn.status).toBe(200);
    // A file that looks the same and can't be drawn any more.
    writeFileSync(path, Buffer.alloc(statSync(path).size));
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    // The process that draws keeps the last file open.
    expect((await another.read(household.make.recipient(another.share).cookie)).status).toBe(200);
    const again = await read(first.cookie);
    expect([again.status, again.text === drawn.text]).toEqual([200, true]);
    expect((await read(other.cookie)).status).not.toBe(200);
    const views = household.db.prepare(
      "SELECT count(*) FROM share_audit WHERE share_id = ? AND action = 'view_file' AND session_id = ?",
    );
    expect(views.pluck().get(share.id, first.rowid)).toBe(2);
    await household.as('owner').call('DELETE', `/api/shares/${share.id}`);
    expect((await read(first.cookie)).status).toBe(401);
  });
});
