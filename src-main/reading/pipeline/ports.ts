import type { ErrorReference } from '../../../src-shared/contract/errors.ts';
import type { LiveMessage } from '../../../src-shared/contract/live.ts';
import type { PageText, PageTurn } from '../../../src-shared/medical/page.ts';
import type { Extraction, ReaderContext } from '../extraction/extraction.ts';
import type { ReadOutcome } from '../providers/provider.ts';

/** What the queue knows about a document before it is read. */
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

/** A page text as it is stored. */
export interface PackedPage {
  page: number;
  data: Buffer;
}

/** A file of the watched inbox whose size no longer changes. */
export interface InboxFile {
  /** Relative to the vault: `inbox/elena-keller/scans/a.pdf`. */
  path: string;
  size: number;
}

/** A folder of the inbox with an imaging disc, whose files no longer change. */
export interface InboxDisc {
  /** Relative to the vault. */
  path: string;
  files: readonly InboxFile[];
}

/**
 * The pipeline's interface to documents, implemented by the documents feature. Each call is one synchronous transaction
 * unless stated otherwise.
 */
export interface DocumentStore {
  load(documentId: number): DocumentToRead | null;
  /** Sets the status `processing` and clears the error of an earlier attempt. */
  markStarted(documentId: number): void;
  /** Compresses page texts in a thread; hundreds of pages would block the event loop. */
  packPages(pages: readonly PageText[]): Promise<PackedPage[]>;
  /** Stores page texts, full text and counts. */
  saveReading(documentId: number, reading: ReadOutcome, packed: readonly PackedPage[]): void;
  /** Loads the stored page texts, for a job that repeats only the extraction. */
  loadPages(documentId: number): Promise<PageText[]>;
  /**
   * Stores fields, rows and names, and preserves user edits. Does not change the status. `provider` is the type of the
   * reader, `pages` its input.
   */
  saveExtraction(documentId: number, extraction: Extraction, provider: string, pages: readonly PageText[]): void;
  /** Moves the file to the path that follows from its fields (journaled); returns the new path. */
  organize(documentId: number): string;
  /** Sets the final status, `done` or `needs_review`, according to the stored reasons. */
  markFinished(documentId: number): void;
  /** Sets the status of a job that failed permanently. */
  markFailed(documentId: number, error: ErrorReference, retryCount: number): void;
  /** Sets the status of a job that waits for a retry, or was returned to the queue by a stop. */
  markPending(
    documentId: number,
    options: { error: ErrorReference | null; retryCount: number; processAt: string | null },
  ): void;
  markCancelled(documentId: number): void;
  /**
   * Moves a file from the inbox into the vault: row, hash and job. A duplicate or unreadable file goes to the trash.
   */
  adopt(file: InboxFile): Promise<void>;
  /**
   * Does the same for the files of an imaging disc, which stay together: a folder with a DICOMDIR. What is not stored
   * goes to the trash.
   */
  adoptDisc(disc: InboxDisc): Promise<void>;
  /** Whether a row or journal entry refers to this path. */
  knows(path: string): boolean;
}

/** Notifies live listeners; call it after a commit. */
export type Announce = (message: LiveMessage) => void;
