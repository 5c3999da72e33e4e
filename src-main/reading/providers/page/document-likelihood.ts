import sharp from 'sharp';
import { SAMPLE_PIXELS, likelihoodOfPixels } from '../../../../src-shared/ios-backup/artifacts/document-likelihood.ts';

/** A picture that claims more pixels is not decoded for a guess. */
const MAX_PIXELS = 60_000_000;

/** How much an image looks like a printed page, 0 to 1. Throws if it cannot be decoded. */
export async function documentLikelihood(bytes: Uint8Array): Promise<number> {
  const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .resize(SAMPLE_PIXELS, SAMPLE_PIXELS, { fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return likelihoodOfPixels({ data, ...info });
}
