/**
 * A program that knows the specification and nothing of Hearth: it keeps cookies, sends `X-Requested-With`, and reads
 * JSON.
 */

// Answers are checked by the shapes of the specification.
type Json = any; // oxlint-disable-line typescript/no-explicit-any

export interface Answer {
  status: number;
  body: Json;
  headers: Headers;
}

export interface Sending {
  /** Sent as JSON. */
  body?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
}

export class Program {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #cookies = new Map<string, string>();

  constructor(url: string, headers: Record<string, string> = { 'X-Requested-With': 'XMLHttpRequest' }) {
    this.#url = url;
    this.#headers = headers;
  }

  async send(method: string, path: string, { body, form, headers = {} }: Sending = {}): Promise<Answer> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(this.#url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...this.#headers,
        ...(cookie !== '' && { cookie }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: form ?? (body === undefined ? null : JSON.stringify(body)),
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]?.split('=') ?? [];
      this.#cookies.set(name, value);
    }
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    const text = await response.text();
    return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
  }
}

/** A form with one file. */
export function fileForm(bytes: Uint8Array, name: string, fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append('file', new Blob([new Uint8Array(bytes)]), name);
  return form;
}
