import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeIdentity, type Identity } from '../../../test/fakes/market/certificates.ts';
import { describeWith } from '../../../test/support/requirements.ts';
import { sendMail, toMailAddress, type MailMessage, type MailSettings } from './mail.ts';
import { codeMessage, testMessage } from './messages.ts';

const MESSAGE: MailMessage = testMessage('en');
const PASSWORD = 'correct horse battery';
let server: SMTPServer | null = null;
/** What arrived: the envelope, and the mail as another library reads it. */
let arrived: { from: string; to: string[]; mail: ParsedMail; secure: boolean }[] = [];

async function serve(options: SMTPServerOptions): Promise<MailSettings> {
  arrived = [];
  server = new SMTPServer({
    authOptional: true,
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      username === 'hearth' && password === PASSWORD ? done(null, { user: username }) : done(new Error('no')),
    onData(stream, session, done) {
      void simpleParser(stream).then((mail) => {
        const { mailFrom, rcptTo } = session.envelope;
        arrived.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          ...{ mail, secure: session.secure },
        });
        done();
      }, done);
    },
    ...options,
  });
  // Clients that do not like the certificate.
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return {
    host: '127.0.0.1',
    port: (listening.address() as AddressInfo).port,
    ...{ encryption: 'none', user: null, password: null },
    from: { name: 'Familie Keller', address: 'post@keller.example' },
  };
}
afterEach(async () => {
  const ending = server;
  server = null;
  if (ending) await new Promise<void>((resolve) => ending.close(() => resolve()));
});

describe('a message', () => {
  test('arrives with its sender, its subject and both of its forms', async () => {
    const settings = await serve({ disabledCommands: ['STARTTLS'] });
    const message = codeMessage({
      ...{ language: 'de', code: '042917', recipient: 'Frau Dr. Müller', sender: 'Elena Keller', minutes: 10 },
    });
    await sendMail(settings, ' ruth@spital.example ', message);
    expect(arrived).toHaveLength(1);
    const { from, to, mail } = arrived[0]!;
    expect([from, to]).toEqual(['post@keller.example', ['ruth@spital.example']]);
    expect(mail.from?.value).toEqual([{ name: 'Familie Keller', address: 'post@keller.example' }]);
    expect(mail.subject).toBe('Ihr Code');
    for (const part of ['Guten Tag Frau Dr. Müller', 'Elena Keller teilt Dokumente', '042917', 'Er gilt 10 Minuten'])
      for (const text of [mail.text, mail.html]) expect(text).toContain(part);
    expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
    expect(mail.attachments).toEqual([]);
  });

  test('has one recipient and no other headers, whatever its texts contain', async () => {
    const settings = await serve({ disabledCommands: ['STARTTLS'] });
    const name = 'Elena\r\nBcc: thief@evil.example';
    await sendMail({ ...settings, from: { ...settings.from, name } }, 'ruth@spital.example', {
      ...MESSAGE,
      subject: 'Code\r\nBcc: thief@evil.example\r\n\r\nOther text',
    });
    const { to, mail } = arrived[0]!;
    expect(to).toEqual(['ruth@spital.example']);
    expect(mail.bcc).toBeUndefined();
    expect(mail.subject).toBe('Code Bcc: thief@evil.example Other text');
    expect(mail.text?.trim()).toBe(MESSAGE.text.trim());
  });

  test('with a code names who shares in the language of the recipient, and shows markup as text', () => {
    const message = codeMessage({
      ...{ language: 'en', code: '123456', recipient: '<b>Dr. A</b>', sender: '', minutes: 1 },
    });
    expect(message.text).toContain('Documents are shared with you.');
    expect(message.text).toContain('valid for 1 minute and');
    expect(message.html).toContain('&lt;b&gt;Dr. A&lt;/b&gt;');
    expect(message.subject).not.toContain('123456');
    expect(testMessage('de').text).toContain('E-Mail funktioniert');
  });
});

describe('an address', () => {
  test.each(['a@b.ch', 'first.last+tag@sub.example.org', 'jürg@bücher.example', "o'neill@example.org"])(
    'is taken: %s',
    (address) => expect(toMailAddress(` ${address} `)).toBe(address),
  );
  test.each([
    '',
    'a',
    'a@b',
    'a@b@c.ch',
    'a@b.ch, c@d.ch',
    'A <a@b.ch>',
    'a@b.ch\nBcc: x@y.ch',
    'a b@c.ch',
    '"a"@b.ch',
    'a@.ch',
    'a@b..ch',
    `${'a'.repeat(65)}@b.ch`,
    `a@${'b.'.repeat(130)}ch`,
  ])('is refused: %j', async (address) => {
    expect(toMailAddress(address)).toBeNull();
    const settings = { ...(await serve({ disabledCommands: ['STARTTLS'] })) };
    await expect(sendMail(settings, address, MESSAGE)).rejects.toMatchObject({ code: 'mail.invalid_address' });
  });
});

