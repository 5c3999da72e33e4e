import dcmjsCodecs, { type Context } from 'dcmjs-codecs';
import { isWhole, readCodestreamHeader, startOf } from './codestream.ts';
import { DicomError } from './dicom-error.ts';
import { decodedPhotometric, type ImageLayout } from './image-layout.ts';
import type { PixelCoding } from './transfer-syntaxes.ts';

const { NativeCodecs, Context: CodecContext, log } = dcmjsCodecs;
// What decoders print is about foreign files.
log.setLevel('silent');

/** Decoded pixels: samples of 8 or 16 bits in little endian, or what else the layout says. */
export interface DecodedFrame {
  bytes: Uint8Array;
  layout: ImageLayout;
}

type CodecName = Exclude<PixelCoding, 'native' | 'rle'>;

const DECODERS = {
  jpeg: (context) => NativeCodecs.decodeJpeg(context, { convertColorspaceToRgb: isYbr(context) }),
  jpeg_lossless: (context) => NativeCodecs.decodeJpeg(context, { convertColorspaceToRgb: isYbr(context) }),
  jpeg_ls: (context) => NativeCodecs.decodeJpegLs(context),
  jpeg_2000: (context) => NativeCodecs.decodeJpeg2000(context),
  htj2k: (context) => NativeCodecs.decodeHtJpeg2000(context),
} satisfies Record<CodecName, (context: Context) => Context>;

const isYbr = (context: Context): boolean => (context.getPhotometricInterpretation() ?? '').startsWith('YBR');
let isReady = false;

/** Loads the decoders, which takes a while. */
export async function loadDecoders(): Promise<void> {
  if (!isReady) await NativeCodecs.initializeAsync();
  isReady = true;
}

/**
 * Decodes one frame. A decoder that fails is replaced: its memory is in an unknown state.
 * @throws DicomError `damaged`, `unsupported_pixels`
 */
export async function decodeFrame(coding: CodecName, coded: Uint8Array, layout: ImageLayout): Promise<DecodedFrame> {
  const stream = coded.subarray(Math.max(0, startOf(coded)));
  const codedAs = codedLayout(coding, stream, layout);
  if (!isWhole(stream)) throw new DicomError('damaged', `${coding} without its end`);
  await loadDecoders();
  try {
    const decoded = DECODERS[coding](contextOf(stream, codedAs));
    return {
      bytes: requireAllPixels(decoded.getDecodedBuffer(), codedAs),
      layout: {
        ...codedAs,
        isPlanar: decoded.getPlanarConfiguration() === 1,
        photometric: decodedPhotometric(coding, layout.photometric, layout.samples),
      },
    };
  } catch (error) {
    isReady = false;
    NativeCodecs.release();
    if (error instanceof DicomError) throw error;
    throw new DicomError('damaged', `${coding} can’t be decoded`, error);
  }
}

/**
 * The layout of what the decoder returns, by the header of the codestream: it must not write more than the picture
 * takes.
 */
function codedLayout(coding: CodecName, stream: Uint8Array, layout: ImageLayout): ImageLayout {
  const header = readCodestreamHeader(stream);
  if (!header) throw new DicomError('damaged', `${coding} without a header`);
  const { width, height, components, precision } = header;
  if (width !== layout.columns || height !== layout.rows || components !== layout.samples)
    throw new DicomError('damaged', `${coding} of ${width} × ${height} × ${components} samples`);
  // The module returns half of such a picture.
  const isWideColor = components === 3 && precision > 8 && (coding === 'jpeg_2000' || coding === 'htj2k');
  if (isWideColor || precision > 16) throw new DicomError('unsupported_pixels', `${coding} of ${precision} bits`);
  if (precision > layout.bitsAllocated) throw new DicomError('damaged', `${coding} of ${precision} bits`);
  const bitsAllocated = precision > 8 ? 16 : 8;
  const bitsStored = Math.min(layout.bitsStored, bitsAllocated);
  // The codestream has neither planes nor unused lower bits.
  return { ...layout, bitsAllocated, bitsStored, highBit: bitsStored - 1, isPlanar: false };
}

function contextOf(encodedBuffer: Uint8Array, layout: ImageLayout): Context {
  return new CodecContext({
    width: layout.columns,
    height: layout.rows,
    bitsAllocated: layout.bitsAllocated,
    bitsStored: layout.bitsStored,
    samplesPerPixel: layout.samples,
    pixelRepresentation: layout.isSigned ? 1 : 0,
    planarConfiguration: 0,
    photometricInterpretation: layout.photometric,
    encodedBuffer,
  });
}

function requireAllPixels(bytes: Uint8Array | undefined, layout: ImageLayout): Uint8Array {
  const expected = layout.rows * layout.columns * layout.samples * (layout.bitsAllocated / 8);
  if (bytes === undefined || bytes.length < expected)
    throw new DicomError('damaged', 'the decoder returned too little');
  return bytes;
}
