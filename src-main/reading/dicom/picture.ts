import type { ByteSource } from './byte-source.ts';
import type { DecodedFrame } from './codecs.ts';
import { renderColors } from './colors.ts';
import { DicomError } from './dicom-error.ts';
import { findFrames } from './frame-bytes.ts';
import { hasColorPairs, readLayout, type ImageLayout } from './image-layout.ts';
import { nativeBytes } from './native-frame.ts';
import { drawOverlays, readOverlayBits } from './overlays.ts';
import type { DicomObject } from './parse.ts';
import { decodeRle } from './rle.ts';
import { readSamples, type Samples } from './samples.ts';
import { storedPixels, type StoredPixels } from './stored-pixels.ts';
import { renderGray, type WindowOptions } from './tones.ts';

/** Pixels that can be shown, row by row. */
export interface Picture {
  data: Uint8Array;
  width: number;
  height: number;
  /** Gray, or red, green and blue. */
  channels: 1 | 3;
}

/** How a frame is shown. */
export interface PictureOptions extends WindowOptions {
  invert?: boolean | undefined;
}

/** An object whose frames can be shown. */
export interface Imaging {
  layout: ImageLayout;
  /** Loads what `show` needs; without it, the first frame takes longer. */
  prepare(): Promise<void>;
  /**
   * A frame, 0-based. `source` is what the object was opened from.
   * @throws DicomError `no_frame`, `damaged`, `unsupported_pixels`, `too_large`
   */
  show(source: ByteSource, frame: number, options: PictureOptions): Promise<Picture>;
  /** A frame as it is coded. @throws as `show` */
  coded(source: ByteSource, frame: number): Uint8Array;
  /** A frame decoded, in little endian and otherwise as the header says. @throws as `show` */
  native(source: ByteSource, frame: number): Promise<Uint8Array>;
  /**
   * The values of a frame, 0-based, for a viewer that draws them.
   * @throws DicomError `no_frame`, `damaged`, `unsupported_pixels`, `too_large`
   */
  store(source: ByteSource, frame: number): Promise<StoredPixels>;
}

/**
 * Prepares to show the frames of an object.
 * @throws DicomError `no_pixels`, `damaged`, `unsupported_pixels`, `unsupported_syntax`, `too_large`, `too_complex`
 */
export function openImaging(object: DicomObject, source: ByteSource): Imaging {
  const layout = readLayout(object);
  const frames = findFrames(object, layout, source);
  return {
    layout,
    prepare: async () => {
      if (needsDecoder(object)) await (await import('./codecs.ts')).loadDecoders();
    },
    async show(from, frame, options) {
      const decoded = await decode(object, frames.read(from, frame), layout);
      const shown = render(object, decoded, frame, options);
      if (options.invert === true) shown.data.forEach((value, i) => (shown.data[i] = 255 - value));
      return shown;
    },
    coded: frames.read,
    async native(from, frame) {
      const decoded = await decode(object, frames.read(from, frame), layout);
      return object.pixelElement?.hadUndefinedLength === true
        ? nativeBytes(decoded.bytes, { from: decoded.layout, to: layout })
        : decoded.bytes;
    },
    async store(from, frame) {
      const decoded = await decode(object, frames.read(from, frame), layout);
      const image = { data: object.data, layout: decoded.layout, frame, isBigEndian: object.syntax.isBigEndian };
      const overlay = readOverlayBits(decoded.bytes, image);
      return storedPixels(samplesOf(decoded), { ...image, overlay });
    },
  };
}

const needsDecoder = ({ syntax: { pixels } }: DicomObject): boolean =>
  pixels !== null && pixels !== 'native' && pixels !== 'rle';

async function decode(object: DicomObject, coded: Uint8Array, layout: ImageLayout): Promise<DecodedFrame> {
  const { syntax, syntaxUid, pixelElement } = object;
  if (syntax.pixels === null) throw new DicomError('unsupported_syntax', `transfer syntax ${syntaxUid}`);
  const isEncapsulated = pixelElement?.hadUndefinedLength === true;
  if (syntax.pixels === 'rle' && isEncapsulated)
    return { bytes: decodeRle(coded, layout), layout: { ...layout, isPlanar: false } };
  if (syntax.pixels !== 'native' && syntax.pixels !== 'rle' && isEncapsulated) {
    // The decoders take a fifth of a second to load, and many pictures need none.
    const { decodeFrame } = await import('./codecs.ts');
    return decodeFrame(syntax.pixels, coded, layout);
  }
  if (isEncapsulated) throw new DicomError('damaged', 'native pixels in fragments');
  return { bytes: coded, layout };
}

function samplesOf({ bytes, layout }: DecodedFrame): Samples {
  const { columns, rows, samples: perPixel, photometric } = layout;
  const isPairs = hasColorPairs(photometric) && bytes.length < columns * rows * perPixel;
  return readSamples(bytes, layout, columns * rows * (isPairs ? 2 : perPixel));
}

function render(
  { data, syntax }: DicomObject,
  { bytes, layout }: DecodedFrame,
  frame: number,
  options: PictureOptions,
): Picture {
  const { columns: width, rows: height, samples: perPixel, photometric } = layout;
  const samples = samplesOf({ bytes, layout });
  if (perPixel === 3 || photometric === 'PALETTE COLOR')
    return { data: renderColors(samples, layout, data), width, height, channels: 3 };
  if (!photometric.startsWith('MONOCHROME')) throw new DicomError('unsupported_pixels', photometric);
  const gray = renderGray(samples, { data, layout, frame }, options);
  drawOverlays(gray, bytes, { data, layout, frame, isBigEndian: syntax.isBigEndian });
  return { data: gray, width, height, channels: 1 };
}
