import { statSync } from 'node:fs';
import type { BytesReply } from '../../platform/http/bytes.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { fail, Failure } from '../../platform/kernel/errors.ts';
import { DOCUMENT_FOLDERS, FOLDERS } from '../../platform/vault/layout.ts';
import { lstatOrNull } from '../../platform/vault/paths.ts';
import type { FrameOptions, FrameRenderer } from '../../reading/dicom/render.ts';
import { throwUndecodable } from '../../reading/dicom/throw-undecodable.ts';
import {
  stampTime,
  type FileToStamp,
  type Stamp,
  type Watermark,
} from '../../reading/providers/watermark/watermark.ts';
import type { Visitor } from './audit-repository.ts';
import type { RecordRepository, SharedFile } from './record-repository.ts';
import { createPageCache, type PageCache } from './page-cache.ts';
import type { OpenSession } from './seat-repository.ts';
import type { Seats } from './seats.ts';
import type { ShareAudit } from './share-audit.ts';

/** In the place of a page that can't be drawn. */
export const UNREADABLE = {
  en: 'This page could not be shown.',
  de: 'Diese Seite konnte nicht angezeigt werden.',
} as const;

/** A recipient who looks at a file. */
export interface Viewer {
  session: OpenSession;
  visitor: Visitor;
  language: keyof typeof UNREADABLE;
  /** Aborted when the recipient disconnects. */
  signal: AbortSignal;
}

/** Copies that are made for a session at the same time; its page asks for one after the other. */
const MAX_COPIES_OF_SESSION = 12;

export interface SharedFileDeps {
  records: RecordRepository;
  watermark: Watermark;
  /** Draws frames of imaging studies. */
  renderer: Pick<FrameRenderer, 'renderFrame'>;
  resolve(path: string): string;
  seats: Seats;
  audit: ShareAudit;
  clock: Clock;
}

interface Deps extends SharedFileDeps {
  /** How many copies are being made for a session. */
  making: Map<number, number>;
  /** Pages and frames that were sent a short time ago. */
  pages: PageCache;
}

/** Files of a share as recipients see them: drawn anew and stamped, as long as their session lasts. */
export const createSharedFiles = (dependencies: SharedFileDeps) => {
  const deps: Deps = { ...dependencies, making: new Map(), pages: createPageCache(dependencies) };
  return bindFirst(deps, { copy: copyOfFile, page: copyOfPage, frame: copyOfFrame, regionThumbnail: copyOfRegion });
};

const stampFor = ({ clock }: Deps, { session }: Viewer): Stamp => ({
  label: session.recipient_label,
  at: clock.now(),
});

/** Each share has its turn, so that whoever asks for much does not hold up the recipients of others. */
const lineOf = ({ session }: Viewer): string => session.share_id;

/** Whether the session goes on and the document is still in the share. */
const isReadable = (
  { seats, records }: Pick<SharedFileDeps, 'seats' | 'records'>,
  id: number,
  { session }: Viewer,
): boolean => seats.isOpen(session.rowid) && records.has(session.share_id, id);

/**
 * The file of a document of a share, to be drawn.
 * @throws `document.not_found`, `document.file_missing`, `share.file_not_showable`
 */
export function requireFile(
  { records, resolve }: Pick<SharedFileDeps, 'records' | 'resolve'>,
  id: number,
  shareId: string,
): FileToStamp {
  if (!records.has(shareId, id)) throw fail('document.not_found');
  const file = records.file(shareId, id);
  if (!file) throw fail('document.file_missing');
  return fileToStamp(resolve, file);
}

/** @throws `document.file_missing`, `share.file_not_showable` */
export function fileToStamp(
  resolve: (path: string) => string,
  { file_path, mime_type: mime, page_turns: turns }: SharedFile,
): FileToStamp {
  if (mime !== 'application/pdf' && !mime.startsWith('image/')) throw fail('share.file_not_showable');
  return { path: pathOf(resolve, file_path, DOCUMENT_FOLDERS), mime, turns };
}

/** Only files of these folders leave, never the database or its key, whatever path a row contains. */
function pathOf(resolve: (path: string) => string, path: string, folders: readonly string[]): string {
  const absolute = resolve(path);
  if (!folders.some((folder) => path.startsWith(`${folder}/`)) || !lstatOrNull(absolute)?.isFile())
    throw fail('document.file_missing');
  return absolute;
}

async function copyOfFile(deps: Deps, id: number, viewer: Viewer): Promise<BytesReply> {
  const { watermark } = deps;
  const file = requireFile(deps, id, viewer.session.share_id);
  const line = lineOf(viewer);
  const { type } = await recorded(deps, id, viewer, () =>
    watermark.describeCopy(file, { line, signal: viewer.signal }),
  );
  const stamp = stampFor(deps, viewer);
  const { language, signal } = viewer;
  if (type === 'image/png')
    return streamed(deps, id, viewer, type, () => watermark.watermarkImage(file, stamp, { line, signal }));
  return streamed(deps, id, viewer, type, async () => {
    const pages = watermark.streamWatermarkedPdf(file, { stamp, unreadable: UNREADABLE[language], line, signal });
    // Errors of the first page are the reply.
    const first = await pages.next();
    return first.done ? [] : precededBy(first.value, pages);
  });
}

async function* precededBy(
  first: Uint8Array,
  rest: AsyncGenerator<Uint8Array, void>,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return();
  }
}

