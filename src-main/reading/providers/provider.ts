import type { PlainErrorCode } from '../../../src-shared/contract/errors.ts';
import type { Extraction, ReaderContext } from '../extraction/extraction.ts';
import type { Language, PageText } from '../../../src-shared/medical/page.ts';

/** Why a provider failed. A closed list, so that callers decide exhaustively between retry, fallback and giving up. */
export type ProviderFailure = 'unreachable' | 'refused' | 'too_large' | 'bad_answer' | 'cancelled' | 'unconfigured';

/** Expected failure of a tool is a value. The text of `code` tells the user what happened. */
export type Outcome<T> =
  | { ok: true; value: T; cost?: { amount: number; currency: string } }
  | { ok: false; reason: ProviderFailure; code: PlainErrorCode };

/**
 * One prepared page: an upright, deskewed, evenly lit 8-bit grey image at about 300 dpi; `pixels` holds width ×
 * height bytes, row by row.
 */
export interface PageImage {
  pixels: Uint8Array;
  /** Pixels. */
  width: number;
  height: number;
}

/** Result of OCR for one page: words in reading order, positioned in shares of the image. */
export interface OcrAnswer {
  words: PageText['words'];
}

export interface OcrProvider {
  readonly type: string;
  /** How many pages it reads at the same time. */
  readonly concurrency: number;
  /**
   * Languages to read with; several when the document mixes them. `asBlock`: lines of one block, whatever gaps they
   * have.
   */
  readPage(
    image: PageImage,
    options: { languages: readonly Language[]; signal: AbortSignal; asBlock?: boolean },
  ): Promise<Outcome<OcrAnswer>>;
  /** Stops worker threads and child processes. */
  close(): Promise<void>;
}

/** Anything that reads meaning from page texts: the built-in rules or a language model. */
export interface ReaderProvider {
  readonly type: string;
  extract(
    pages: readonly PageText[],
    context: ReaderContext,
    options: { signal: AbortSignal },
  ): Promise<Outcome<Extraction>>;
  close(): Promise<void>;
}
