import sharp from 'sharp';
import { SAMPLE_PIXELS, likelihoodOfPixels } from '../../../../src-shared/ios-backup/artifacts/document-likelihood.ts';
import { bytesHeldPerPixel } from './image-memory.ts';

/** Images that claim more pixels are not decoded for an estimate. */
const MAX_PIXELS = 60_000_000;
/** An estimate is not worth more memory. */
const MAX_BYTES = 96 * 2 ** 20;

/** Estimates how much an image looks like a printed page, 0 to 1. Throws if it can't or should not be decoded. */
export async function documentLikelihood(bytes: Uint8Array): Promise<number> {
  const header = await sharp(bytes, { limitInputPixels: MAX_PIXELS }).metadata();
  if (header.width * header.height * bytesHeldPerPixel(header) > MAX_BYTES) throw new Error('takes too much memory');
  const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .resize(SAMPLE_PIXELS, SAMPLE_PIXELS, { fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return likelihoodOfPixels({ data, ...info });
}
