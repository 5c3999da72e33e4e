export type PdfQuestion = { bytes: Uint8Array } | { page: number };
export type PdfAnswer = { pages: number } | { page: number; bitmap: ImageBitmap } | { failed: true };
