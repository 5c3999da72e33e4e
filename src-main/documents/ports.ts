import type { PageText, PageTurn } from '../../src-shared/medical/page.ts';

/** A picture made for showing. */
export interface Picture {
  data: Uint8Array;
  type: string;
}

/** What the documents feature needs of page reading; worker threads stand behind it. Paths are absolute. */
export interface PageTools {
  /** Opens the file and says how many pages it has. Throws `upload.damaged`, `upload.encrypted`, `upload.too_many_pages`, `upload.too_many_pixels`, `upload.empty`. */
  inspect(path: string, mime: string): Promise<{ pages: number }>;
  /** A page as a person sees it, turned clockwise by `turn`, at most `width` pixels wide. Null when there is no such page. */
  pageImage(path: string, mime: string, page: number, width: number, turn: PageTurn): Promise<Picture | null>;
  /** The first page in 320 pixels. */
  thumbnail(path: string, mime: string, turn: PageTurn): Promise<Picture>;
}

/** What the documents feature needs of the queue. */
export interface ReadingQueue {
  /** Joins a running transaction. */
  enqueue(job: {
    kind: 'upload' | 'reprocess';
    documentId: number;
    size: number;
    priority?: number;
    options?: Record<string, unknown>;
    notBefore?: string | null;
  }): void;
  /** True when the document waited or was being read. */
  cancel(documentId: number): boolean;
  /** Looks for work now; called after the transaction. */
  wake(): void;
  isReading(documentId: number): boolean;
  /** Providers that a request may name. */
  hasProvider(kind: 'ocr' | 'llm' | 'vision', id: string): boolean;
}

export type Pages = PageText[];
