import type { ErrorReference } from '../../../src-shared/contract/errors.ts';
import type { LiveMessage } from '../../../src-shared/contract/live.ts';
import type { PageText, PageTurn } from '../../../src-shared/medical/page.ts';
import type { Extraction, ReaderContext } from '../extraction/extraction.ts';

/** What the queue knows of a document before it is read. */
export interface DocumentToRead {
  id: number;
  patient_id: number | null;
  /** Relative to the vault. */
  file_path: string;
  mime_type: string;
  file_hash: string;
  file_size: number;
  original_filename: string;
  /** Clockwise rotations by a user, by page; they take precedence over detected ones. */
  page_turns: Record<string, PageTurn>;
  retry_count: number;
  context: ReaderContext;
}

export interface ReadOutcome {
  pages: PageText[];
  /** `builtin`, `tesseract_cli` …; null when no page needed OCR. */
  ocr_engine: string | null;
}

/** A page text as it is stored. */
export interface PackedPage {
  page: number;
  data: Buffer;
}

/** A file of the watched inbox that has become stable. */
export interface InboxFile {
  /** Relative to the vault: `inbox/elena-keller/scans/a.pdf`. */
  path: string;
  size: number;
}

/**
 * How the pipeline speaks of documents; the documents feature fills it. All calls are one transaction each, and
 * synchronous, unless they say otherwise.
 */
export interface DocumentStore {
  load(documentId: number): DocumentToRead | null;
  /** Status `processing`; clears the error of an earlier try. */
  started(documentId: number): void;
  /** Packs page texts beside the event loop; hundreds of pages would hold it up for long. */
  packPages(pages: readonly PageText[]): Promise<PackedPage[]>;
  /** Stores page texts, full text and counts. */
  saveReading(documentId: number, reading: ReadOutcome, packed: readonly PackedPage[]): void;
  /** Page texts as stored, for a job that repeats only the extraction. */
  loadPages(documentId: number): Promise<PageText[]>;
  /**
   * Stores fields, rows and names; what a person edited stays. Status is not touched. `provider` is the reader's
   * type, `pages` what it read.
   */
  saveExtraction(documentId: number, extraction: Extraction, provider: string, pages: readonly PageText[]): void;
  /** Moves the file to the place its fields ask for (journaled); returns the new path. */
  organize(documentId: number): string;
  /** The end: `done` or `needs_review` by the stored reasons. */
  finished(documentId: number): void;
  /** The end of a job that went wrong for good. */
  failed(documentId: number, error: ErrorReference, retryCount: number): void;
  /** Waits for another try, or for its turn after a stop. */
  backToPending(
    documentId: number,
    options: { error: ErrorReference | null; retryCount: number; processAt: string | null },
  ): void;
  cancelled(documentId: number): void;
  /**
   * Takes a file that is in the inbox into the vault: row, hash and job; a duplicate or unreadable file goes to the
   * trash.
   */
  adopt(file: InboxFile): Promise<void>;
  /** True when a row or journal entry already speaks of this path. */
  knows(path: string): boolean;
}

/** After a commit: tells who listens. */
export type Announce = (message: LiveMessage) => void;
