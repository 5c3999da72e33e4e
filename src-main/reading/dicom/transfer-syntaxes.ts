/** How the pixels of a frame are coded. */
export type PixelCoding = 'native' | 'rle' | 'jpeg' | 'jpeg_lossless' | 'jpeg_ls' | 'jpeg_2000' | 'htj2k';

/** How a data set and its pixels are coded. */
export interface TransferSyntax {
  isExplicit: boolean;
  isBigEndian: boolean;
  isDeflated: boolean;
  /** Null where Hearth has no decoder, such as for video. */
  pixels: PixelCoding | null;
}

const LITTLE = { isExplicit: true, isBigEndian: false, isDeflated: false } as const;

export const IMPLICIT_LITTLE_ENDIAN = '1.2.840.10008.1.2';
export const EXPLICIT_LITTLE_ENDIAN = '1.2.840.10008.1.2.1';
export const EXPLICIT_BIG_ENDIAN = '1.2.840.10008.1.2.2';

/** PS3.6, table A-1; PS3.5, section 10 and annex A. */
const SYNTAXES: Readonly<Record<string, TransferSyntax>> = {
  [IMPLICIT_LITTLE_ENDIAN]: { ...LITTLE, isExplicit: false, pixels: 'native' },
  [EXPLICIT_LITTLE_ENDIAN]: { ...LITTLE, pixels: 'native' },
  '1.2.840.10008.1.2.1.98': { ...LITTLE, pixels: 'native' },
  '1.2.840.10008.1.2.1.99': { ...LITTLE, isDeflated: true, pixels: 'native' },
  [EXPLICIT_BIG_ENDIAN]: { ...LITTLE, isBigEndian: true, pixels: 'native' },
  '1.2.840.10008.1.2.5': { ...LITTLE, pixels: 'rle' },
  '1.2.840.10008.1.2.4.50': { ...LITTLE, pixels: 'jpeg' },
  '1.2.840.10008.1.2.4.51': { ...LITTLE, pixels: 'jpeg' },
  '1.2.840.10008.1.2.4.53': { ...LITTLE, pixels: 'jpeg' },
  '1.2.840.10008.1.2.4.55': { ...LITTLE, pixels: 'jpeg' },
  '1.2.840.10008.1.2.4.57': { ...LITTLE, pixels: 'jpeg_lossless' },
  '1.2.840.10008.1.2.4.70': { ...LITTLE, pixels: 'jpeg_lossless' },
  '1.2.840.10008.1.2.4.80': { ...LITTLE, pixels: 'jpeg_ls' },
  '1.2.840.10008.1.2.4.81': { ...LITTLE, pixels: 'jpeg_ls' },
  '1.2.840.10008.1.2.4.90': { ...LITTLE, pixels: 'jpeg_2000' },
  '1.2.840.10008.1.2.4.91': { ...LITTLE, pixels: 'jpeg_2000' },
  '1.2.840.10008.1.2.4.92': { ...LITTLE, pixels: 'jpeg_2000' },
  '1.2.840.10008.1.2.4.93': { ...LITTLE, pixels: 'jpeg_2000' },
  '1.2.840.10008.1.2.4.201': { ...LITTLE, pixels: 'htj2k' },
  '1.2.840.10008.1.2.4.202': { ...LITTLE, pixels: 'htj2k' },
  '1.2.840.10008.1.2.4.203': { ...LITTLE, pixels: 'htj2k' },
};

/** An unknown syntax is encapsulated in explicit little endian, as every one since 2001 is. */
export const transferSyntax = (uid: string): TransferSyntax => SYNTAXES[uid] ?? { ...LITTLE, pixels: null };
