import type { Request, Response } from 'express';
import type { LiveMessage } from '../../../src-shared/contract/live.ts';

/** Comment lines keep proxies and sleeping laptops from closing the stream. */
const HEARTBEAT_MS = 20_000;

/** Sends messages as server-sent events (WHATWG HTML, section 9.2) until the client disconnects. */
export function sendLive(
  req: Request,
  res: Response,
  subscribe: (send: (message: LiveMessage) => void) => () => void,
): Promise<void> {
  res.status(200).set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
  // A HEAD request would wait for the end of a stream that never ends.
  if (req.method === 'HEAD') {
    res.end();
    return Promise.resolve();
  }
  res.flushHeaders();
  res.write('retry: 2000\n\n');
  const unsubscribe = subscribe((message) => res.write(`data: ${JSON.stringify(message)}\n\n`));
  const heartbeat = setInterval(() => res.write(': still here\n\n'), HEARTBEAT_MS);
  return new Promise((resolve) => {
    req.once('close', () => {
      clearInterval(heartbeat);
      unsubscribe();
      resolve();
    });
  });
}
