import { once } from 'node:events';
import type { Request, Response } from 'express';
import { fail } from '../kernel/errors.ts';
import { requestedRange } from './requested-range.ts';

/**
 * The reply of a `bytes` handler: a file of the vault, or a small image that is rendered only if the client has no
 * current copy.
 */
export type BytesReply =
  | {
      kind: 'file';
      path: string;
      type: string;
      /** Strong ETag without quotes. */ etag: string;
      filename: string;
      disposition: 'inline' | 'attachment';
      /** Called once, when the file was sent or the client disconnected. */ release?: () => void;
    }
  | { kind: 'made'; etag: string; make(): Promise<{ data: Uint8Array; type: string }> }
  | RangedReply;

/**
 * A file that is decrypted on demand: ranges are read directly, the whole file is first written to disk. Never cached.
 */
export interface RangedReply {
  kind: 'ranged';
  type: string;
  size: number;
  filename: string;
  /** The whole content as a file; `release` is called once, when it was sent or the client disconnected. */
  openAsFile(signal: AbortSignal): Promise<{ path: string; release(): Promise<void> }>;
  /** Reads bytes of [start, end). */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** Types that browsers display without executing anything; all others are downloaded (ASVS 3.2.1). */
const INLINE_TYPES = new Set([
  'application/pdf',
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/avif',
  'image/tiff',
  'image/heic',
  'image/heif',
]);

/** Sends bytes with Range, ETag and conditional requests (RFC 9110); no sniffing, no shared caches. */
export async function sendBytes(req: Request, res: Response, reply: BytesReply): Promise<void> {
  if (reply.kind === 'made') return sendMade(req, res, reply);
  if (reply.kind === 'ranged') return sendRanged(req, res, reply);
  setHeaders(res, reply.etag, reply.type);
  const disposition = INLINE_TYPES.has(reply.type) ? reply.disposition : 'attachment';
  res.setHeader('Content-Disposition', contentDisposition(disposition, reply.filename));
  return new Promise<void>((resolve, reject) => {
    res.sendFile(
      reply.path,
      { etag: false, lastModified: false, cacheControl: false, acceptRanges: true, dotfiles: 'allow' },
      (error) => {
        const code = error as (NodeJS.ErrnoException & { status?: number }) | undefined;
        if (!code || isHangUp(code)) return resolve();
        if (code.code === 'ENOENT' || code.status === 404) return reject(fail('document.file_missing'));
        if (code.status === 416) {
          res.status(416).end();
          return resolve();
        }
        reject(code);
      },
    );
  }).finally(() => reply.release?.());
}

/** The client disconnected during the transfer. */
const isHangUp = (error: Error): boolean =>
  ['ECONNABORTED', 'ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');

/** Number of bytes of a range that are read at once. */
const PIECE = 1024 * 1024;

async function sendRanged(req: Request, res: Response, reply: RangedReply): Promise<void> {
  const clientAbort = new AbortController();
  res.once('close', () => clientAbort.abort());
  res.setHeader('Content-Type', reply.type);
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Accept-Ranges', 'bytes');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  if (reply.type !== 'application/pdf') res.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
  res.setHeader(
    'Content-Disposition',
    contentDisposition(INLINE_TYPES.has(reply.type) ? 'inline' : 'attachment', reply.filename),
  );
  // These replies have no validator that an If-Range could match.
  const range = req.headers['if-range'] === undefined ? requestedRange(req.headers.range, reply.size) : 'whole';
  if (range === 'unsatisfiable') {
    res.setHeader('Content-Range', `bytes */${reply.size}`);
    return void res.status(416).end();
  }
  if (range !== 'whole') {
    res.status(206);
    res.setHeader('Content-Range', `bytes ${range.start}-${range.end - 1}/${reply.size}`);
  }
  res.setHeader('Content-Length', range === 'whole' ? reply.size : range.end - range.start);
  if (req.method === 'HEAD') return void res.end();
  return range === 'whole'
    ? sendWhole(res, reply, clientAbort.signal)
    : sendPieces(res, reply, range.start, range.end, clientAbort.signal);
}

async function sendPieces(
  res: Response,
  { read }: RangedReply,
  start: number,
  end: number,
  gone: AbortSignal,
): Promise<void> {
  for (let at = start; at < end && !gone.aborted; at += PIECE) {
    const piece = await read(at, Math.min(end, at + PIECE));
    // A disconnect ends the wait.
    if (!gone.aborted && !res.write(piece)) await once(res, 'drain', { signal: gone }).catch(() => undefined);
  }
  res.end();
}

async function sendWhole(res: Response, { openAsFile }: RangedReply, gone: AbortSignal): Promise<void> {
  const { path, release } = await openAsFile(gone);
  try {
    if (gone.aborted) return;
    await new Promise<void>((resolve, reject) => {
      res.sendFile(
        path,
        { etag: false, lastModified: false, cacheControl: false, acceptRanges: false, dotfiles: 'allow' },
        (error) => (error && !gone.aborted && !isHangUp(error) ? reject(error) : resolve()),
      );
    });
  } finally {
    await release();
  }
}

async function sendMade(req: Request, res: Response, { etag, make }: BytesReply & { kind: 'made' }): Promise<void> {
  res.setHeader('ETag', `"${etag}"`);
  res.setHeader('Cache-Control', 'private, no-cache');
  if (req.fresh) return void res.status(304).end();
  const { data, type } = await make().catch((error: unknown) => {
    res.removeHeader('ETag');
    throw error;
  });
  setHeaders(res, etag, type);
  res.send(Buffer.from(data));
}

function setHeaders(res: Response, etag: string, type: string): void {
  res.setHeader('ETag', `"${etag}"`);
  res.setHeader('Cache-Control', 'private, no-cache');
  res.setHeader('Content-Type', type);
  if (type !== 'application/pdf') res.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
}

/** RFC 6266 with an ASCII fallback; line breaks and quotes never reach the header. */
export function contentDisposition(kind: 'inline' | 'attachment', filename: string): string {
  const ascii = filename
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]/g, '_')
    .replace(/["\\]/g, '_');
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
