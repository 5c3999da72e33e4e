import { request, type IncomingHttpHeaders } from 'node:http';
import { expect } from 'vitest';
import type { Client } from './client.ts';

export interface DoorReply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

/**
 * Somebody outside the household, with the cookies of one browser. `address` is the one that a trusted proxy would
 * report.
 */
export class Recipient {
  readonly cookies = new Map<string, string>();
  /** The `Set-Cookie` headers of the last reply. */
  set: string[] = [];
  readonly url: string;
  readonly address: string;
  /** Sent with every request. */
  readonly headers: Record<string, string>;
  constructor(url: string, address: string = '203.0.113.1', headers: Record<string, string> = {}) {
    this.url = url;
    this.address = address;
    this.headers = headers;
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<DoorReply> {
    const { hostname, port } = new URL(this.url);
    const text = body === undefined ? '' : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          host: hostname,
          port,
          method,
          path,
          agent: false,
          headers: {
            'X-Requested-With': 'XMLHttpRequest',
            'X-Forwarded-For': this.address,
            ...(this.cookies.size > 0 && { cookie: this.cookie }),
            ...(text && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
            ...this.headers,
            ...headers,
          },
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
          incoming.on('end', () => {
            this.#keep(incoming.headers['set-cookie'] ?? []);
            const got = Buffer.concat(chunks).toString('utf8');
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text: got, body: parsed(got) });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(text);
    });
  }
  get = (path: string, headers?: Record<string, string>): Promise<DoorReply> =>
    this.call('GET', path, undefined, headers);
  post = (path: string, body?: unknown): Promise<DoorReply> => this.call('POST', path, body);

  #keep(set: string[]): void {
    this.set = set;
    for (const one of set) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

export interface OpenShare {
  id: string;
  token: string;
}

/** Requests a code for a share and reads it as its owner does. */
export async function readCode(owner: Client, recipient: Recipient, { id, token }: OpenShare): Promise<string> {
  const before = (await owner.get(`/api/shares/${id}/active-otp`)).body.active_otp?.code;
  expect((await recipient.post(`/api/share/${token}/request-otp`)).status).toBe(204);
  let code: string | undefined;
  await expect
    .poll(async () => {
      code = (await owner.get(`/api/shares/${id}/active-otp`)).body.active_otp?.code;
      return code !== undefined && code !== before;
    })
    .toBe(true);
  return code ?? '';
}

/** Lets a recipient in, or into the queue. */
export async function enter(owner: Client, recipient: Recipient, share: OpenShare): Promise<DoorReply> {
  const code = await readCode(owner, recipient, share);
  return recipient.post(`/api/share/${share.token}/verify-otp`, { code });
}
