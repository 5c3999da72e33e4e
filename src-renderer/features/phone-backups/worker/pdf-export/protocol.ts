import type { Block, Missing, PdfHead } from './blocks.ts';

/** The bytes of an image as the phone stores them. */
export interface RawPicture {
  bytes: Uint8Array<ArrayBuffer>;
  isHeic: boolean;
}

/** Requests to the worker that makes a PDF, in this order: the head, any number of blocks, the end. */
export type PdfExportRequest =
  | { step: 'begin'; head: PdfHead }
  | { step: 'add'; blocks: readonly Block[]; pictures: ReadonlyMap<string, RawPicture> }
  | { step: 'end' };
/** The reply to each request; the one to `end` has the file. */
export type PdfExportReply = { step: 'ready' } | { step: 'failed' } | { step: 'done'; file: Blob; missing: Missing };
