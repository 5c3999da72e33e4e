import sharp from 'sharp';
import { SAMPLE_PIXELS, likelihoodOfPixels } from '../../../../src-shared/ios-backup/artifacts/document-likelihood.ts';

/** Images that claim more pixels are not decoded for an estimate. */
const MAX_PIXELS = 60_000_000;

/** Estimates how much an image looks like a printed page, 0 to 1. Throws if it can't be decoded. */
export async function documentLikelihood(bytes: Uint8Array): Promise<number> {
  const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .resize(SAMPLE_PIXELS, SAMPLE_PIXELS, { fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return likelihoodOfPixels({ data, ...info });
}
