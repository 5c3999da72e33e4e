import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import type { Household } from '../support/household.ts';
import type { MadeShare } from '../support/household-shares.ts';
import { enter, readCode, Recipient } from '../support/recipient.ts';
import { letter } from '../support/sample-documents.ts';

/** Entries that nobody expects in a share, files that are not read yet, and browsers with several tabs. */

let household: Household, owner: Client, door: string;
const it = test.override('serveOptions', {
  env: { VAULT_PIPELINE_WATCH: 'false', VAULT_SHARE_LISTEN: 'always', VAULT_SHARE_TRUSTED_PROXY: '127.0.0.1' },
});
it.beforeAll(({ served, household: records }) => {
  [household, owner, door] = [records, records.as('owner'), served.shareUrl ?? ''];
});

let addresses = 0;
const device = (): Recipient => new Recipient(door, `198.51.100.${(addresses += 1)}`);
const pdf = (pages: number): Promise<Uint8Array> =>
  letter(Array.from({ length: pages }, (_, n) => [{ text: `Page ${n + 1}`, y: 100 }]));
/** How many pages a document has for its recipient, in the list and by itself. The owner sees the same list. */
async function pagesOf(doctor: Recipient, { id: share }: MadeShare, document: number): Promise<unknown[]> {
  const { documents } = (await doctor.get('/api/share/me')).body;
  expect((await owner.get(`/api/shares/${share}/documents`)).body).toEqual(documents);
  const listed = documents.find(({ id }: { id: number }) => id === document);
  return [listed.page_count, (await doctor.get(`/api/share/documents/${document}`)).body.page_count];
}

describe('the name of a recipient', () => {
  const create = (recipient_label: string) =>
    owner.post('/api/shares', {
      ...{ patient_id: household.patient, document_ids: [household.make.document()], recipient_label },
    });

  it.for(['.', '\u2800', '\u3164', '\ue000', '\u00ad\u00ad'])(
    'that leaves nothing on a page is refused, so that no recipient finds pages that are not sent: %j',
    async (label) => {
      const { status, body } = await create(label);
      expect([status, body.code]).toEqual([400, 'share.name_not_printable']);
    },
  );

  it.for(['漢字', 'שלום', '😀', '<b>&amp;', 'Ö'])('is printed in any script: %j', async (label) => {
    const { body } = await create(label);
    const share = { id: body.share_id, token: body.share_url.split('/').at(-1) };
    const doctor = device();
    await enter(owner, doctor, share);
    const [{ id }] = (await doctor.get('/api/share/me')).body.documents;
    expect((await doctor.get(`/api/share/documents/${id}/pages/1/image`)).status).toBe(200);
  });
});

describe('a document', () => {
  const opened = async (pages: number): Promise<{ share: MadeShare; document: number; doctor: Recipient }> => {
    const { make, vault, db } = household;
    const share = make.share();
    writeFileSync(join(vault, make.pathOf(share.document)), await pdf(pages));
    db.prepare("UPDATE documents SET page_count = NULL, status = 'failed' WHERE id = ?").run(share.document);
    const doctor = device();
    await enter(owner, doctor, share);
    return { share, document: share.document, doctor };
  };

  it('that could not be read is shown with all of its pages', async () => {
    const { share, document, doctor } = await opened(3);
    expect(await pagesOf(doctor, share, document)).toEqual([3, 3]);
    expect((await doctor.get(`/api/share/documents/${document}/pages/3/image`)).status).toBe(200);
  });

  it('that can’t be opened is in the list without a number of pages', async () => {
    const { share, document, doctor } = await opened(2);
    writeFileSync(join(household.vault, household.make.pathOf(document)), 'not a PDF');
    expect(await pagesOf(doctor, share, document)).toEqual([null, null]);
  });

  it('has the pages of its new file once that has replaced the old one', async () => {
    const { make, db } = household;
    const share = make.share();
    db.prepare('UPDATE documents SET page_count = 1 WHERE id = ?').run(share.document);
    const doctor = device();
    await enter(owner, doctor, share);
    expect(await pagesOf(doctor, share, share.document)).toEqual([1, 1]);
    const form = new FormData();
    form.append('file', new Blob([Buffer.from(await pdf(4))], { type: 'application/pdf' }), 'x.pdf');
    expect((await owner.post(`/api/documents/${share.document}/replace-file`, form)).status).toBe(200);
    expect(await pagesOf(doctor, share, share.document)).toEqual([4, 4]);
  });
});