function copyOfPage(deps: Deps, id: number, page: number, viewer: Viewer): BytesReply {
  const file = requireFile(deps, id, viewer.session.share_id);
  return streamed(deps, id, viewer, 'image/png', () =>
    drawnOnce(deps, id, viewer, { path: file.path, of: [page, file.turns[String(page)] ?? 0] }, (stamp) =>
      deps.watermark.watermarkImage(file, stamp, { page, line: lineOf(viewer), signal: viewer.signal }),
    ),
  );
}

/**
 * A picture that is stamped with the minute, drawn once in it for a session: whoever turns back does not wait again, and
 * nobody else either.
 */
function drawnOnce(
  deps: Deps,
  id: number,
  viewer: Viewer,
  { path, of }: { path: string; of: readonly unknown[] },
  make: (stamp: Stamp) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const { size, mtimeMs } = statSync(path);
  const stamp = stampFor(deps, viewer);
  const key = JSON.stringify([viewer.session.rowid, stamp.label, stampTime(stamp.at), path, size, mtimeMs, ...of]);
  return deps.pages.draw(
    key,
    () => isReadable(deps, id, viewer),
    () => make(stamp),
  );
}

/** A frame is at least as large that there is room for a name, and at most as large as screens. */
const [LEAST_FRAME_SIDE, MOST_FRAME_SIDE] = [512, 2048];

/** A frame of an imaging study as a picture: neither its values nor its object leave. */
function copyOfFrame(
  deps: Deps,
  id: number,
  { window, ...place }: { seriesId: number; index: number; window: Pick<FrameOptions, 'windowCenter' | 'windowWidth'> },
  viewer: Viewer,
): BytesReply {
  const { records, renderer, resolve, watermark } = deps;
  const shareId = viewer.session.share_id;
  if (!records.has(shareId, id)) throw fail('document.not_found');
  const found = records.frame(shareId, id, place);
  if (found === null) throw fail('imaging.frame_not_found');
  const path = pathOf(resolve, found.path, DOCUMENT_FOLDERS);
  const options = { ...window, minSide: LEAST_FRAME_SIDE, maxSide: MOST_FRAME_SIDE };
  const { signal } = viewer;
  return streamed(deps, id, viewer, 'image/png', () =>
    drawnOnce(deps, id, viewer, { path, of: ['frame', found.frame, window] }, async (stamp) => {
      const drawn = await renderer.renderFrame(path, found.frame, options, signal).catch(throwUndecodable);
      return watermark.watermarkPicture(drawn, stamp, { line: lineOf(viewer), signal });
    }),
  );
}

function copyOfRegion(deps: Deps, id: number, regionId: number, viewer: Viewer): BytesReply {
  const { records, resolve, watermark } = deps;
  const shareId = viewer.session.share_id;
  const path = records.has(shareId, id) ? records.regionPath(shareId, id, regionId) : null;
  if (path === null) throw fail('document.not_found');
  const file = { path: pathOf(resolve, path, [FOLDERS.cache]), mime: 'image/png', turns: {} };
  const { signal } = viewer;
  return streamed(deps, id, viewer, 'image/png', () =>
    watermark.watermarkImage(file, stampFor(deps, viewer), { line: lineOf(viewer), signal }),
  );
}

/** A copy that is made when it is sent, and that ends with the session. */
function streamed(
  deps: Deps,
  id: number,
  viewer: Viewer,
  type: string,
  make: () => Promise<Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>>,
): BytesReply {
  return {
    kind: 'streamed',
    type,
    isAllowed: () => isReadable(deps, id, viewer),
    open: () =>
      recorded(deps, id, viewer, async () => {
        const release = takeTurn(deps, viewer);
        try {
          const made = await make();
          return toChunks(made instanceof Uint8Array ? [made] : made, release);
        } catch (error) {
          release();
          throw error;
        }
      }),
  };
}

/**
 * Counts a copy that is made for a session; the returned function ends it, once.
 * @throws `share.too_many_requests`
 */
function takeTurn({ making }: Deps, { session: { rowid }, signal }: Viewer): () => void {
  const count = making.get(rowid) ?? 0;
  if (count >= MAX_COPIES_OF_SESSION) throw fail('share.too_many_requests');
  making.set(rowid, count + 1);
  let isDone = false;
  const release = (): void => {
    if (isDone) return;
    isDone = true;
    const left = (making.get(rowid) ?? 1) - 1;
    if (left > 0) making.set(rowid, left);
    else making.delete(rowid);
  };
  // Whoever leaves does not read to the end.
  signal.addEventListener('abort', release, { once: true });
  return release;
}

async function* toChunks(
  parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  release: () => void,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* parts;
  } finally {
    release();
  }
}

/** Does something for a viewer; the trail says when it failed, and why. */
export async function recorded<T>(
  { audit }: Pick<SharedFileDeps, 'audit'>,
  id: number,
  viewer: Viewer,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { session, visitor, signal } = viewer;
    // Whoever leaves has not been refused anything.
    if (signal.aborted) throw fail('request.aborted');
    audit.record({
      shareId: session.share_id,
      action: 'view_file_failed',
      visitor,
      documentId: id,
      sessionId: session.rowid,
      details: { code: error instanceof Failure ? error.code : 'server.internal_error' },
    });
    throw error;
  }
}
