import { lookup as lookUp, type LookupAddress } from 'node:dns';
import http, { type IncomingHttpHeaders } from 'node:http';
import type { LookupFunction } from 'node:net';
import { reachOf } from '../../../src-shared/contract/service-address.ts';
import {
  type DeviceSettings,
  deviceSettings,
  type DeviceStatus,
  deviceStatus,
  savedReply,
} from '../../../src-shared/ticker/device/shapes.ts';
import type { SettingsTarget } from '../../../src-shared/ticker/device/write-settings.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { answerChallenge, type Login, wantsNewNonce } from './digest.ts';

const ANSWER_MS = 10_000;
const START_MS = 60_000;
const PAUSE_MS = 500;
const MAX_LOGINS = 2;
const MAX_REPLY_BYTES = 64 * 1024;

/** Where a device is and who asks. */
export interface DeviceAddress extends Login {
  address: string;
}

/** Which addresses may be called. The rule is a parameter, because a simulated device is on this computer. */
export type MayReach = (url: URL) => boolean;
/** Also the name that a Fritz!Box gives; where it really leads is looked at when it is used. */
export const isInHomeNetwork: MayReach = (url) =>
  reachOf(url) === 'home-network' || /^[\w-]+\.fritz\.box$/i.test(url.hostname);

export interface DeviceReply {
  status: number;
  body: unknown;
  /** Of the device's challenge, if it wants a password. */
  realm?: string | undefined;
}

export interface LanDevice extends SettingsTarget {
  status(): Promise<DeviceStatus>;
  /** Sends a request that is not among the others. Throws for a wrong password, unless none is to be given. */
  send(
    method: string,
    path: string,
    body?: Uint8Array | string,
    headers?: Record<string, string>,
    options?: { isLoginAsked: boolean },
  ): Promise<DeviceReply>;
}

/** A typed address as URL: only http, only the home network, no user, no path. Throws `ticker.address_refused`. */
export function parseAddress(text: string, mayReach: MayReach): URL {
  const typed = text.trim();
  const url = URL.parse(/^[a-z]+:\/\//i.test(typed) ? typed : `http://${typed}`);
  const isPlain = url !== null && url.protocol === 'http:' && url.username === '' && url.password === '';
  if (!isPlain || url.hostname === '' || !mayReach(url)) throw fail('ticker.address_refused');
  return new URL(url.origin);
}

/** A device by the HTTP interface of its page. */
export function openLanDevice(
  where: DeviceAddress,
  mayReach: MayReach = isInHomeNetwork,
  answerMs = ANSWER_MS,
): LanDevice {
  const url = parseAddress(where.address, mayReach);
  const send: LanDevice['send'] = (method, path, body, headers = {}, { isLoginAsked } = { isLoginAsked: true }) => {
    const [call, message] = [
      { url, where, mayReach, answerMs },
      { method, path, body, headers },
    ];
    return isLoginAsked ? sendWithLogin(call, message) : sendOnce(call, message);
  };
  const read = async (path: string): Promise<unknown> => bodyOf(await send('GET', path));
  const status = async (): Promise<DeviceStatus> => parse(deviceStatus.safeParse(await read('/api/status')));
  return {
    send,
    status,
    settings: async (): Promise<DeviceSettings> => parse(deviceSettings.safeParse(await read('/api/config'))),
    async set(document) {
      const { reboot } = parse(
        savedReply.safeParse(bodyOf(await send('POST', '/api/config', JSON.stringify(document)))),
      );
      return reboot;
    },
    awaitStart: () => awaitStart(status),
  };
}

function parse<T>(result: { success: true; data: T } | { success: false }): T {
  if (!result.success) throw fail('ticker.not_hearth');
  return result.data;
}

/** The body of a success; a failure of the device becomes one of ours. */
export function bodyOf({ status, body }: DeviceReply): unknown {
  if (status < 300) return body;
  const { error, key = '', rule = '' } = (body ?? {}) as { error?: string; key?: string; rule?: string };
  if (error === 'bad value' || error === 'bad json')
    throw fail('ticker.setting_refused', { key: clean(key) || 'settings', rule: clean(rule) || error });
  if (status === 503) throw fail('ticker.device_busy');
  if (error === 'not saved') throw fail('ticker.not_saved');
  if (error === 'presence needed' || error === 'older') throw fail('ticker.presence_needed');
  if (error === 'wait') throw fail('ticker.code_shown');
  throw fail('ticker.not_hearth');
}

const clean = (text: unknown): string =>
  String(text)
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, 200);

