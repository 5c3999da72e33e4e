import type { ErrorReference, PlainErrorCode } from '../../../src-shared/contract/errors.ts';
import type { Extraction, ReaderContext } from '../extraction/extraction.ts';
import type { Language, PageText } from '../../../src-shared/medical/page.ts';

/** Why a provider failed. The list is closed, so that callers handle retry, fallback and giving up exhaustively. */
export type ProviderFailure =
  | 'unreachable'
  | 'refused'
  | 'too_large'
  | 'too_slow'
  | 'bad_answer'
  | 'cancelled'
  | 'unconfigured';

/** Expected failures of a tool are returned as values. The message of `code` tells the user what happened. */
export type Outcome<T> =
  | { ok: true; value: T }
  | ({ ok: false; reason: ProviderFailure } & (
      | { code: PlainErrorCode; params?: undefined }
      | (ErrorReference & { params: Record<string, string | number> })
    ));
export type FailedOutcome = Extract<Outcome<unknown>, { ok: false }>;

/** Why it failed, as it is stored and sent. */
export const errorOf = ({ code, params }: FailedOutcome): ErrorReference => ({ code, ...(params && { params }) });

/**
 * One prepared page: an upright, deskewed, evenly lit 8-bit gray image at about 300 dpi; `pixels` contains width ×
 * height bytes, row by row.
 */
export interface PageImage {
  pixels: Uint8Array;
  /** In pixels. */
  width: number;
  height: number;
}

/** What was read from a file. */
export interface ReadOutcome {
  pages: PageText[];
  /** `builtin`, `tesseract_cli` …; null if no page needed OCR. */
  ocr_engine: string | null;
}

/** OCR result of one page: words in reading order, with positions in fractions of the image. */
export interface OcrAnswer {
  words: PageText['words'];
}

export interface PageOptions {
  languages: readonly Language[];
  signal: AbortSignal;
  asBlock?: boolean;
  /** A part of the page that only shows its language and which way up it is. */
  isProbe?: boolean;
}

export interface OcrProvider {
  readonly type: string;
  /** Number of pages that it reads at the same time. */
  readonly concurrency: number;
  /**
   * Reads a page in one or, if the document mixes them, several languages. `asBlock` treats all lines as one block,
   * whatever gaps they have.
   */
  readPage(image: PageImage, options: PageOptions): Promise<Outcome<OcrAnswer>>;
  /** Frees the memory of workers that have nothing to do. */
  endIdle?(): Promise<void>;
  /** Stops worker threads and child processes. */
  close(): Promise<void>;
}

/** A reader that extracts fields from page texts: the built-in rules or a language model. */
export interface ReaderProvider {
  readonly type: string;
  extract(
    pages: readonly PageText[],
    context: ReaderContext,
    options: { signal: AbortSignal },
  ): Promise<Outcome<Extraction>>;
  close(): Promise<void>;
}
