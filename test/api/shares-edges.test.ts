import { describe, expect } from 'vitest';
import type { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import type { Household } from '../support/household.ts';
import { enter, Recipient } from '../support/recipient.ts';

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
