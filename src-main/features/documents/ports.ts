/** The reading queue as the documents feature uses it. */
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
  /** Returns whether the document was waiting or being read. */
  cancel(documentId: number): boolean;
  /** Starts pending work; called after the transaction. */
  wake(): void;
  isReading(documentId: number): boolean;
  /** Whether a request may name this provider; null asks whether there is any. */
  hasProvider(kind: 'ocr' | 'llm' | 'vision', id: string | null): boolean;
}
