import type { Client } from '../support/client.ts';
import type { Example } from './example-makers.ts';

export interface Sent {
  status: number;
  headers: Headers;
  text: string;
}

/** How much of a stream without end is looked at. */
const FIRST_EVENT = /\n\n[^]*\n\n/;

/** One request as a program sends it: JSON or multipart. Of a live stream, the first message is read. */
export async function send(
  client: Client,
  method: string,
  path: string,
  { body, file, cookie }: Omit<Example, 'path'>,
  headers: Record<string, string> = {},
): Promise<Sent> {
  const form = new FormData();
  if (file) form.append('file', new Blob([new Uint8Array(file)]), 'upload.pdf');
  const stop = new AbortController();
  const response = await fetch(client.url + path, {
    method,
    redirect: 'manual',
    signal: stop.signal,
    headers: {
      'X-Requested-With': 'XMLHttpRequest',
      ...((client.cookie || cookie) && { cookie: [client.cookie, cookie].filter(Boolean).join('; ') }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(file ? { body: form } : body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text =
    response.body && response.headers.get('content-type')?.startsWith('text/event-stream')
      ? await firstEvent(response)
      : await response.text();
  stop.abort();
  return { status: response.status, headers: response.headers, text };
}

async function firstEvent(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (FIRST_EVENT.test(text)) break;
  }
  return text;
}