describe('a failure', () => {
  const failure = async (settings: MailSettings, to = 'ruth@spital.example'): Promise<Error & { code?: string }> =>
    sendMail(settings, to, MESSAGE).then(
      () => new Error('sent'),
      (error: unknown) => error as Error,
    );

  test('to sign in is reported without the password and the words of the server', async () => {
    const settings = await serve({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
    const wrong = { ...settings, user: 'hearth', password: 'a wrong password' };
    const error = await failure(wrong);
    expect(error.code).toBe('mail.sign_in_failed');
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/wrong password|Invalid|535/);
    await sendMail({ ...wrong, password: PASSWORD }, 'ruth@spital.example', MESSAGE);
    expect(arrived).toHaveLength(1);
  });

  test.each([
    ['onMailFrom', 'mail.sender_rejected'],
    ['onRcptTo', 'mail.recipient_rejected'],
  ] as const)('of %s has a code of its own', async (hook, code) => {
    const refuse = (_address: unknown, _session: unknown, done: (error: Error) => void): void =>
      done(Object.assign(new Error('we do not like SECRET'), { responseCode: 550 }));
    const error = await failure(await serve({ disabledCommands: ['STARTTLS'], [hook]: refuse }));
    expect(error).toMatchObject({ code, message: code });
  });

  test('to store the message is reported', async () => {
    const settings = await serve({
      disabledCommands: ['STARTTLS'],
      onData: (stream, _session, done) => {
        stream.resume().on('end', () => done(new Error('full')));
      },
    });
    expect((await failure(settings)).code).toBe('mail.failed');
  });

  test('to reach the server is reported', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    const settings = { ...(await serve({ disabledCommands: ['STARTTLS'] })), port };
    expect((await failure(settings)).code).toBe('mail.server_unreachable');
  });

  test('to be done in time ends the connection', async () => {
    const [given, closed] = [new AbortController(), Promise.withResolvers<void>()];
    const settings = await serve({
      disabledCommands: ['STARTTLS'],
      // Never answers.
      onRcptTo: () => given.abort(),
      onClose: () => closed.resolve(),
    });
    await expect(sendMail(settings, 'ruth@spital.example', MESSAGE, given.signal)).rejects.toMatchObject({
      code: 'mail.server_unreachable',
    });
    await closed.promise;
    expect(arrived).toEqual([]);
  });

  test('of the settings is reported before anything is sent', async () => {
    const settings = await serve({ disabledCommands: ['STARTTLS'] });
    expect((await failure({ ...settings, host: '' })).code).toBe('mail.not_set_up');
    expect((await failure({ ...settings, from: { name: '', address: 'x' } })).code).toBe('mail.not_set_up');
  });
});

describe('encryption', () => {
  test('is required for a server on another computer', async () => {
    const settings = await serve({ disabledCommands: ['STARTTLS'] });
    for (const host of ['mail.example.org', '192.0.2.7', 'localhost.example.org'])
      await expect(sendMail({ ...settings, host }, 'ruth@spital.example', MESSAGE)).rejects.toMatchObject({
        code: 'mail.no_encryption',
      });
  });

  test('is not given up if the server does not offer it', async () => {
    const settings = await serve({ disabledCommands: ['STARTTLS'] });
    await expect(
      sendMail({ ...settings, encryption: 'starttls' }, 'ruth@spital.example', MESSAGE),
    ).rejects.toMatchObject({ code: 'mail.no_encryption' });
    expect(arrived).toEqual([]);
  });

  describeWith({ programs: ['openssl'] }, 'with a certificate', () => {
    let identity: Identity;
    beforeAll(() => {
      identity = makeIdentity(['localhost']);
    });

    test.each([
      ['tls', true],
      ['starttls', false],
    ] as const)('by %s sends through TLS', async (encryption, secure) => {
      const { key, cert, root } = identity;
      const settings = await serve({ secure, key, cert });
      const own = { ...settings, encryption, host: 'localhost', certificate: root.toString() };
      await sendMail(own, 'ruth@spital.example', MESSAGE);
      expect(arrived).toMatchObject([{ secure: true }]);
    });

    test.each([
      ['tls', true],
      ['starttls', false],
    ] as const)('by %s sends nothing to a server that nobody vouches for', async (encryption, secure) => {
      const { key, cert } = identity;
      const settings = await serve({ secure, key, cert });
      await expect(
        sendMail({ ...settings, encryption, host: 'localhost' }, 'ruth@spital.example', MESSAGE),
      ).rejects.toMatchObject({ code: 'mail.certificate_rejected' });
      expect(arrived).toEqual([]);
    });

    test('sends nothing to a server with the certificate of another name', async () => {
      const { key, cert, root } = makeIdentity(['mail.example.org']);
      const settings = await serve({ secure: true, key, cert });
      const own = { ...settings, encryption: 'tls', host: 'localhost', certificate: root.toString() } as const;
      await expect(sendMail(own, 'ruth@spital.example', MESSAGE)).rejects.toMatchObject({
        code: 'mail.certificate_rejected',
      });
    });
  });
});
