/** A client of the API: keeps the session cookie, sends the required headers, returns status and body. */
export interface Answer<T = Record<string, never>> {
  status: number;
  body: T;
  headers: Headers;
}

// Bodies are looked at as they come; the contract walk checks their shapes.
type Json = any; // oxlint-disable-line typescript/no-explicit-any

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
    const text = await response.text();
    return { status: response.status, body: parse(text), headers: response.headers };
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
