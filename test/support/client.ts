import { setImmediate as nextTurn } from 'node:timers/promises';
import type { z } from 'zod';
import type { Endpoint } from '../../src-shared/contract/endpoint.ts';
import { contract } from '../../src-shared/contract/index.ts';

/** Whether a schema accepts what it returns: one that transforms its input does not. */
function acceptsItsOutput(schema: z.core.$ZodType, outer: readonly z.core.$ZodType[] = []): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'pipe' || def.type === 'transform') return false;
  // A check can be the schema itself, and a part of it can contain it.
  const { checks: _checks, ...parts } = def;
  const inner = def.type === 'object' ? Object.values(def.shape) : Object.values(parts).flat();
  const within = [...outer, schema];
  return inner.every((part: unknown) => !isSchema(part) || within.includes(part) || acceptsItsOutput(part, within));
}
const isSchema = (part: unknown): part is z.core.$ZodType =>
  typeof part === 'object' && part !== null && '_zod' in part;

/** The replies of the API by method and address. */
const REPLIES = Object.values(contract)
  .flatMap((area) => Object.values<Endpoint>(area))
  .sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
  .map(({ method, path, reply }) => ({
    method,
    path: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    schema: typeof reply === 'object' && acceptsItsOutput(reply) ? reply : null,
  }));

/** Throws if a successful reply does not fit its schema: the core itself sends what its handlers return. */
function requireDeclaredReply(method: string, path: string, body: unknown): void {
  const address = path.split('?')[0] ?? '';
  const declared = REPLIES.find((one) => one.method === method && one.path.test(address));
  const issues = declared?.schema?.safeParse(body).error?.issues ?? [];
  const [issue] = issues;
  if (issue) throw new Error(`${method} ${address} does not fit its schema: ${issue.path.join('.')}: ${issue.message}`);
}

/** A client of the API: keeps the session cookie, sends the required headers, returns status and body. */
export interface Answer<T = Record<string, never>> {
  status: number;
  body: T;
  headers: Headers;
}

// Bodies are looked at as they come; the contract walk checks their shapes.
export type Json = any; // oxlint-disable-line typescript/no-explicit-any

export class Client {
  readonly url: string;
  cookie = '';
  constructor(url: string) {
    this.url = url;
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<Json>> {
    const isForm = body instanceof FormData;
    // A test that packed its files for longer than the core keeps a connection must see first that it was closed.
    await nextTurn();
    await nextTurn();
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        'X-Requested-With': 'XMLHttpRequest',
        ...(this.cookie && { cookie: this.cookie }),
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const set = response.headers.get('set-cookie');
    if (set) this.cookie = set.split(';')[0] ?? '';
    const answer = { status: response.status, body: parse(await response.text()), headers: response.headers };
    if (response.ok) requireDeclaredReply(method, path, answer.body);
    return answer;
  }
  get = (path: string, headers?: Record<string, string>): Promise<Answer<Json>> =>
    this.call('GET', path, undefined, headers);
  post = (path: string, body: unknown = {}): Promise<Answer<Json>> => this.call('POST', path, body);

  upload(bytes: Uint8Array, name: string, patient: number | null = 1): Promise<Answer<Json>> {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)]), name);
    return this.call('POST', `/api/documents/upload${patient === null ? '' : `?patient_id=${patient}`}`, form);
  }

  /** Uploads a file that is in the trash as a new document. */
  uploadAsNew(bytes: Uint8Array, name: string, patient: number): Promise<Answer<Json>> {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)]), name);
    return this.call('POST', `/api/documents/upload?patient_id=${patient}&as_new=1`, form);
  }

  /** Creates the administrator and the first patient. */
  setup(patient: string = 'Elena Keller', birth: string | null = '1979-05-09'): Promise<Answer<Json>> {
    return this.post('/api/setup/complete', {
      username: 'ann',
      password: 'correct horse battery',
      patient_name: patient,
      patient_date_of_birth: birth,
    });
  }

  /** Resolves when nothing is being read and nothing waits; throws when that takes too long. */
  async idle(seconds: number = 90): Promise<void> {
    for (let tries = seconds * 5; tries > 0; tries -= 1) {
      const { body } = await this.get('/api/pipeline/status');
      if (body.current_job === null && body.queue_depth === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    throw new Error(
      `still reading after ${seconds} s: ${JSON.stringify((await this.get('/api/pipeline/status')).body)}`,
    );
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