describe('a page that is closed', () => {
  const inside = async (share: MadeShare, doctor: Recipient): Promise<string> => {
    await enter(owner, doctor, share);
    return (await doctor.get('/api/share/me')).body.session;
  };

  it('ends its own session, not the one that the browser has opened since', async () => {
    const doctor = device();
    const first = await inside(household.make.share(), doctor);
    const second = await inside(household.make.share(), doctor);
    expect(second).not.toBe(first);
    expect((await doctor.post('/api/share/logout', { session: first })).status).toBe(200);
    expect([doctor.cookies.size, (await doctor.get('/api/share/me')).body.session]).toEqual([1, second]);
    expect((await doctor.post('/api/share/logout', { session: second })).status).toBe(200);
    expect([doctor.cookies.size, (await doctor.get('/api/share/me')).status]).toEqual([0, 401]);
  });

  it('in the queue gives up its place, not the session that the browser has opened since', async () => {
    const share = household.make.share();
    const doctor = device();
    await inside(share, device());
    expect((await enter(owner, doctor, share)).status).toBe(202);
    expect((await doctor.post('/api/share/logout', { session: null })).status).toBe(200);
    const { queued } = (await owner.get(`/api/shares/${share.id}/sessions`)).body;
    expect([queued, doctor.cookies.size]).toEqual([[], 0]);
    const session = await inside(household.make.share(), doctor);
    expect((await doctor.post('/api/share/logout', { session: null })).status).toBe(200);
    expect((await doctor.get('/api/share/me')).body.session).toBe(session);
  });
});

describe('a browser that opens another share', () => {
  const seats = async ({ id }: MadeShare): Promise<[number, number]> => {
    const { active, queued } = (await owner.get(`/api/shares/${id}/sessions`)).body;
    return [active.length, queued.length];
  };
  const lastOf = async ({ id }: MadeShare): Promise<unknown> =>
    (await owner.get(`/api/shares/${id}/audit`)).body.audit[0];

  it('gives up the seat of the first, which the next device gets at once', async () => {
    const { make } = household;
    const [first, second] = [make.share(), make.share()];
    const [doctor, next] = [device(), device()];
    await enter(owner, doctor, first);
    expect((await enter(owner, next, first)).status).toBe(202);
    expect((await enter(owner, doctor, second)).status).toBe(200);
    // Whoever manages the first share need not know of the second.
    expect(await lastOf(first)).toMatchObject({ action: 'logout', details: null });
    expect([await seats(first), await seats(second)]).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect((await next.post('/api/share/claim')).body.status).toBe('active');
  });

  it('gives up its place in the queue of the first, and a seat also for a place', async () => {
    const { make } = household;
    const [first, second, third] = [make.share(), make.share(), make.share()];
    const doctor = device();
    await enter(owner, device(), first);
    await enter(owner, device(), second);
    expect((await enter(owner, doctor, first)).status).toBe(202);
    expect((await enter(owner, doctor, second)).status).toBe(202);
    expect(await lastOf(first)).toMatchObject({ action: 'queue_cancel' });
    expect((await enter(owner, doctor, third)).status).toBe(200);
    expect((await enter(owner, doctor, second)).status).toBe(202);
    expect([await seats(first), await seats(second), await seats(third)]).toEqual([
      [1, 0],
      [1, 1],
      [0, 0],
    ]);
    expect([...doctor.cookies.keys()]).toEqual(['vault_share_queue']);
  });

  it('tells its tabs the shares apart, whose recipients have the same name, without their ids', async () => {
    const { make } = household;
    const [first, second] = [make.share(), make.share()];
    const [doctor, other] = [device(), device()];
    const { body: seat } = await enter(owner, doctor, first);
    expect((await doctor.get('/api/share/me')).body.share).toBe(seat.share);
    const { body: waiting } = await enter(owner, other, first);
    expect([waiting.share, (await other.post('/api/share/claim')).body.share]).toEqual([seat.share, seat.share]);
    const { body: elsewhere } = await enter(owner, doctor, second);
    expect([elsewhere.share !== seat.share, elsewhere.recipient_label]).toEqual([true, seat.recipient_label]);
    expect(JSON.stringify([seat, elsewhere])).not.toMatch(new RegExp(`${first.id}|${second.id}`));
  });

  it('keeps its place there when the page that waited for the first is closed', async () => {
    const { make } = household;
    const [first, second] = [make.share(), make.share()];
    const doctor = device();
    await enter(owner, device(), first);
    await enter(owner, device(), second);
    const { share: before } = (await enter(owner, doctor, first)).body;
    const { share } = (await enter(owner, doctor, second)).body;
    await doctor.post('/api/share/logout', { session: null, share: before });
    expect([await seats(second), doctor.cookies.size]).toEqual([[1, 1], 1]);
    await doctor.post('/api/share/logout', { session: null, share });
    expect([await seats(second), doctor.cookies.size]).toEqual([[1, 0], 0]);
  });
});

