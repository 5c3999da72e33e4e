import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { describe, expect } from 'vitest';
import type { Household } from '../support/household.ts';
import { Recipient } from '../support/recipient.ts';
import { test } from '../support/fixtures.ts';

const arrived: ParsedMail[] = [];
/** Recipients whose own server takes long: theirs is asked while the household's server is spoken to. */
const SLOW = /@slow\.example$/;
const held: (() => void)[] = [];
let household: Household, door: string, server: SMTPServer;
const it = test.override('serveOptions', {
  env: { VAULT_PIPELINE_WATCH: 'false', VAULT_SHARE_LISTEN: 'always' },
});
it.beforeAll(async ({ served, household: records }) => {
  [household, door] = [records, served.shareUrl ?? ''];
  server = new SMTPServer({
    authOptional: true,
    logger: false,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) => void (SLOW.test(address) ? held.push(() => done()) : done()),
    onData: (stream, _session, done) =>
      void simpleParser(stream).then((mail) => {
        arrived.push(mail);
        done();
      }, done),
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
it.afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

const body = () => ({
  patient_id: household.patient,
  document_ids: [household.make.document()],
  recipient_label: 'Frau Dr. Oesch',
  recipient_contact: 'oesch@example.org',
  otp_delivery: 'email',
});

/** No model is set up. */
const NO_MODELS = { home: false, services: [] };

describe('codes by e-mail', () => {
  it('are refused until a mail server is set up', async () => {
    const owner = household.as('owner');
    expect((await owner.post('/api/shares', body())).body.code).toBe('share.email_not_set_up');
    expect((await owner.get('/api/shares/delivery')).body).toEqual({ email: false, translation: NO_MODELS });
  });

  it('reach the recipient in the language of the browser, and open the share', async () => {
    const admin = household.as('admin');
    const settings = {
      smtp_host: '127.0.0.1',
      smtp_port: (server.server.address() as AddressInfo).port,
      smtp_encryption: 'none',
      smtp_from_name: 'Familie Keller',
      smtp_from_address: 'post@keller.example',
    };
    expect((await admin.call('PATCH', '/api/settings', settings)).status).toBe(200);
    expect((await admin.post('/api/settings/smtp/test', { to: 'ann@example.org' })).body).toEqual({ ok: true });
    expect(arrived[0]).toMatchObject({ subject: 'Test message from Hearth', to: { text: 'ann@example.org' } });
    expect((await admin.post('/api/settings/smtp/test', { to: 'a@b.example, c@d.example' })).body.code).toBe(
      'mail.invalid_address',
    );

    const owner = household.as('owner');
    expect((await owner.get('/api/shares/delivery')).body).toEqual({ email: true, translation: NO_MODELS });
    // A name outside of ASCII is a plain address, too.
    const abroad = { ...body(), recipient_contact: 'jürg@bücher.example' };
    expect((await owner.post('/api/shares', abroad)).status).toBe(201);
    const share = (await owner.post('/api/shares', body())).body;
    const token = share.share_url.split('/').at(-1);
    const doctor = new Recipient(door);
    expect((await doctor.get(`/api/share/${token}/info`)).body).toEqual({ delivery: 'email' });
    await doctor.call('POST', `/api/share/${token}/request-otp`, undefined, { 'accept-language': 'de-CH' });
    await expect.poll(() => arrived.length).toBe(2);
    const mail = arrived[1];
    expect([mail?.subject, mail?.from?.text, mail?.text]).toEqual([
      'Ihr Code',
      '"Familie Keller" <post@keller.example>',
      expect.stringMatching(/Frau Dr\. Oesch/),
    ]);
    expect(mail?.text).not.toMatch(/Elena|Holunder/);
    const code = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0];
    expect((await owner.get(`/api/shares/${share.share_id}/active-otp`)).body).toEqual({ active_otp: null });
    expect((await doctor.post(`/api/share/${token}/verify-otp`, { code })).status).toBe(200);
    const { audit } = (await owner.get(`/api/shares/${share.share_id}/audit`)).body;
    expect(audit.map(({ action }: { action: string }) => action)).toContain('otp_email_sent');
    expect(JSON.stringify(audit)).not.toContain(code);
    // A code that nobody in the household can read can be cancelled all the same.
    expect((await owner.call('DELETE', `/api/shares/${share.share_id}/active-otp`)).body).toEqual({ cancelled: false });
    household.db.prepare('DELETE FROM share_attempts').run();
    await doctor.post(`/api/share/${token}/request-otp`);
    await expect.poll(() => arrived.length).toBe(3);
    const next = /\b\d{6}\b/.exec(arrived[2]?.text ?? '')?.[0];
    expect((await owner.call('DELETE', `/api/shares/${share.share_id}/active-otp`)).body).toEqual({ cancelled: true });
    expect((await doctor.post(`/api/share/${token}/verify-otp`, { code: next })).body.code).toBe('share.code_wrong');
    // An ended link answers like one that never was.
    expect((await owner.call('DELETE', `/api/shares/${share.share_id}`)).status).toBe(200);
    expect((await doctor.get(`/api/share/${token}/info`)).body).toEqual({ delivery: 'manual' });
  });

  it('arrive at once while the server takes long for others, who get theirs later', async () => {
    const owner = household.as('owner');
    const create = async (recipient_contact: string): Promise<{ id: string; token: string }> => {
      const { share_id: id, share_url: url } = (await owner.post('/api/shares', { ...body(), recipient_contact })).body;
      return { id, token: url.split('/').at(-1) };
    };
    const mailsTo = (address: string): ParsedMail[] =>
      arrived.filter(({ to }) => to !== undefined && !Array.isArray(to) && to.text === address);
    household.db.prepare('DELETE FROM share_attempts').run();
    const slow = await Promise.all([0, 1, 2].map((n) => create(`doctor${n}@slow.example`)));
    const quick = await create('ruth@quick.example');
    const doctor = new Recipient(door);
    for (const { token } of slow) await doctor.post(`/api/share/${token}/request-otp`);
    await expect.poll(() => held.length).toBe(slow.length);
    await doctor.post(`/api/share/${quick.token}/request-otp`);
    await expect.poll(() => mailsTo('ruth@quick.example').length).toBe(1);
    // Codes that the owner reads aloud are issued meanwhile, too.
    const manual = household.make.share();
    await doctor.post(`/api/share/${manual.token}/request-otp`);
    await expect
      .poll(async () => (await owner.get(`/api/shares/${manual.id}/active-otp`)).body.active_otp)
      .not.toBeNull();
    expect(arrived.filter(({ to }) => SLOW.test(JSON.stringify(to)))).toEqual([]);
    for (const answer of held.splice(0)) answer();
    for (const n of [0, 1, 2]) await expect.poll(() => mailsTo(`doctor${n}@slow.example`).length).toBe(1);
  });
});
