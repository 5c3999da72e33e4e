import type { PageText, PageTurn } from '../../../../src-shared/medical/page.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { fail, Failure } from '../../../platform/kernel/errors.ts';
import type { LargeWork } from '../../../platform/kernel/large-work.ts';
import { createFairQueue } from '../../../platform/kernel/fair-queue.ts';
import { createWorkerPool, TaskTimeout, WorkerCrash } from '../../../platform/kernel/worker-pool.ts';
import type { OcrProvider, Outcome } from '../provider.ts';
import { readScan, textOf, type ScanDeps } from '../page/read-scan.ts';
import { createNumberReader } from '../numbers/number-reader.ts';
import type { InspectAnswer, LayerAnswer, PageLimits, PrepareAnswer } from '../page/requests.ts';
import { createPdfStream } from './pdf-stream.ts';
import type { Stamp, StampedPage, WatermarkRequest, WatermarkThreadData } from './requests.ts';

export { stampTime, type Stamp } from './requests.ts';

const PDF = 'application/pdf';
const MEBIBYTE = 2 ** 20;
/** Of the decoders of PDFs and HEIC photos. */
const WASM_BYTES = 384 * MEBIBYTE;
const HEAP_MEGABYTES = 160;
/** What the process may hold for a page of a PDF; it takes about 90 MiB by itself. */
const MAX_PAGE_BYTES = 280 * MEBIBYTE;
/** Images, and pages that need more, are decoded after other large work. */
const MAX_BYTES = 576 * MEBIBYTE;
const MAX_IDLE_BYTES = 240 * MEBIBYTE;
/** A page that takes longer is considered malicious. */
const TIMEOUT_MS = 30_000;
/** The process ends after this time without work. */
const IDLE_MS = 15_000;

export interface WatermarkDeps {
  clock: Clock;
  limits: PageLimits;
  /** Other work that holds much memory. */
  largeWork: LargeWork;
}

/** A stored file. */
export interface FileToStamp {
  /** Absolute. */
  path: string;
  mime: string;
  /** Clockwise rotations by a user, by page. */
  turns: Readonly<Record<string, PageTurn>>;
}

/** Who waits for a drawing. */
export interface Waiting {
  /** Readers have their turns by this name; without one, all that the household does for itself has the same. */
  line?: string | undefined;
  /** Gives a drawing up that has not begun. */
  signal?: AbortSignal | undefined;
}

interface StreamOptions {
  stamp: Stamp;
  /** In the place of a page that can't be drawn. */
  unreadable: string;
  signal: AbortSignal;
  line?: string;
  /** Called after each page. */
  onPage?: () => void;
}

/**
 * Makes the copies of files that leave the house. They are drawn anew: of the original only the picture of each page
 * remains, with the recipient's name and the time all over it.
 */
export interface Watermark {
  /** How many pages a file has, and as what it leaves: images as PNG, but as PDF if they have several pages. */
  describeCopy(file: FileToStamp, waiting?: Waiting): Promise<{ pages: number; type: 'application/pdf' | 'image/png' }>;
  /**
   * The bytes of a stamped PDF, one page at a time; a page is made when its bytes are requested. Errors of the first
   * page are thrown before the first bytes. A page of several that is damaged, and a later one that can't be drawn, is
   * replaced by `unreadable`, a sentence in the recipient's language.
   * @throws `upload.damaged`, `upload.encrypted`, `upload.too_many_pages`, `share.watermark_failed`
   */
  streamWatermarkedPdf(file: FileToStamp, options: StreamOptions): AsyncGenerator<Uint8Array, void>;
  /**
   * One stamped page as PNG, at most nine megapixels.
   * @throws `document.page_not_found`, and the errors of `streamWatermarkedPdf`
   */
  watermarkImage(file: FileToStamp, stamp: Stamp, options?: Waiting & { page?: number }): Promise<Uint8Array>;
  /**
   * A stamped copy of a picture that Hearth drew itself, such as a frame of an imaging study, as PNG.
   * @throws `share.watermark_failed`
   */
  watermarkPicture(picture: Uint8Array, stamp: Stamp, waiting?: Waiting): Promise<Uint8Array>;
  /** Whether a name can be stamped: no font draws some characters, and others leave no ink. */
  canStamp(label: string): Promise<boolean>;
  /** The text of a page that a reader of the page can see: hidden text, and the text behind a scan, is left out. */
  readVisibleText(
    file: FileToStamp,
    page: number,
    options: { ocr: Pick<OcrProvider, 'readPage'>; signal: AbortSignal; line?: string },
  ): Promise<Outcome<PageText>>;
  close(): Promise<void>;
}

type Ask = <T>(request: WatermarkRequest, waiting?: Waiting) => Promise<T>;

