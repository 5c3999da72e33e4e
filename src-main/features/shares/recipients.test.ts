import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LONG } from '../../../test/support/long.ts';
import { QUIET_LISTENER } from '../../../test/support/quiet-listener.ts';
import { createAccess } from '../../platform/access/access.ts';
import { openTestDatabase } from '../../../test/support/new-database.ts';
import type { Database } from '../../platform/database/connection.ts';
import { openSplitDatabase, type SplitDatabase } from '../../platform/database/split-database.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { fromTimestamp } from '../../platform/kernel/clock.ts';
import type { Failure } from '../../platform/kernel/errors.ts';
import { createLog } from '../../platform/kernel/log.ts';
import type { Carried } from './seats.ts';
import { createRecipients, createShares, type CodeMail, type Recipients, type Shares } from './service.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];
const VAULT_KEY = Buffer.alloc(32, 7);
/** Nobody looks at files here. */
const WATERMARK = { canStamp: () => Promise.resolve(true) } as never;
const FILES = { watermark: WATERMARK, renderer: {} as never, resolve: String, ocr: () => Promise.reject() };
const DOOR = { ...FILES, translator: null };
const REST = { language: 'en', minutes: 10 };
const NOBODY = { session: null, place: null };
const OWNER = { userId: 1, role: 'admin' } as UserCaller;

let folder: string, db: Database, doors: SplitDatabase, shares: Shares, recipients: Recipients;
let time: number, mails: CodeMail[], mailError: Error | null;

const clock = {
  now: () => time,
  sleep: () => new Promise<boolean>((resolve) => setImmediate(() => resolve(true))),
};
const pass = (ms: number): void => {
  time += ms;
};