describe('the trail of a share', () => {
  it('has each thing that recipients and the household do, in their order', async () => {
    const { make } = household;
    const share = make.share();
    const [first, second, third] = [device(), device(), device()];
    const code = await readCode(owner, first, share);
    const verify = `/api/share/${share.token}/verify-otp`;
    await first.post(verify, { code: code === '000000' ? '111111' : '000000' });
    const trail = async (): Promise<string[]> =>
      (await owner.get(`/api/shares/${share.id}/audit`)).body.audit.map(({ action }: { action: string }) => action);
    await expect.poll(async () => (await trail())[0]).toBe('otp_verify_fail');
    await first.post(verify, { code });
    await enter(owner, second, share);
    await enter(owner, third, share);
    const { active, queued } = (await owner.get(`/api/shares/${share.id}/sessions`)).body;
    await owner.call('DELETE', `/api/shares/${share.id}/queue/${queued[1].rowid}`);
    await owner.call('DELETE', `/api/shares/${share.id}/sessions/${active[0].rowid}`);
    await second.post('/api/share/claim');
    await second.post('/api/share/logout');
    await owner.post(`/api/shares/${share.id}/documents`, { document_ids: [make.document()] });
    await readCode(owner, first, share);
    await owner.call('DELETE', `/api/shares/${share.id}/active-otp`);
    await owner.post(`/api/shares/${share.id}/reopen`);
    await owner.call('DELETE', `/api/shares/${share.id}`);
    expect((await trail()).reverse()).toEqual([
      ...['otp_request', 'otp_verify_fail', 'otp_verify_ok'],
      ...['otp_request', 'otp_verify_queued', 'otp_request', 'otp_verify_queued'],
      ...['share.queue.drop', 'share.session.revoke', 'queue_claim_ok', 'logout'],
      ...['share.documents.add', 'otp_request', 'share.otp.cancel', 'share.reopen', 'share.revoke'],
    ]);
    // The log of the household has the same, and outlives the share.
    const logged = household.db
      .prepare('SELECT DISTINCT action FROM audit_log WHERE resource_id = ?')
      .pluck()
      .all(share.id);
    expect(logged.sort()).toEqual([...new Set(await trail())].sort());
  });
});
