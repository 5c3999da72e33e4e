import { readFileSync } from 'node:fs';

/**
 * How files begin that are not encrypted: PDF, PNG, WebP, DICOM and SQLite. Each is at least six bytes long, so that
 * megabytes of ciphertext don't hold one by chance, as they hold "PNG".
 */
const BEGINNINGS = [
  Buffer.from('%PDF-1.'),
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.from('WEBPVP8'),
  Buffer.from('DICM\u0002\0\0\0'),
  Buffer.from('SQLite format 3'),
];

/** Whether a file holds one of the words, or what a file that is not encrypted begins with, at any place. */
export function isPlain(path: string, words: readonly string[]): boolean {
  const bytes = readFileSync(path);
  return [...words, ...BEGINNINGS].some((mark) => bytes.includes(mark));
}
