import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** The ways in which a source misbehaves. */
export type Fault =
  | { kind: 'hang' }
  | { kind: 'reset' }
  | { kind: 'garbage' }
  | { kind: 'truncated' }
  | { kind: 'drip'; everyMs: number }
  | { kind: 'huge'; bytes: number }
  | { kind: 'chunked' }
  | { kind: 'status'; status: number; retryAfter?: number }
  | { kind: 'redirect'; to: string };

const HUGE_PIECE = 16 * 1024;

/** Responds as the fault says, or correctly without one. `done` resolves when the reader leaves a slow response. */
export async function answer(response: ServerResponse, body: string, fault?: Fault): Promise<void> {
  const type = { 'content-type': 'application/json; charset=utf-8' };
  const bytes = Buffer.from(body);
  switch (fault?.kind) {
    case undefined:
      response.writeHead(200, { ...type, 'content-length': bytes.length }).end(bytes);
      return;
    case 'hang':
      return;
    case 'reset':
      response.socket?.destroy();
      return;
    case 'garbage':
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><title>Maintenance</title>{"price": [[[,,,');
      return;
    case 'truncated':
      response.writeHead(200, { ...type, 'content-length': bytes.length });
      response.write(bytes.subarray(0, bytes.length >> 1), () => response.socket?.destroy());
      return;
    case 'chunked':
      response.writeHead(200, { ...type, 'transfer-encoding': 'chunked' });
      for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7));
      response.end();
      return;
    case 'drip':
      response.writeHead(200, { ...type, 'content-length': bytes.length });
      for (let at = 0; at < bytes.length && !response.destroyed; at += 1) {
        response.write(bytes.subarray(at, at + 1));
        await new Promise((resolve) => setTimeout(resolve, fault.everyMs));
      }
      response.end();
      return;
    case 'huge': {
      response.writeHead(200, type);
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      const filler = Buffer.alloc(HUGE_PIECE, ' ');
      for (let sent = 0; sent < fault.bytes && !response.destroyed; sent += filler.length) {
        if (!response.write(filler)) await once(response, 'drain', { signal: gone.signal }).catch(() => undefined);
      }
      response.end(bytes);
      return;
    }
    case 'status':
      response
        .writeHead(fault.status, {
          ...type,
          ...(fault.retryAfter !== undefined && { 'retry-after': String(fault.retryAfter) }),
        })
        .end('{}');
      return;
    case 'redirect':
      response.writeHead(302, { location: fault.to }).end();
      return;
  }
}
