import sharp from 'sharp';
import { PAPER_PIXELS, paperShareOf } from '../../../../src-shared/ios-backup/artifacts/document-likelihood.ts';

/** A picture that claims more pixels is not decoded for a guess. */
const MAX_PIXELS = 60_000_000;

/** How much a picture looks like a page of print, 0 to 1. Throws when it is no picture. */
export async function paperShare(bytes: Uint8Array): Promise<number> {
  const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .resize(PAPER_PIXELS, PAPER_PIXELS, { fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return paperShareOf({ data, ...info });
}
