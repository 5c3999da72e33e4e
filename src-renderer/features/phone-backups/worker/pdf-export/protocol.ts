import type { Block, Missing, PdfHead } from './blocks.ts';

/** Bytes of a picture as they stand on the phone. */
export interface RawPicture {
  bytes: Uint8Array<ArrayBuffer>;
  isHeic: boolean;
}

/** What the worker that makes a PDF is told, one after the other: once its head, any number of blocks, once its end. */
export type PdfExportRequest =
  | { step: 'begin'; head: PdfHead }
  | { step: 'add'; blocks: readonly Block[]; pictures: ReadonlyMap<string, RawPicture> }
  | { step: 'end' };
/** Its answer to each. `file` after the end. */
export type PdfExportReply = { step: 'ready' } | { step: 'failed' } | { step: 'done'; file: Blob; missing: Missing };