function open(): void {
  doors = openSplitDatabase(join(folder, 'vault.db'));
  doors.writer.sqlite.pragma('synchronous = OFF');
  recipients = createRecipients({
    db: doors,
    ...DOOR,
    vaultKey: VAULT_KEY,
    clock,
    log: createLog('silent'),
    sendCode: () => async (mail) => {
      if (mailError) throw mailError;
      mails.push(mail);
    },
  });
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-shares-'));
  db = openTestDatabase(join(folder, 'vault.db'));
  [time, mails, mailError] = [Date.parse('2026-03-01T10:00:00Z'), [], null];
  db.sqlite.exec(`
    INSERT INTO users (id, username, username_key, display_name, role, created_at) VALUES (1, 'ann', 'ann', 'Ann', 'admin', '');
    INSERT INTO patients (id, slug, display_name, created_at) VALUES (1, 'elena', 'Elena Keller', '');
    INSERT INTO documents (id, patient_id, file_path, original_filename, mime_type, file_size, file_hash, status,
      review_reasons, created_at, updated_at)
      VALUES (1, 1, 'a.pdf', 'a.pdf', 'application/pdf', 1, 'h', 'done', '[]', '', '');`);
  shares = createShares({
    db,
    access: createAccess({ db }),
    clock,
    ids: () => `share-${time}`,
    ...{ vaultKey: VAULT_KEY, files: FILES, healthLinks: { endOfShare: () => Promise.resolve() } },
    ...{ listener: QUIET_LISTENER, canMail: () => true, translation: () => ({ home: false, services: [] }) },
  });
  open();
});
afterEach(() => {
  doors.close();
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

async function share(contact: string | null = null): Promise<{ id: string; token: string }> {
  const { share_id: id, share_url } = await shares.create(
    {
      patient_id: 1,
      document_ids: [1],
      recipient_label: 'Dr. Frisch',
      recipient_contact: contact,
      otp_delivery: contact === null ? 'manual' : 'email',
      expires_in_days: 7,
    },
    OWNER,
  );
  return { id, token: share_url.split('/').at(-1) ?? '' };
}

const visitor = (ip: string) => ({ ip, userAgent: 'test' });

/** Requests a code from an address and returns what the owner may read. */
async function codeFor({ id, token }: { id: string; token: string }, ip = '203.0.113.1'): Promise<string | null> {
  recipients.codes.request(token, visitor(ip), 'en');
  await recipients.codes.settled();
  return shares.activeCode(id)?.code ?? null;
}
/** The error code of an attempt, or the status of the place that it got. */
async function enter(token: string, code: string, ip = '203.0.113.1', carried: Carried = NOBODY): Promise<string> {
  return recipients.codes.verify(token, code, visitor(ip), carried).then(
    ({ status }) => status,
    (error: Failure) => error.code,
  );
}

async function admit(one: { id: string; token: string }, ip: string) {
  const code = (await codeFor(one, ip)) ?? '';
  return recipients.codes.verify(one.token, code, visitor(ip), NOBODY);
}
const wrong = (code: string | null): string => (code === '000000' ? '111111' : '000000');
const actions = (id: string): string[] =>
  shares
    .audit(id, false)
    .audit.map(({ action }) => action)
    .reverse();

describe('a code', () => {
  it('has six digits, opens the share once, and may be typed with spaces', async () => {
    const one = await share();
    const code = (await codeFor(one)) ?? '';
    expect(code).toMatch(/^\d{6}$/);
    expect(await enter(one.token, `${code.slice(0, 3)} ${code.slice(3)}`)).toBe('active');
    expect(shares.activeCode(one.id)).toBeNull();
    expect(await enter(one.token, code)).toBe('share.code_wrong');
  });

  it('is valid for ten minutes, and a new one replaces it', async () => {
    const one = await share();
    const first = (await codeFor(one)) ?? '';
    pass(10 * MINUTE);
    expect([shares.activeCode(one.id), await enter(one.token, first)]).toEqual([null, 'share.code_wrong']);
    const second = (await codeFor(one)) ?? '';
    const third = (await codeFor(one)) ?? '';
    expect(await enter(one.token, second)).toBe(second === third ? 'active' : 'share.code_wrong');
    expect(await enter(one.token, third)).toBe(second === third ? 'share.code_wrong' : 'active');
  });

  it('allows five attempts', async () => {
    const one = await share();
    const code = await codeFor(one);
    for (let n = 1; n <= 4; n += 1)
      expect(await enter(one.token, wrong(code), `203.0.113.${n}`)).toBe('share.code_wrong');
    expect(shares.activeCode(one.id)?.attempts).toBe(4);
    expect(await enter(one.token, wrong(code), '203.0.113.5')).toBe('share.code_wrong');
    expect(await enter(one.token, code ?? '', '203.0.113.6')).toBe('share.code_wrong');
  });

  it('is not stored in a form that the database alone can reverse', async () => {
    const one = await share();
    const code = (await codeFor(one)) ?? '';
    const rows = JSON.stringify([
      db.prepare('SELECT * FROM share_codes').all(),
      db.prepare('SELECT * FROM shares').all(),
      db.prepare('SELECT * FROM share_audit').all(),
      db.prepare('SELECT * FROM audit_log').all(),
    ]);
    expect([rows.includes(`"${code}"`), rows.includes(one.token)]).toEqual([false, false]);
    doors.close();
    doors = openSplitDatabase(join(folder, 'vault.db'));
    const stranger = createRecipients({
      db: doors,
      ...DOOR,
      vaultKey: Buffer.alloc(32, 8),
      clock,
      log: createLog('silent'),
      sendCode: () => null,
    });
    await expect(stranger.codes.verify(one.token, code, visitor('203.0.113.1'), NOBODY)).rejects.toMatchObject({
      code: 'share.code_wrong',
    });
  });
});

describe('limits', () => {
  it('issue 10 codes an hour for an address and 6 for a link, also after a restart', LONG, async () => {
    const [one, other] = [await share(), (pass(1000), await share())];
    const issued = async (to: typeof one, ip: string): Promise<boolean> => {
      const before = actions(to.id).length;
      await codeFor(to, ip);
      return actions(to.id).length > before;
    };
    for (let n = 1; n <= 6; n += 1) expect(await issued(one, '203.0.113.1')).toBe(true);
    expect(await issued(one, '198.51.100.1')).toBe(false);
    doors.close();
    open();
    expect(await issued(one, '198.51.100.1')).toBe(false);
    for (let n = 7; n <= 10; n += 1) expect(await issued(other, '203.0.113.1')).toBe(true);
    expect(await issued(other, '203.0.113.1')).toBe(false);
    expect(await issued(other, '198.51.100.2')).toBe(true);
    pass(HOUR + 1000);
    expect([await issued(one, '203.0.113.1'), await issued(other, '203.0.113.1')]).toEqual([true, true]);
  });

  it('stop one address long before it locks a share, for links that exist and links that do not', LONG, async () => {
    const one = await share();
    for (const token of [one.token, 'no-such-link']) {
      const answers: string[] = [];
      for (let n = 0; n < 7; n += 1) {
        if (n === 3) await codeFor(one, '198.51.100.1');
        answers.push(await enter(token, 'wrong!', '203.0.113.9'));
      }
      expect(answers).toEqual([...Array<string>(5).fill('share.code_wrong'), 'auth.rate_limited', 'auth.rate_limited']);
    }
    const code = (await codeFor(one, '198.51.100.1')) ?? '';
    expect(await enter(one.token, code, '198.51.100.1')).toBe('active');
  });

  it('count IPv6 addresses by network', async () => {
    const one = await share();
    await codeFor(one);
    for (let n = 0; n < 5; n += 1) await enter(one.token, 'wrong!', `2001:db8:0:1::${n + 1}`);
    expect(await enter(one.token, 'wrong!', '2001:db8:0:1:ffff::1')).toBe('auth.rate_limited');
    expect(await enter(one.token, 'wrong!', '2001:db8:0:2::1')).toBe('share.code_wrong');
  });

  it('lock a share after three codes that were guessed at, until its owner reopens it', LONG, async () => {
    const one = await share();
    let guesses = 0;
    for (let code = 0; code < 3; code += 1) {
      const live = await codeFor(one, `198.51.100.${code}`);
      for (let n = 0; n < 5; n += 1) {
        guesses += 1;
        expect(await enter(one.token, wrong(live), `203.0.${code}.${n}`)).toBe('share.code_wrong');
      }
      pass(HOUR + 1000);
    }
    await recipients.codes.settled();
    expect([guesses, shares.audit(one.id, false).share.status]).toEqual([15, 'locked']);
    expect(actions(one.id)).toContain('share.locked');
    // Recipients are answered as if the share had ended.
    expect(await codeFor(one)).toBeNull();
    expect(await enter(one.token, '123456', '192.0.2.1')).toBe('share.code_wrong');
    await shares.reopen(one.id);
    expect(await enter(one.token, (await codeFor(one)) ?? '', '203.0.0.0')).toBe('active');
  });

  it('lock a share after 60 wrong codes, although right ones were between them', async () => {
    const one = await share();
    db.prepare('UPDATE shares SET failed_codes = 0, wrong_codes = 59').run();
    const code = await codeFor(one);
    expect(await enter(one.token, wrong(code))).toBe('share.code_wrong');
    expect(shares.audit(one.id, false).share.status).toBe('locked');
  });

  it('are forgotten by a right code', async () => {
    const one = await share();
    const code = await codeFor(one);
    for (let n = 0; n < 3; n += 1) await enter(one.token, wrong(code));
    expect(await enter(one.token, code ?? '')).toBe('active');
    expect(db.prepare('SELECT failed_codes, wrong_codes FROM shares').get()).toEqual({
      failed_codes: 0,
      wrong_codes: 3,
    });
  });
});

describe('codes by e-mail', () => {
  it('are sent to the contact, at most every 30 seconds, and are never readable', async () => {
    const one = await share('doctor@example.org');
    expect(await codeFor(one)).toBeNull();
    expect(mails).toEqual([
      { to: 'doctor@example.org', code: expect.stringMatching(/^\d{6}$/), recipientLabel: 'Dr. Frisch', ...REST },
    ]);
    await codeFor(one);
    expect([mails.length, actions(one.id).at(-1)]).toEqual([1, 'otp_email_rate_limited']);
    pass(31_000);
    await codeFor(one);
    expect(mails.length).toBe(2);
    expect(await enter(one.token, mails[1]?.code ?? '')).toBe('active');
  });

  it('that fail are recorded by the kind of the error only', async () => {
    const one = await share('doctor@example.org');
    mailError = Object.assign(new Error('550 doctor@example.org is unknown'), { code: 'EENVELOPE' });
    await codeFor(one);
    expect(shares.audit(one.id, false).audit[0]).toMatchObject({
      action: 'otp_email_failed',
      details: { cause: 'EENVELOPE' },
    });
  });

  it('need one plain address as the contact', async () => {
    for (const contact of ['+41 31 555 01 02', 'a@b, c@d', 'a@example.org\nBcc: x@example.org', 'a..b@example.org'])
      await expect(share(contact)).rejects.toMatchObject({ code: 'share.email_invalid' });
  });
});

describe('the seat', () => {
  const carry = (place: { status: string; secret: string | null }): Carried =>
    place.status === 'active' ? { session: place.secret, place: null } : { session: null, place: place.secret };

  it('belongs to one device; others wait and take it in their order', async () => {
    const one = await share();
    const first = await admit(one, '203.0.113.1');
    const second = await admit(one, '203.0.113.2');
    const third = await admit(one, '203.0.113.3');
    expect([first.status, second, third]).toMatchObject(['active', { status: 'queued', position: 1 }, { position: 2 }]);
    expect(recipients.seats.claim(carry(third), visitor('203.0.113.3'))?.status).toBe('queued');
    recipients.seats.logout(carry(first), visitor('203.0.113.1'));
    // The seat is free, but somebody is before the third one.
    expect(recipients.seats.claim(carry(third), visitor('203.0.113.3'))?.status).toBe('queued');
    expect(recipients.seats.claim(carry(second), visitor('203.0.113.2'))?.status).toBe('active');
    expect(actions(one.id).slice(-2)).toEqual(['logout', 'queue_claim_ok']);
  });

  it('is not held up by waiters who no longer ask', async () => {
    const one = await share();
    const first = await admit(one, '203.0.113.1');
    await admit(one, '203.0.113.2');
    const third = await admit(one, '203.0.113.3');
    recipients.seats.logout(carry(first), visitor('203.0.113.1'));
    pass(25_000);
    expect(recipients.seats.claim(carry(third), visitor('203.0.113.3'))?.status).toBe('active');
  });

  it('is free after ten idle minutes, and the idle session ends when another takes it', async () => {
    const one = await share();
    const first = await admit(one, '203.0.113.1');
    pass(9 * MINUTE);
    expect((await admit(one, '203.0.113.2')).status).toBe('queued');
    expect(recipients.seats.resolve(first.secret ?? '')).not.toBeNull();
    pass(6 * MINUTE);
    expect((await admit(one, '203.0.113.3')).status).toBe('queued');
    pass(10 * MINUTE);
    expect(shares.sessions(one.id).active).toMatchObject([{ is_idle: true }]);
    const last = await admit(one, '203.0.113.4');
    expect([last.status, recipients.seats.resolve(first.secret ?? '')]).toEqual(['active', null]);
    expect(shares.audit(one.id, false).audit).toContainEqual(
      expect.objectContaining({ action: 'session_expired', details: { reason: 'idle' } }),
    );
  });

  it('ends after two hours, or with the share, and the trail says so', async () => {
    const one = await share();
    const first = await admit(one, '203.0.113.1');
    expect(first.lastsMs).toBe(2 * HOUR);
    for (let n = 0; n < 23; n += 1) {
      pass(5 * MINUTE);
      expect(recipients.seats.resolve(first.secret ?? '')).not.toBeNull();
    }
    pass(5 * MINUTE);
    expect(recipients.seats.resolve(first.secret ?? '')).toBeNull();
    recipients.tidy();
    expect(shares.audit(one.id, false).audit[0]).toMatchObject({
      action: 'session_expired',
      session_id: 1,
      details: { reason: 'time' },
    });
    db.prepare('UPDATE shares SET expires_at = ?').run('2026-03-01T12:30:00');
    const second = await admit(one, '203.0.113.1');
    expect(second.lastsMs).toBe(fromTimestamp('2026-03-01T12:30:00') - time);
  });

  it('stays with a device that enters a new code', async () => {
    const one = await share();
    const first = await admit(one, '203.0.113.1');
    const again = await recipients.codes.verify(
      one.token,
      (await codeFor(one)) ?? '',
      visitor('203.0.113.1'),
      carry(first),
    );
    expect([again.status, recipients.seats.resolve(first.secret ?? '')]).toEqual(['active', null]);
  });

  it('is taken once by fifty parallel attempts', async () => {
    const one = await share();
    const code = (await codeFor(one)) ?? '';
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => enter(one.token, code, `203.0.${n}.1`)));
    expect(answers.filter((answer) => answer === 'active')).toHaveLength(1);
    expect(answers.filter((answer) => answer === 'queued')).toHaveLength(0);
    expect(shares.sessions(one.id).active).toHaveLength(1);
  });

  it('is lost when the share is revoked, and so are the places in the queue', async () => {
    const one = await share();
    const first = await admit(one, '203.0.113.1');
    const second = await admit(one, '203.0.113.2');
    await shares.revoke(one.id);
    expect(recipients.seats.resolve(first.secret ?? '')).toBeNull();
    expect(recipients.seats.claim(carry(second), visitor('203.0.113.2'))).toBeNull();
    expect(shares.sessions(one.id)).toEqual({ active: [], queued: [] });
  });

  it('is lost in the queue after five minutes without a question', async () => {
    const one = await share();
    await admit(one, '203.0.113.1');
    const second = await admit(one, '203.0.113.2');
    pass(4 * MINUTE);
    expect(recipients.seats.claim(carry(second), visitor('203.0.113.2'))?.status).toBe('queued');
    pass(5 * MINUTE);
    expect(recipients.seats.claim(carry(second), visitor('203.0.113.2'))).toBeNull();
  });
});
