import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { PlainErrorCode } from '../../../src-shared/contract/errors.ts';
import { isLoopback } from '../http/client-address.ts';
import { fail, Failure } from '../kernel/errors.ts';

/** The mail server of the household. */
export interface MailSettings {
  host: string;
  port: number;
  /** TLS from the first byte, or after STARTTLS; `none` is for a server on this computer only. */
  encryption: 'tls' | 'starttls' | 'none';
  /** Null if the server needs no sign-in. */
  user: string | null;
  password: string | null;
  from: { name: string; address: string };
  /** A certificate (PEM) that the server's one may be signed with, beside those that Node trusts. */
  certificate?: string;
}

/** A message without its addresses. */
export interface MailMessage {
  subject: string;
  text: string;
  html: string;
}

/** Until the server accepts the connection, greets, and answers a command, in milliseconds. */
const TIMEOUTS = { connection: 10_000, greeting: 10_000, answer: 20_000 } as const;
/** RFC 5321, 4.5.3.1. */
const MAX_ADDRESS = 254;
/** A local part without quotes and comments (RFC 5322, 3.2.3; letters of RFC 6531), then a domain. */
const ADDRESS = /^([\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*)@([\p{L}\p{N}.-]+)$/u;

/** Returns one plain e-mail address without blanks around it; null for a list, a name beside it, or other text. */
export function toMailAddress(text: string): string | null {
  const trimmed = text.trim();
  const [, local = '', domain = ''] = ADDRESS.exec(trimmed) ?? [];
  const ascii = domainToASCII(domain);
  const isDomain = ascii.includes('.') && !/^[.-]|\.\.|[.-]$/.test(domain);
  return trimmed.length <= MAX_ADDRESS && local.length <= 64 && isDomain ? `${local}@${domain}` : null;
}

/**
 * Sends a message; an abort ends the connection. What the server answers never leaves this function, since it may quote
 * the message or the sign-in.
 * @throws `mail.not_set_up`, `mail.invalid_address`, `mail.server_unreachable`, `mail.no_encryption`,
 * `mail.certificate_rejected`, `mail.sign_in_failed`, `mail.sender_rejected`, `mail.recipient_rejected`, `mail.failed`
 */
export async function sendMail(
  settings: MailSettings,
  to: string,
  message: MailMessage,
  signal?: AbortSignal,
): Promise<void> {
  const recipient = toMailAddress(to);
  if (recipient === null) throw fail('mail.invalid_address');
  const sender = toMailAddress(settings.from.address);
  if (settings.host === '' || sender === null) throw fail('mail.not_set_up');
  const transport = await connectTo(settings);
  try {
    await transport.sendMail({
      ...message,
      // As objects, so that nothing in them is taken for a second address.
      from: { name: toOneLine(settings.from.name), address: sender },
      to: { name: '', address: recipient },
      subject: toOneLine(message.subject),
      // Answers of machines would reach the sender (RFC 3834, 5).
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal,
    });
  } catch (error) {
    throw new Failure(signal?.aborted ? 'mail.server_unreachable' : causeOf(error as MailError));
  } finally {
    transport.close();
  }
}

async function connectTo({ host, port, encryption, user, password, certificate }: MailSettings) {
  if (encryption === 'none' && !isThisComputer(host)) throw fail('mail.no_encryption');
  // Most households send no mail, so the library is loaded with the first message.
  const { createTransport } = await import('nodemailer');
  return createTransport({
    ...{ host, port, secure: encryption === 'tls', requireTLS: encryption === 'starttls' },
    ignoreTLS: encryption === 'none',
    ...(user !== null && { auth: { user, pass: password ?? '' } }),
    tls: { minVersion: 'TLSv1.2', ...(certificate !== undefined && { ca: certificate }) },
    connectionTimeout: TIMEOUTS.connection,
    greetingTimeout: TIMEOUTS.greeting,
    socketTimeout: TIMEOUTS.answer,
    // A message can't make it read files or addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

const isThisComputer = (host: string): boolean => host === 'localhost' || (isIP(host) !== 0 && isLoopback(host));

/** Line breaks in a header would begin another header. */
const toOneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').trim();

interface MailError extends Error {
  /** A code of nodemailer, or of Node. */
  code?: string;
  /** The command that failed. */
  command?: string;
  cause?: unknown;
}

/** Certificates that TLS does not accept (codes of Node's `tls`, and OpenSSL's texts for them). */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|certificate|altnames/;
const UNREACHABLE = new Set(['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'EPROTOCOL', 'EPROXY']);

function causeOf({ code = '', command = '', message, cause }: MailError): PlainErrorCode {
  if (CERTIFICATE.test(`${(cause as MailError | undefined)?.code ?? ''} ${code} ${message}`))
    return 'mail.certificate_rejected';
  if (code === 'ETLS' || (code === 'ECONNECTION' && command === 'EHLO')) return 'mail.no_encryption';
  if (UNREACHABLE.has(code)) return 'mail.server_unreachable';
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'mail.sign_in_failed';
  if (code === 'EENVELOPE' && command === 'MAIL FROM') return 'mail.sender_rejected';
  if (code === 'EENVELOPE' && command === 'RCPT TO') return 'mail.recipient_rejected';
  return 'mail.failed';
}
