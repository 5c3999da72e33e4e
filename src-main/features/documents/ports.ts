import type { PageText } from '../../../src-shared/medical/page.ts';

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
