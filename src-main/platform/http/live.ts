import type { Request, Response } from 'express';
import type { LiveMessage } from '../../../src-shared/contract/live.ts';

/** Comment lines keep proxies and sleeping laptops from closing the stream. */
const HEARTBEAT_MS = 20_000;

export interface LiveReply {
  /** Returns the function that ends the subscription. */
  subscribe(send: (message: LiveMessage) => void): () => void;
  /** Whether the caller may still listen; asked before each message and from time to time. */
  mayListen(): boolean;
}

/**
 * Sends messages as server-sent events (WHATWG HTML, section 9.2) until the client disconnects or may not listen any
 * more: a connection that stays open counts against the limit of connections.
 */
export function sendLive(req: Request, res: Response, { subscribe, mayListen }: LiveReply): Promise<void> {
  res.status(200).set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
  // A HEAD request would wait for the end of a stream that never ends.
  if (req.method === 'HEAD') {
    res.end();
    return Promise.resolve();
  }
  res.flushHeaders();
  res.write('retry: 2000\n\n');
  const write = (text: string): void => void (mayListen() ? res.write(text) : res.end());
  const unsubscribe = subscribe((message) => write(`data: ${JSON.stringify(message)}\n\n`));
  const heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS);
  return new Promise((resolve) => {
    res.once('close', () => {
      clearInterval(heartbeat);
      unsubscribe();
      resolve();
    });
  });
}