/** Draws and stamps pages in a process of its own, which ends when it takes too much memory or time. */
export function createWatermark({ clock, limits, largeWork }: WatermarkDeps): Watermark {
  const pool = createWorkerPool({
    ...{ script: new URL('./watermark-thread.ts', import.meta.url), clock, idleMs: IDLE_MS, size: 1 },
    workerData: { ...limits, wasmBytes: WASM_BYTES } satisfies WatermarkThreadData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    process: { maxBytes: MAX_BYTES, maxIdleBytes: MAX_IDLE_BYTES },
  });
  const numbers = createNumberReader({ clock, idleMs: IDLE_MS });
  const [turns, largeTurns] = [createFairQueue(), createFairQueue()];
  const ask: Ask = async <T>(request: WatermarkRequest, { line = '', signal }: Waiting = {}): Promise<T> => {
    const run = (maxBytes: number): Promise<T> =>
      turns.run(line, () => pool.run<T>(request, { timeoutMs: TIMEOUT_MS, maxBytes, waiting: signal }), signal);
    const runAlone = (): Promise<T> => largeTurns.run(line, () => largeWork.run(() => run(MAX_BYTES), signal), signal);
    const isImage = 'mime' in request && request.mime !== PDF;
    const answer = isImage ? runAlone() : run(MAX_PAGE_BYTES).catch(whenCrashed(runAlone));
    return answer.catch(throwFailure);
  };
  return {
    async describeCopy(file, waiting) {
      const pages = await countPages((request) => ask(request, waiting), file);
      return { pages, type: file.mime === PDF || pages > 1 ? PDF : 'image/png' };
    },
    streamWatermarkedPdf: (file, options) => streamPdf(ask, file, options),
    async watermarkImage(file, stamp, { page = 1, ...waiting } = {}) {
      const askInTurn: Ask = (request) => ask(request, waiting);
      // The first page of an image is there if the image can be decoded.
      const mayBeMissing = page > 1 || file.mime === PDF;
      return (await askForPage(askInTurn, file, stamp, { page, format: 'png', mayBeMissing })).data;
    },
    watermarkPicture: async (picture, stamp, waiting) =>
      (await ask<StampedPage>({ op: 'picture', picture, stamp }, waiting)).data,
    canStamp: (label) => ask<boolean>({ op: 'try_stamp', stamp: { label, at: clock.now() } }),
    readVisibleText: (file, page, { line, ...options }) =>
      readVisible((request) => ask(request, { line, signal: options.signal }), file, page, { ...options, numbers }),
    close: async () => void (await Promise.all([pool.close(), numbers.close()])),
  };
}

/** Tries once more if the process ended: a page needs more memory, or a file before had broken the process. */
const whenCrashed =
  <T>(again: () => Promise<T>) =>
  (error: unknown): Promise<T> => {
    if (error instanceof WorkerCrash) return again();
    throw error;
  };

/** Memory or time was not enough, or the decoder broke: nothing is sent. */
function throwFailure(error: unknown): never {
  if (error instanceof WorkerCrash || error instanceof TaskTimeout)
    throw fail('share.watermark_failed', undefined, error);
  throw error;
}

const countPages = async (ask: Ask, { path, mime }: FileToStamp): Promise<number> =>
  (await ask<InspectAnswer>({ op: 'inspect', path, mime })).pages;

const turnOf = ({ turns }: FileToStamp, page: number): PageTurn => turns[String(page)] ?? 0;

const askForPage = (
  ask: Ask,
  file: FileToStamp,
  stamp: Stamp,
  wanted: { page: number; format: 'jpeg' | 'png'; mayBeMissing: boolean },
): Promise<StampedPage> =>
  ask<StampedPage>({ op: 'page', path: file.path, mime: file.mime, turn: turnOf(file, wanted.page), stamp, ...wanted });

async function* streamPdf(
  ask: Ask,
  file: FileToStamp,
  { stamp, unreadable, signal, line, onPage }: StreamOptions,
): AsyncGenerator<Uint8Array, void> {
  const askInTurn: Ask = (request) => ask(request, { line, signal });
  const pages = await countPages(askInTurn, file);
  const pdf = createPdfStream();
  for (let page = 1; page <= pages; page += 1) {
    signal.throwIfAborted();
    const wanted = { page, format: 'jpeg', mayBeMissing: false } as const;
    const made = await askForPage(askInTurn, file, stamp, wanted).catch((error: unknown) => {
      signal.throwIfAborted();
      const code = error instanceof Failure ? error.code : null;
      const isReplaced = page > 1 ? code !== 'server.stopping' : pages > 1 && code === 'upload.damaged';
      if (!isReplaced) throw error;
      return askInTurn<StampedPage>({ op: 'notice', text: unreadable, stamp });
    });
    signal.throwIfAborted();
    yield* pdf.addPage(made);
    onPage?.();
  }
  yield* pdf.finish();
}

async function readVisible(
  ask: Ask,
  file: FileToStamp,
  page: number,
  { ocr, numbers, signal }: Pick<ScanDeps, 'ocr' | 'numbers' | 'signal'>,
): Promise<Outcome<PageText>> {
  const { path, mime, turns } = file;
  if (page > (await countPages(ask, file))) throw fail('document.page_not_found', { page });
  const turn = turns[String(page)] ?? null;
  if (mime === PDF && (turn ?? 0) === 0) {
    const { words, ...size } = await ask<LayerAnswer>({ op: 'visible_layer', path, page });
    if (words) {
      const known = { page, ...size, words, turn: 0, toDisplay: null, source: 'text_layer', confidence: 1 } as const;
      return { ok: true, value: { ...known, text: textOf(known) } };
    }
  }
  const prepare = (of: number, turned: PageTurn | null): Promise<PrepareAnswer> =>
    ask<PrepareAnswer>({ op: 'prepare', path, mime, page: of, turn: turned });
  return readScan({ ocr, numbers, prepare, signal }, page, turn, { languages: null });
}
