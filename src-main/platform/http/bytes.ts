import { once } from 'node:events';
import type { Request, Response } from 'express';
import { fail } from '../kernel/errors.ts';
import { fileKeyFor } from '../kernel/process-keys.ts';
import { openVaultFile } from '../vault/vault-files.ts';
import type { Content } from '../sealed/sealed-file.ts';
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
  | RangedReply
  | StreamedReply;

/** A file that is decrypted while it is sent: nothing of it is written to disk. Never cached. */
export interface RangedReply {
  kind: 'ranged';
  type: string;
  size: number;
  filename: string;
  /** Reads bytes of [start, end). */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** A file that is made while it is sent, for somebody who may lose access meanwhile. Never cached, always whole. */
export interface StreamedReply {
  kind: 'streamed';
  type: string;
  /** Downloaded under this name; shown without one. */
  filename?: string;
  /** Begins to make the file; an error before the first bytes is the reply. */
  open(): Promise<AsyncIterable<Uint8Array>>;
  /** Asked from time to time; once it returns false, the connection ends. */
  isAllowed(): boolean;
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
  if (reply.kind === 'streamed') return sendStreamed(req, res, reply);
  setHeaders(res, reply.etag, reply.type);
  const disposition = INLINE_TYPES.has(reply.type) ? reply.disposition : 'attachment';
  res.setHeader('Content-Disposition', contentDisposition(disposition, reply.filename));
  if (fileKeyFor(reply.path) !== null) return sendSealed(req, res, reply);
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

/** Sends a file of an encrypted vault; only the chunks that are asked for are read. */
async function sendSealed(req: Request, res: Response, reply: BytesReply & { kind: 'file' }): Promise<void> {
  try {
    if (req.fresh) return void res.status(304).end();
    const content = openOrMissing(reply.path);
    try {
      const { 'if-range': condition, range: wanted } = req.headers;
      const isCurrent = condition === undefined || condition === `"${reply.etag}"`;
      const range = isCurrent ? requestedRange(wanted, content.size) : 'whole';
      res.setHeader('Accept-Ranges', 'bytes');
      if (range === 'unsatisfiable') {
        res.setHeader('Content-Range', `bytes */${content.size}`);
        return void res.status(416).end();
      }
      await sendContent(req, res, content, range === 'whole' ? null : range);
    } finally {
      content.close();
    }
  } finally {
    reply.release?.();
  }
}

function openOrMissing(path: string): Content {
  try {
    return openVaultFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw fail('document.file_missing');
    throw error;
  }
}

async function sendContent(
  req: Request,
  res: Response,
  content: Content,
  range: { start: number; end: number } | null,
): Promise<void> {
  const { start, end } = range ?? { start: 0, end: content.size };
  if (range) {
    res.status(206);
    res.setHeader('Content-Range', `bytes ${start}-${end - 1}/${content.size}`);
  }
  res.setHeader('Content-Length', end - start);
  if (req.method === 'HEAD') return void res.end();
  const clientAbort = new AbortController();
  res.once('close', () => clientAbort.abort());
  for (let at = start; at < end && !clientAbort.signal.aborted;) {
    const piece = Buffer.alloc(Math.min(SEALED_PIECE, end - at));
    at += content.readSync(piece, 0, piece.length, at);
    if (!res.write(piece)) await once(res, 'drain', { signal: clientAbort.signal }).catch(() => undefined);
  }
  res.end();
}

/** Four chunks, so that one client does not hold up the others. */
const SEALED_PIECE = 256 * 1024;

/** The client disconnected during the transfer. */
const isHangUp = (error: Error): boolean =>
  ['ECONNABORTED', 'ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');

/** Number of bytes that are read at once. */
const PIECE = 1024 * 1024;
/** Pieces that are read while another one is sent. */
const PIECES_AHEAD = 2;

async function sendRanged(req: Request, res: Response, reply: RangedReply): Promise<void> {
  const clientAbort = new AbortController();
  res.once('close', () => clientAbort.abort());
  // These replies have no validator that an If-Range could match.
  const range = req.headers['if-range'] === undefined ? requestedRange(req.headers.range, reply.size) : 'whole';
  if (range === 'unsatisfiable') {
    setRangedHeaders(res, reply);
    res.setHeader('Content-Range', `bytes */${reply.size}`);
    return void res.status(416).end();
  }
  const { start, end } = range === 'whole' ? { start: 0, end: reply.size } : range;
  const pieces = readPieces(reply, start, end);
  // If the first piece can't be read, the reply is an error instead of an interrupted file.
  const first = req.method === 'HEAD' ? undefined : await pieces.next();
  setRangedHeaders(res, reply);
  if (range !== 'whole') {
    res.status(206);
    res.setHeader('Content-Range', `bytes ${start}-${end - 1}/${reply.size}`);
  }
  res.setHeader('Content-Length', end - start);
  try {
    for (let piece = first; piece && !piece.done && !clientAbort.signal.aborted; piece = await pieces.next())
      if (!res.write(piece.value)) await once(res, 'drain', { signal: clientAbort.signal }).catch(() => undefined);
  } finally {
    await pieces.return(undefined);
  }
  res.end();
}

function setRangedHeaders(res: Response, { type, filename }: RangedReply): void {
  res.setHeader('Content-Type', type);
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Accept-Ranges', 'bytes');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  if (type !== 'application/pdf') res.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
  const disposition = INLINE_TYPES.has(type) ? 'inline' : 'attachment';
  res.setHeader('Content-Disposition', contentDisposition(disposition, filename));
}

/** How often a stream asks whether it may go on, also while the client does not read. */
const PERMISSION_MS = 250;

async function sendStreamed(
  req: Request,
  res: Response,
  { type, filename, open, isAllowed }: StreamedReply,
): Promise<void> {
  const ended = new AbortController();
  const permission = setInterval(() => {
    if (!isAllowed()) res.destroy();
  }, PERMISSION_MS);
  res.once('close', () => {
    clearInterval(permission);
    ended.abort();
  });
  const chunks = req.method === 'HEAD' ? [] : await open();
  res.setHeader('Content-Type', type);
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader(
    'Content-Disposition',
    filename === undefined ? 'inline; filename=""' : contentDisposition('attachment', filename),
  );
  if (type !== 'application/pdf') res.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
  for await (const chunk of chunks) {
    if (!ended.signal.aborted && !isAllowed()) res.destroy();
    if (ended.signal.aborted || res.destroyed) return;
    if (!res.write(chunk)) await once(res, 'drain', { signal: ended.signal }).catch(() => undefined);
  }
  res.end();
}

/** Yields the bytes of [start, end) in pieces and reads the next ones ahead. */
async function* readPieces({ read }: RangedReply, start: number, end: number): AsyncGenerator<Uint8Array, undefined> {
  const pending: Promise<Uint8Array>[] = [];
  let next = start;
  const request = (count: number): void => {
    for (; pending.length < count && next < end; next += PIECE) {
      const piece = read(next, Math.min(end, next + PIECE));
      // A client that disconnects never awaits the pending pieces: their errors must not be unhandled.
      piece.catch(() => undefined);
      pending.push(piece);
    }
  };
  // The first piece is not delayed by others.
  request(1);
  for (let first = pending.shift(); first !== undefined; first = pending.shift()) {
    const piece = await first;
    request(PIECES_AHEAD);
    yield piece;
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

/** Characters that reverse the text after them, so that `gpj.exe` looks like `exe.jpg` (Unicode TR 36, 2.5). */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** RFC 6266 with an ASCII fallback; line breaks, quotes and marks of direction never reach the header. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const filename = name.replace(DIRECTION_MARKS, '');
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
