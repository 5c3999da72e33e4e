import { createHash } from 'node:crypto';
import { describe, expect } from 'vitest';
import { SHARE_ACTIONS } from '../../src-shared/contract/shares.ts';
import type { Client } from '../support/client.ts';
import type { Household } from '../support/household.ts';
import { SECRET } from '../support/household-scope.ts';
import { enter, readCode, Recipient, type OpenShare } from '../support/recipient.ts';
import { test } from '../support/fixtures.ts';

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

async function share(documents: number[] = [household.make.document()], more: object = {}): Promise<OpenShare> {
  const { status, body } = await owner.post('/api/shares', {
    patient_id: household.patient,
    document_ids: documents,
    recipient_label: 'Dr. Frisch',
    recipient_contact: '+41 31 555 01 02',
    ...more,
  });
  expect([status, Object.keys(body).sort()]).toEqual([201, ['expires_at', 'id', 'share_id', 'share_url']]);
  return { id: body.share_id, token: body.share_url.split('/').at(-1) };
}
const trail = async ({ id }: OpenShare): Promise<{ action: string }[]> =>
  (await owner.get(`/api/shares/${id}/audit`)).body.audit;

describe('a share', () => {
  it('shows a recipient with a code exactly what was shared, and nothing of its reading', async () => {
    const { make, db } = household;
    const [document, other] = [make.document(), make.document()];
    db.prepare(
      "INSERT INTO lab_results (document_id, patient_id, test_name_original, value) VALUES (?, ?, 'Ferritin', 12)",
    ).run(document, household.patient);
    db.prepare("UPDATE documents SET user_notes = 'private', tags = 'tag', file_hash = 'hash-1' WHERE id = ?").run(
      document,
    );
    db.prepare(
      "INSERT INTO encounters (document_id, notes, findings) VALUES (?, 'encounter note', 'encounter finding')",
    ).run(document);
    db.prepare(
      `INSERT INTO document_links (source_document_id, target_document_id, link_type, created_at) VALUES
        (?, ?, 'related', '2026-01-15T08:00:00')`,
    ).run(document, other);
    const one = await share([document]);
    const doctor = device();
    const entered = await enter(owner, doctor, one);
    expect([entered.status, entered.body]).toEqual([
      200,
      { status: 'active', share: expect.any(String), recipient_label: 'Dr. Frisch', expires_at: expect.any(String) },
    ]);
    const me = await doctor.get('/api/share/me');
    expect([me.status, me.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(me.body).toMatchObject({
      recipient_label: 'Dr. Frisch',
      patient_name: expect.stringContaining('Elena'),
      documents: [{ id: document, summary_en: SECRET }],
      allowed_translation_languages: [],
      default_translation_language: null,
      translate_rate_limit: { per_share_per_hour: 20, used_in_last_hour: 0, remaining_in_last_hour: 20 },
    });
    const detail = await doctor.get(`/api/share/documents/${document}`);
    expect(Object.keys(detail.body).sort()).toEqual(
      (
        'date_received doc_type doctor_name event_date facility_name has_file id imaging_studies issued_date ' +
        'lab_results language_source links medications notes original_filename page_count region_translations sections ' +
        'specialty_canonical_display specialty_display summary_en summary_original vaccinations'
      ).split(' '),
    );
    expect([detail.body.links, detail.body.lab_results.length]).toEqual([[], 1]);
    for (const word of ['private', 'hash-1', 'encounter note', 'encounter finding', 'patients/', '"tag'])
      expect([word, detail.text.includes(word), me.text.includes(word)]).toEqual([word, false, false]);
    expect((await doctor.get(`/api/share/documents/${other}`)).body.code).toBe('document.not_found');
    expect((await trail(one)).map(({ action }) => action)).toEqual([
      'view_doc',
      'otp_verify_ok',
      'otp_request',
      'share.create',
    ]);
  });

  it('loses a document that turns out to be somebody else’s', async () => {
    const { make, db } = household;
    const [document, kept] = [make.document(), make.document()];
    const one = await share([document, kept]);
    const doctor = device();
    await enter(owner, doctor, one);
    const shown = async (): Promise<number[]> =>
      (await doctor.get('/api/share/me')).body.documents.map(({ id }: { id: number }) => id);
    expect(await shown()).toEqual([document, kept]);
    db.prepare('UPDATE documents SET patient_id = ? WHERE id = ?').run(household.otherPatient, document);
    expect([await shown(), (await doctor.get(`/api/share/documents/${document}`)).status]).toEqual([[kept], 404]);
  });

  it('holds only documents of its patient', async () => {
    const { make, patient, otherPatient } = household;
    make.use(otherPatient);
    const foreign = make.document();
    make.use(patient);
    const one = await share();
    for (const id of [foreign, 99_999_999]) {
      const body = { patient_id: patient, document_ids: [make.document(), id], recipient_label: 'Dr. Frisch' };
      for (const call of [
        owner.post('/api/shares', body),
        owner.post(`/api/shares/${one.id}/documents`, { document_ids: [id] }),
      ])
        expect((await call).body).toMatchObject({ code: 'share.documents_not_shareable' });
    }
  });

  it('takes more documents while it is open, up to 200', async () => {
    const { make } = household;
    const [first, second] = [make.document(), make.document()];
    const one = await share([first]);
    const { body } = await owner.post(`/api/shares/${one.id}/documents`, { document_ids: [second, first] });
    expect([body.document_ids, body.document_count]).toEqual([[first, second], 2]);
    const many = Array.from({ length: 199 }, () => make.document());
    const refused = await owner.post(`/api/shares/${one.id}/documents`, { document_ids: many });
    expect(refused.body).toMatchObject({ code: 'share.too_many_documents', params: { limit: 200 } });
    await owner.call('DELETE', `/api/shares/${one.id}`);
    const late = await owner.post(`/api/shares/${one.id}/documents`, { document_ids: [make.document()] });
    expect([late.status, late.body.code]).toEqual([409, 'share.ended']);
  });

  it('is listed with its link, state and use, for its owners and for administrators', async () => {
    const one = await share();
    const mine = async (client: Client): Promise<unknown> =>
      (await client.get('/api/shares')).body.find(({ share_id }: { share_id: string }) => share_id === one.id);
    expect(await mine(owner)).toMatchObject({
      share_url: `${door}/share/${one.token}`,
      status: 'active',
      contact_kind: 'phone',
      created_by_username: 'owner-user',
      access_count: 0,
      last_accessed_at: null,
      has_live_code: false,
    });
    const doctor = device();
    const code = await readCode(owner, doctor, one);
    expect(await mine(owner)).toMatchObject({ has_live_code: true });
    await doctor.post(`/api/share/${one.token}/verify-otp`, { code });
    expect(await mine(household.as('admin'))).toMatchObject({
      active_session_count: 1,
      access_count: 1,
      has_live_code: false,
    });
    for (const name of ['other', 'editor', 'viewer'] as const) expect(await mine(household.as(name))).toBeUndefined();
    await owner.call('DELETE', `/api/shares/${one.id}`);
    expect(await mine(owner)).toMatchObject({ status: 'revoked', active_session_count: 0 });
  });

  it('links to the public address once one is set', async () => {
    const admin = household.as('admin');
    await admin.call('PATCH', '/api/settings', { share_public_base_url: 'https://share.example.org/' });
    try {
      const { body } = await owner.post('/api/shares', {
        patient_id: household.patient,
        document_ids: [household.make.document()],
        recipient_label: 'Dr. Frisch',
      });
      expect(body.share_url).toMatch(/^https:\/\/share\.example\.org\/share\/[\w-]{43}$/);
      // Recipients reach it under that name, and their cookies need TLS.
      const doctor = device();
      const host = { host: 'share.example.org' };
      const reply = await doctor.call('POST', '/api/share/claim', undefined, host);
      expect([reply.status, reply.headers['strict-transport-security']]).toEqual([410, expect.any(String)]);
      expect(doctor.set[0]).toMatch(/^vault_share_queue=;.*Secure/);
    } finally {
      await admin.call('PATCH', '/api/settings', { share_public_base_url: null });
    }
  });

  it('ends at once when it is revoked, for everybody, and stays ended', async () => {
    const one = await share();
    const [first, second] = [device(), device()];
    await enter(owner, first, one);
    await enter(owner, second, one);
    expect((await owner.call('DELETE', `/api/shares/${one.id}`)).body).toEqual({ ok: true });
    expect((await owner.call('DELETE', `/api/shares/${one.id}`)).body).toEqual({ ok: true });
    expect((await first.get('/api/share/me')).body.code).toBe('share.session_ended');
    const claimed = await second.post('/api/share/claim');
    expect([claimed.status, claimed.body.code, second.cookies.size]).toEqual([410, 'share.place_expired', 0]);
    expect((await owner.post(`/api/shares/${one.id}/reopen`)).body.code).toBe('share.ended');
    expect((await trail(one)).filter(({ action }) => action === 'share.revoke')).toHaveLength(1);
  });

  it('is gone after a purge, while the audit log of the household keeps who saw it', async () => {
    const one = await share();
    const doctor = device();
    await enter(owner, doctor, one);
    await doctor.get(`/api/share/documents/${(await doctor.get('/api/share/me')).body.documents[0].id}`);
    expect((await owner.call('DELETE', `/api/shares/${one.id}/purge`)).body).toEqual({ ok: true });
    expect((await doctor.get('/api/share/me')).status).toBe(401);
    expect((await owner.get(`/api/shares/${one.id}/audit`)).body.code).toBe('share.not_found');
    const { db } = household;
    for (const table of ['share_audit', 'share_sessions', 'share_codes', 'share_documents'])
      expect([table, db.prepare(`SELECT count(*) FROM ${table} WHERE share_id = ?`).pluck().get(one.id)]).toEqual([
        table,
        0,
      ]);
    const log = (await household.as('admin').get('/api/settings/audit-log?action=view_doc')).body.items;
    expect(log[0]).toMatchObject({
      action: 'view_doc',
      resource_type: 'share_access',
      resource_id: one.id,
      username: null,
      ip_address: doctor.address,
      details: { document_id: expect.any(Number), session_id: expect.any(Number) },
    });
  });
});

describe('the seat of a share', () => {
  it('is given to one device, with cookies that reach only the pages of recipients', async () => {
    const one = await share();
    const [first, second] = [device(), device()];
    await enter(owner, first, one);
    const flags = (set: string): string[] => set.split('; ').slice(1).sort();
    expect(first.set.map(flags)).toEqual([['HttpOnly', 'Max-Age=7200', 'Path=/api/share', 'SameSite=Strict']]);
    const waiting = await enter(owner, second, one);
    expect([waiting.status, waiting.body]).toEqual([
      202,
      {
        status: 'queued',
        share: expect.any(String),
        recipient_label: 'Dr. Frisch',
        queue_expires_at: expect.any(String),
        retry_after_seconds: 5,
        position: 1,
      },
    ]);
    expect(second.set.map((set) => [set.split('=')[0], ...flags(set)])).toEqual([
      ['vault_share_queue', 'HttpOnly', 'Max-Age=300', 'Path=/api/share', 'SameSite=Strict'],
    ]);
    const waits = await second.post('/api/share/claim');
    expect([waits.status, waits.body.status, (await second.get('/api/share/me')).status]).toEqual([202, 'queued', 401]);
    expect([(await first.post('/api/share/logout')).status, first.cookies.size]).toEqual([200, 0]);
    const claimed = await second.post('/api/share/claim');
    expect([claimed.status, claimed.body.status, [...second.cookies.keys()]]).toEqual([200, 'active', ['vault_share']]);
    expect((await second.get('/api/share/me')).status).toBe(200);
    expect((await second.post('/api/share/claim')).body.status).toBe('active');
  });

  it('and the queue can be ended by the household, which sees both without anything secret', async () => {
    const one = await share();
    const [first, second] = [device(), device()];
    await enter(owner, first, one);
    await enter(owner, second, one);
    const { body } = await owner.get(`/api/shares/${one.id}/sessions`);
    expect(body).toMatchObject({
      active: [{ client_ip: first.address, is_idle: false }],
      queued: [{ client_ip: second.address }],
    });
    const [session, waiter] = [body.active[0].rowid, body.queued[0].rowid];
    const other = await share();
    // The rows of another share are not reached through this one.
    expect((await owner.call('DELETE', `/api/shares/${other.id}/sessions/${session}`)).body).toEqual({
      revoked: false,
    });
    for (const [kind, rowid, field] of [
      ['sessions', session, 'revoked'],
      ['queue', waiter, 'deleted'],
    ] as const)
      for (const expected of [true, false])
        expect((await owner.call('DELETE', `/api/shares/${one.id}/${kind}/${rowid}`)).body).toEqual({
          [field]: expected,
        });
    expect((await first.get('/api/share/me')).status).toBe(401);
    expect((await second.post('/api/share/claim')).status).toBe(410);
  });

  it('is given up by a waiter who leaves', async () => {
    const one = await share();
    const [first, second] = [device(), device()];
    await enter(owner, first, one);
    await enter(owner, second, one);
    expect([(await second.call('DELETE', '/api/share/queue')).status, second.cookies.size]).toEqual([204, 0]);
    expect((await trail(one))[0]).toMatchObject({ action: 'queue_cancel' });
  });

  it('is kept by heartbeats, which answer 204 to everybody', async () => {
    const one = await share();
    const doctor = device();
    await enter(owner, doctor, one);
    const { db } = household;
    const seen = (): unknown =>
      db.prepare('SELECT last_seen_at FROM share_sessions WHERE share_id = ?').pluck().get(one.id);
    db.prepare("UPDATE share_sessions SET last_seen_at = '2026-01-15T08:00:00' WHERE share_id = ?").run(one.id);
    expect((await doctor.post('/api/share/heartbeat')).status).toBe(204);
    expect(seen()).not.toBe('2026-01-15T08:00:00');
    expect((await device().post('/api/share/heartbeat')).status).toBe(204);
  });
});

describe('the audit trail of a share', () => {
  it('contains no cookie, code or link, and neither does anything else that is stored', async () => {
    const one = await share();
    const doctor = device();
    const code = await readCode(owner, doctor, one);
    await doctor.post(`/api/share/${one.token}/verify-otp`, { code });
    const secret = doctor.cookies.get('vault_share')?.split('.')[0] ?? '';
    expect(secret).toMatch(/^[\w-]{43}$/);
    await doctor.get('/api/share/me');
    await owner.get(`/api/shares/${one.id}/audit?include_active_otp=true`);
    const { body } = await owner.get(`/api/shares/${one.id}/audit`);
    expect(body.events).toEqual(body.audit);
    expect(
      body.audit.every(({ action }: { action: string }) => (SHARE_ACTIONS as readonly string[]).includes(action)),
    ).toBe(true);
    const { db } = household;
    const tables = db
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .pluck()
      .all() as string[];
    const stored = tables.map((name) => JSON.stringify(db.prepare(`SELECT * FROM "${name}"`).all())).join('\n');
    for (const text of [secret, one.token, `"${code}"`])
      expect([text, stored.includes(text), JSON.stringify(body.audit).includes(text)]).toEqual([text, false, false]);
    expect(stored).toContain(createHash('sha256').update(secret).digest('base64url'));
  });

  it('shows the live code on request only, and only to those who manage the share', async () => {
    const one = await share();
    const code = await readCode(owner, device(), one);
    const path = `/api/shares/${one.id}/audit`;
    expect((await owner.get(`${path}?include_active_otp=true`)).body.active_otp).toEqual({
      code,
      expires_at: expect.any(String),
      attempts: 0,
    });
    expect('active_otp' in (await owner.get(path)).body).toBe(false);
    expect((await household.as('viewer').get(`${path}?include_active_otp=true`)).status).toBe(403);
  });
});

describe('the service for recipients', () => {
  it('runs while a share is open, always or never, as the settings say', async () => {
    const admin = household.as('admin');
    const state = async (): Promise<string> => (await owner.get('/api/shares/listener')).body.state;
    const set = (share_listen: string | null) => admin.call('PATCH', '/api/settings', { share_listen });
    household.db.prepare("UPDATE shares SET revoked_at = '2026-01-15T08:00:00'").run();
    try {
      await set('while_open');
      await expect.poll(state).toBe('waiting');
      const one = await share();
      expect(await state()).toBe('running');
      await owner.call('DELETE', `/api/shares/${one.id}`);
      expect(await state()).toBe('waiting');
      await set('never');
      await share();
      expect(await state()).toBe('off');
    } finally {
      await set(null);
    }
    await expect.poll(state).toBe('running');
    door = (await owner.get('/api/shares/listener')).body.url;
    expect((await device().get('/health')).body).toEqual({ status: 'ok', mode: 'share' });
  });
});
