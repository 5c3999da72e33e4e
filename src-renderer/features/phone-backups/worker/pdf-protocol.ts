/** First the file, then any number of page indices, from 0. */
export type PdfRequest = { bytes: Uint8Array } | { page: number };
export type PdfReply = { pages: number } | { page: number; bitmap: ImageBitmap } | { failed: true };
