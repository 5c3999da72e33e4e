import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bundle } from 'fhir/r4.js';
import { SHLInvalidPasscodeError, SHLManifestNotFoundError, SHLViewer } from 'kill-the-clipboard';
import { describe, expect } from 'vitest';
import type { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import type { Household } from '../support/household.ts';
import { Recipient } from '../support/recipient.ts';
import { letter } from '../support/sample-documents.ts';

/** SMART Health Links of shares, from their making to a program of others that opens them. */

let household: Household, owner: Client, door: string;
const it = test.override('serveOptions', {
  env: { VAULT_PIPELINE_WATCH: 'false', VAULT_SHARE_LISTEN: 'always', VAULT_SHARE_TRUSTED_PROXY: '127.0.0.1' },
});
it.beforeAll(async ({ served, household: records }) => {
  household = records;
  owner = household.as('owner');
  door = served.shareUrl ?? '';
});

let addresses = 0;
/** A device of its own network, so that no limit of another one applies. */
const device = (): Recipient => new Recipient(door, `198.51.${(addresses += 1) % 250}.${addresses % 200}`);

interface OfShare {
  id: string;
}
async function share(documents: number[] = [household.make.document()], more: object = {}): Promise<OfShare> {
  const { body } = await owner.post('/api/shares', {
    ...{ patient_id: household.patient, document_ids: documents, recipient_label: 'Dr. Frisch' },
    ...more,
  });
  return { id: body.share_id };
}
const trail = async ({ id }: OfShare): Promise<{ action: string }[]> =>
  (await owner.get(`/api/shares/${id}/audit`)).body.audit;

describe('a SMART Health Link of a share', () => {
  interface Made {
    id: string;
    link: string;
    share: OfShare;
  }
  const linksOf = async ({ id }: OfShare): Promise<Record<string, unknown>[]> =>
    (await owner.get(`/api/shares/${id}/health-links`)).body;
  const stateOf = async ({ share: of, id }: Made): Promise<Record<string, unknown> | undefined> =>
    (await linksOf(of)).find(({ link_id }) => link_id === id);
  const filesOf = ({ id }: Made): string => join(household.vault, 'cache/health-links', id);

  async function begin(body: object = {}, one?: OfShare): Promise<Made> {
    const of = one ?? (await share());
    const made = await owner.post(`/api/shares/${of.id}/health-links`, body);
    expect([made.status, made.body.status, made.body.link]).toEqual([201, 'making', expect.stringMatching(/^shlink:/)]);
    return { id: made.body.link_id, link: made.body.link, share: of };
  }
  async function make(body: object = {}, one?: OfShare): Promise<Made> {
    const made = await begin(body, one);
    await expect.poll(async () => (await stateOf(made))?.['status']).toBe('active');
    return made;
  }
  /** Opens it with a program that is not ours, from an address of its own. */
  function openLink({ link }: Pick<Made, 'link'>, passcode?: string, address = device().address) {
    const viewer = new SHLViewer({
      shlinkURI: link,
      fetch: (url, options) =>
        fetch(url, { ...options, headers: { ...(options?.headers as object), 'X-Forwarded-For': address } }),
    });
    return viewer.resolveSHL({ recipient: 'Praxis am Bach', ...(passcode !== undefined && { passcode }) });
  }
  const resourcesIn = (resources: readonly unknown[], type: string): unknown[] =>
    (resources as Bundle[]).flatMap(({ entry = [] }) =>
      entry.flatMap(({ resource }) => (resource?.resourceType === type ? [resource] : [])),
    );

  it('is opened by another program with the person, the results and the stamped files', async () => {
    const { make: records, db, patient } = household;
    const [report, letterOfDoctor] = [records.document(), records.document()];
    db.prepare(
      `INSERT INTO lab_results (document_id, patient_id, test_name_original, value, value_text, unit, doubt)
        VALUES (?, ?, 'Ferritin', 12, '12', 'µg/L', NULL), (?, ?, 'CRP', 3, '< 3', 'mg/L', '["far_from_range"]')`,
    ).run(report, patient, report, patient);
    const made = await make({ label: 'For Dr. Frisch' }, await share([report, letterOfDoctor]));
    const { fhirResources, manifest } = await openLink(made);
    expect(manifest?.status).toBe('finalized');
    expect(resourcesIn(fhirResources, 'Patient')).toMatchObject([
      { name: [{ text: expect.stringContaining('Elena') }] },
    ]);
    expect(resourcesIn(fhirResources, 'Observation')).toMatchObject([
      { status: 'final', code: { text: 'Ferritin' }, valueQuantity: { value: 12, code: 'ug/L' } },
      { status: 'preliminary', code: { text: 'CRP' }, valueQuantity: { value: 3, comparator: '<' } },
    ]);
    const files = resourcesIn(fhirResources, 'DocumentReference') as { content: { attachment: { data: string } }[] }[];
    const bytes = files.map(({ content }) =>
      Buffer.from(content[0]?.attachment.data ?? '', 'base64').toString('latin1'),
    );
    // Drawn anew: pages are pictures, without fonts.
    expect(bytes.map((text) => [text.startsWith('%PDF-'), text.includes('/Font')])).toEqual([
      [true, false],
      [true, false],
    ]);
    const events = await trail(made.share);
    expect(events.slice(0, 2)).toMatchObject([
      { action: 'health_link_open', details: { recipient: 'Praxis am Bach', link_id: made.id } },
      { action: 'share.health_link.create' },
    ]);
    expect(await stateOf(made)).toMatchObject({ opened_count: 1, document_count: 2, label: 'For Dr. Frisch' });
    // The audit log of the household has ids, never words of strangers.
    const logged = db.prepare("SELECT details FROM audit_log WHERE action = 'health_link_open'").pluck().all();
    expect(logged.join()).toContain(made.id);
    expect(logged.join()).not.toContain('Praxis');
  });

  it('holds the chosen documents only, and only of its share', async () => {
    const [first, second, outside] = [1, 2, 3].map(() => household.make.document()) as [number, number, number];
    const one = await share([first, second]);
    const made = await make({ document_ids: [second] }, one);
    const { fhirResources } = await openLink(made);
    expect(resourcesIn(fhirResources, 'DocumentReference')).toHaveLength(1);
    for (const ids of [[outside], [first, outside]]) {
      const refused = await owner.post(`/api/shares/${one.id}/health-links`, { document_ids: ids });
      expect(refused.body.code).toBe('share.documents_not_shareable');
    }
  });

  it('opens with the right passcode only, and after ten wrong ones never again', async () => {
    const made = await make({ passcode: '4821 9037' });
    await expect(openLink(made)).rejects.toBeInstanceOf(SHLInvalidPasscodeError);
    expect(await stateOf(made)).toMatchObject({ tries_left: 10 });
    expect((await openLink(made, '4821 9037')).fhirResources).toHaveLength(1);
    const { url } = new SHLViewer({ shlinkURI: made.link }).shl;
    const guess = (as: Recipient, passcode: string) =>
      as.post(new URL(url).pathname, { recipient: 'x', passcode, embeddedLengthMax: 0 });
    // One address alone can't lock it.
    const one = device();
    const replies = [];
    for (let n = 0; n < 6; n += 1) replies.push(await guess(one, `wrong ${n}`));
    expect(replies.map(({ status, body }) => [status, body.remainingAttempts])).toEqual([
      ...[9, 8, 7, 6, 5].map((left) => [401, left]),
      [429, undefined],
    ]);
    const other = device();
    for (let n = 0; n < 5; n += 1) await guess(other, `wrong ${n}`);
    expect(await stateOf(made)).toMatchObject({ status: 'locked', tries_left: 0 });
    expect((await guess(device(), '4821 9037')).status).toBe(404);
    await expect(openLink(made, '4821 9037')).rejects.toBeInstanceOf(SHLManifestNotFoundError);
    expect((await trail(made.share)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['health_link_wrong_passcode', 'health_link_locked']),
    );
  });

  it('counts simultaneous guesses one by one', async () => {
    const made = await make({ passcode: '4821 9037' });
    household.db.prepare('UPDATE share_health_links SET tries_left = 3 WHERE link_id = ?').run(made.id);
    const { pathname } = new URL(new SHLViewer({ shlinkURI: made.link }).shl.url);
    const guesses = Array.from({ length: 12 }, (_, n) =>
      device().post(pathname, { recipient: 'x', passcode: `wrong ${n}`, embeddedLengthMax: 0 }),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(3);
    expect(await stateOf(made)).toMatchObject({ status: 'locked', tries_left: 0 });
  });

  it('for one use opens once, and its files can be fetched for a while after that', async () => {
    const made = await make({ is_one_time: true });
    const { pathname } = new URL(new SHLViewer({ shlinkURI: made.link }).shl.url);
    const reader = device();
    const { body } = await reader.post(pathname, { recipient: 'x', embeddedLengthMax: 0 });
    expect(body.files).toMatchObject([{ contentType: 'application/fhir+json', location: expect.any(String) }]);
    await expect(openLink(made)).rejects.toBeInstanceOf(SHLManifestNotFoundError);
    const location = new URL(body.files[0].location).pathname;
    const file = await reader.get(location);
    expect([file.status, file.headers['content-type'], file.text.split('.')]).toEqual([
      ...[200, 'application/jose', expect.objectContaining({ length: 5 })],
    ]);
    expect(await stateOf(made)).toMatchObject({ status: 'used', opened_count: 1 });
    await owner.call('DELETE', `/api/shares/${made.share.id}/health-links/${made.id}`);
    expect((await reader.get(location)).status).toBe(404);
    expect((await trail(made.share)).map(({ action }) => action).slice(0, 4)).toEqual([
      ...['share.health_link.revoke', 'health_link_file', 'health_link_open', 'share.health_link.create'],
    ]);
  });

  it.for<[string, (made: Made) => unknown, string]>([
    [
      'it expires',
      ({ id }) =>
        household.db
          .prepare("UPDATE share_health_links SET expires_at = '2026-01-15T08:00:00' WHERE link_id = ?")
          .run(id),
      'expired',
    ],
    ['it is ended', ({ id, share: of }) => owner.call('DELETE', `/api/shares/${of.id}/health-links/${id}`), 'revoked'],
    ['its share is ended', ({ share: of }) => owner.call('DELETE', `/api/shares/${of.id}`), 'revoked'],
    [
      'its share expires',
      ({ share: of }) =>
        household.db.prepare("UPDATE shares SET expires_at = '2026-01-15T08:00:00' WHERE share_id = ?").run(of.id),
      'expired',
    ],
    [
      'its share locks',
      ({ share: of }) => household.db.prepare('UPDATE shares SET failed_codes = 15 WHERE share_id = ?').run(of.id),
      'paused',
    ],
    [
      'a document turns out to be somebody else’s',
      ({ share: of }) =>
        household.db
          .prepare(
            `UPDATE documents SET patient_id = ? WHERE id IN
              (SELECT document_id FROM share_documents WHERE share_id = ?)`,
          )
          .run(household.otherPatient, of.id),
      'changed',
    ],
    ['its files are gone', (made) => writeFileSync(join(filesOf(made), '0.jwe'), 'cut'), 'changed'],
  ])('opens no more when %s, nor do its files', async ([, end, status]) => {
    const made = await make();
    const { pathname } = new URL(new SHLViewer({ shlinkURI: made.link }).shl.url);
    const reader = device();
    const { body } = await reader.post(pathname, { recipient: 'x', embeddedLengthMax: 0 });
    const location = new URL(body.files[0].location).pathname;
    expect((await reader.get(location)).status).toBe(200);
    await end(made);
    const replies = [await reader.post(pathname, { recipient: 'x' }), await reader.get(location)];
    expect(replies.map((reply) => [reply.status, reply.body.code])).toEqual([
      [404, 'request.not_found'],
      [404, 'request.not_found'],
    ]);
    expect(await stateOf(made)).toMatchObject({ status });
  });

  it('leaves no files once it is ended, and no row once its share is purged', async () => {
    const [ended, purged] = [await make(), await make()];
    expect([existsSync(filesOf(ended)), existsSync(filesOf(purged))]).toEqual([true, true]);
    await owner.call('DELETE', `/api/shares/${ended.share.id}/health-links/${ended.id}`);
    expect([existsSync(filesOf(ended)), (await stateOf(ended))?.['status']]).toEqual([false, 'revoked']);
    await owner.call('DELETE', `/api/shares/${purged.share.id}/purge`);
    expect(existsSync(filesOf(purged))).toBe(false);
    const rows = household.db.prepare('SELECT count(*) FROM share_health_links WHERE link_id = ?').pluck();
    expect(rows.get(purged.id)).toBe(0);
  });

  it('opens nothing while it is being made, and leaves nothing when that is cancelled', async () => {
    const { make: records, vault, db } = household;
    const document = records.document();
    const pages = Array.from({ length: 40 }, (_, n) => [{ text: `Page ${n}`, y: 100 }]);
    writeFileSync(join(vault, records.pathOf(document)), await letter(pages));
    db.prepare('UPDATE documents SET page_count = 40 WHERE id = ?').run(document);
    const made = await begin({}, await share([document]));
    await expect
      .poll(async () => (await stateOf(made))?.['progress'], { interval: 20 })
      .toMatchObject({ pages_total: 40 });
    await expect(openLink(made)).rejects.toBeInstanceOf(SHLManifestNotFoundError);
    await owner.call('DELETE', `/api/shares/${made.share.id}/health-links/${made.id}`);
    expect(await linksOf(made.share)).toEqual([]);
    // The next link is made after the cancelled one has ended.
    await make();
    expect(readdirSync(join(vault, 'cache/health-links'))).not.toContain(made.id);
  });

  it('that can’t be made says why and with which document, and can be removed', async () => {
    const [document, good] = [household.make.document(), household.make.document()];
    household.db.prepare("UPDATE documents SET mime_type = 'application/dicom' WHERE id = ?").run(document);
    const made = await begin({}, await share([good, document]));
    await expect.poll(async () => (await stateOf(made))?.['status']).toBe('failed');
    expect(await stateOf(made)).toMatchObject({
      failure: { code: 'health_link.file_not_showable', document_id: document, detail: expect.any(String) },
    });
    expect([existsSync(filesOf(made)), (await trail(made.share))[0]]).toMatchObject([
      false,
      { action: 'share.health_link.failed', document_id: document },
    ]);
    await owner.call('DELETE', `/api/shares/${made.share.id}/health-links/${made.id}`);
    expect(await linksOf(made.share)).toEqual([]);
  });

  it('ends with its share at the latest, and a share has ten of them', async () => {
    const one = await share([household.make.document()], { expires_in_days: 2 });
    const ends = (link: { expires_at: string; created_at: string }): number =>
      Math.round((Date.parse(link.expires_at) - Date.parse(link.created_at)) / 3_600_000);
    const hours = [];
    for (const expires_in_hours of [1, 47, 48, 49, 2000, null, ...Array<number>(4).fill(1)]) {
      const { status, body } = await owner.post(`/api/shares/${one.id}/health-links`, { expires_in_hours });
      hours.push([status, ends(body)]);
    }
    expect(hours.slice(0, 6)).toEqual([1, 47, 48, 48, 48, 48].map((wanted) => [201, wanted]));
    const refused = await owner.post(`/api/shares/${one.id}/health-links`, {});
    expect(refused.body).toMatchObject({ code: 'health_link.too_many', params: { limit: 10 } });
    await owner.call('DELETE', `/api/shares/${one.id}`);
    const late = await owner.post(`/api/shares/${one.id}/health-links`, {});
    expect([late.status, late.body.code]).toEqual([409, 'share.ended']);
  });

  it('leads to the public address, which must be short enough', async () => {
    const admin = household.as('admin');
    const one = await share();
    const linkAt = async (address: string | null) => {
      await admin.call('PATCH', '/api/settings', { share_public_base_url: address });
      return owner.post(`/api/shares/${one.id}/health-links`, { is_one_time: true, passcode: '4821 9037' });
    };
    try {
      const { body } = await linkAt('https://share.example.org/');
      const { shl } = new SHLViewer({ shlinkURI: body.link });
      expect(shl.url).toMatch(/^https:\/\/share\.example\.org\/api\/share\/shl\/[\w-]{43}$/);
      expect([shl.flag, shl.exp]).toEqual(['P', Date.parse(`${body.expires_at}Z`) / 1000]);
      const long = await linkAt(`https://${'long-name.'.repeat(7)}example.org`);
      expect([long.status, long.body]).toMatchObject([409, { code: 'health_link.address_too_long' }]);
    } finally {
      await admin.call('PATCH', '/api/settings', { share_public_base_url: null });
    }
  });

  it('is found by nobody who tries addresses, whose tries are limited', async () => {
    const [stranger, other] = [device(), device()];
    const statuses: number[] = [];
    for (let n = 0; n < 125; n += 1)
      statuses.push((await stranger.post(`/api/share/shl/${'x'.repeat(40)}${n}`, { recipient: 'x' })).status);
    expect([statuses.indexOf(429), new Set(statuses)]).toEqual([120, new Set([404, 429])]);
    // Others are not affected.
    const { token } = household.make.healthLink(household.make.share());
    expect((await other.post(`/api/share/shl/${token}`, { recipient: 'x' })).status).toBe(200);
  });
});
