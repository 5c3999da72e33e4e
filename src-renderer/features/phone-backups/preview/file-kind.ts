import { textEncodingOf } from './text-encoding.ts';

export type FileKind = 'image' | 'heic' | 'pdf' | 'audio' | 'video' | 'plist' | 'sqlite' | 'text' | 'empty' | 'other';

const ascii = (bytes: Uint8Array, start: number, end: number): string =>
  String.fromCharCode(...bytes.subarray(start, end));
/** Brands of ISO media files with HEVC images (ISO/IEC 23008-12). */
const HEIC_BRANDS = /^(heic|heix|hevc|hevx|mif1|msf1|heim|heis)$/;
const AUDIO_BRANDS = /^(M4A |M4B |M4P )$/;

/** Kind of an ISO base media file by its major brand (ISO/IEC 14496-12 4.3). */
function kindOfBrand(brand: string): FileKind {
  if (HEIC_BRANDS.test(brand)) return 'heic';
  if (brand === 'avif') return 'image';
  return AUDIO_BRANDS.test(brand) ? 'audio' : 'video';
}

/** Kind of a file by its first bytes, because file names on a phone often have no extension. */
export function kindOf(head: Uint8Array): FileKind {
  if (head.length === 0) return 'empty';
  const startsWithBytes = (...values: number[]): boolean => values.every((value, index) => head[index] === value);
  const start = ascii(head, 0, 16);
  if (
    startsWithBytes(0xff, 0xd8, 0xff) ||
    startsWithBytes(0x89, 0x50, 0x4e, 0x47) ||
    start.startsWith('GIF8') ||
    (start.startsWith('RIFF') && ascii(head, 8, 12) === 'WEBP') ||
    (start.startsWith('BM') && head.length > 26)
  )
    return 'image';
  if (ascii(head, 4, 8) === 'ftyp') return kindOfBrand(ascii(head, 8, 12));
  if (start.startsWith('%PDF')) return 'pdf';
  if (start.startsWith('SQLite format 3\0')) return 'sqlite';
  if (start.startsWith('bplist')) return 'plist';
  if (
    start.startsWith('ID3') ||
    (start.startsWith('RIFF') && ascii(head, 8, 12) === 'WAVE') ||
    start.startsWith('OggS') ||
    start.startsWith('caff') ||
    start.startsWith('#!AMR') ||
    start.startsWith('fLaC') ||
    (startsWithBytes(0xff) && ((head[1] ?? 0) & 0xe6) === 0xe2)
  )
    return 'audio';
  if (ascii(head, 4, 8) === 'moov' || ascii(head, 4, 8) === 'mdat' || startsWithBytes(0x1a, 0x45, 0xdf, 0xa3))
    return 'video';
  if (textEncodingOf(head) === null) return 'other';
  return /<!DOCTYPE plist|<plist[\s>]/.test(ascii(head, 0, Math.min(head.length, 400))) ? 'plist' : 'text';
}