/** A device that starts again closes its connections without a reply. */
async function awaitStart(status: () => Promise<DeviceStatus>): Promise<DeviceStatus> {
  const end = performance.now() + START_MS;
  // It goes on for a moment before it restarts.
  await new Promise((resolve) => setTimeout(resolve, 2 * PAUSE_MS));
  for (;;) {
    try {
      return await status();
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

interface Call {
  url: URL;
  where: DeviceAddress;
  mayReach: MayReach;
  answerMs: number;
}
interface Message {
  method: string;
  path: string;
  body: Uint8Array | string | undefined;
  headers: Record<string, string>;
}

/**
 * Sends a message, and once more for each challenge: a device that knows the password asks for a newer nonce when it gave
 * the same to a browser in this second, or when others guessed before (RFC 7616, 3.3).
 */
async function sendWithLogin(call: Call, message: Message): Promise<DeviceReply> {
  const { where } = call;
  let reply = await sendOnce(call, message);
  for (let logins = 0; reply.status === 401; logins += 1) {
    const challenge = String(reply.headers['www-authenticate'] ?? '');
    if (where.password === '' || logins === MAX_LOGINS || (logins > 0 && !wantsNewNonce(challenge)))
      throw fail('ticker.password_wrong');
    const authorization = answerChallenge(challenge, message.method, message.path, where);
    if (authorization === null) throw fail('ticker.not_hearth');
    reply = await sendOnce(call, { ...message, headers: { ...message.headers, authorization } });
  }
  return reply;
}

function sendOnce(call: Call, message: Message): Promise<DeviceReply & { headers: IncomingHttpHeaders }> {
  const { url, mayReach, answerMs } = call;
  const { method, path, body, headers } = message;
  return new Promise((resolve, reject) => {
    const silent = (cause?: unknown): void => reject(fail('ticker.device_silent', undefined, cause));
    const outgoing = http.request(
      {
        ...{ host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port || 80, method, path, agent: false },
        headers: {
          ...{ accept: 'application/json', connection: 'close', 'x-hearth': '1' },
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
        lookup: guardLookup(mayReach),
        signal: AbortSignal.timeout(body instanceof Uint8Array ? START_MS * 3 : answerMs),
      },
      (reply) => {
        const chunks: Buffer[] = [];
        let size = 0;
        reply.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > MAX_REPLY_BYTES) outgoing.destroy(new RangeError('The reply is too long.'));
          chunks.push(chunk);
        });
        reply.on('error', silent);
        reply.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const realm = /realm="([^"]*)"/.exec(reply.headers['www-authenticate'] ?? '')?.[1];
          resolve({ status: reply.statusCode ?? 0, body: jsonOrText(text), headers: reply.headers, realm });
        });
      },
    );
    outgoing.on('error', (error) =>
      (error as { code?: unknown }).code === 'ticker.address_refused' ? reject(error) : silent(error),
    );
    outgoing.end(body);
  });
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A name leads where its addresses lead: one that resolves to elsewhere (DNS rebinding) is refused when it is used. */
function guardLookup(mayReach: MayReach): LookupFunction {
  return (hostname, options, callback) => {
    lookUp(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return callback(error, '');
      const isAllowed = found.every(({ address, family }) =>
        mayReach(new URL(`http://${family === 6 ? `[${address}]` : address}`)),
      );
      if (!isAllowed || found.length === 0) return callback(fail('ticker.address_refused') as Error, '');
      if (options.all) return callback(null, found);
      callback(null, found[0]!.address, found[0]!.family);
    });
  };
}
