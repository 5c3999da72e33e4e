import type { Request, Response } from 'express';
import type { Endpoint } from '../../../src-shared/contract/endpoint.ts';

/** Whether the client follows how the reply is made. */
export const followsParts = ({ parts }: Endpoint, { headers }: Request): boolean =>
  parts !== undefined && (headers.accept ?? '').includes('text/event-stream');

/** Sends one server-sent event (WHATWG HTML, 9.2); the first one begins the reply. */
export function sendEvent(res: Response, event: 'part' | 'reply', data: unknown): void {
  if (!res.headersSent)
    res
      .status(200)
      .set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
  res.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}
