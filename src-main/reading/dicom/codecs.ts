import dcmjsCodecs, { type Context } from 'dcmjs-codecs';
import { hasScanForEachSample, isWhole, readCodestreamHeader, startOf } from './codestream.ts';
import { DicomError } from './dicom-error.ts';
import { decodedPhotometric, type ImageLayout } from './image-layout.ts';
import type { PixelCoding } from './transfer-syntaxes.ts';
import { decodeWideColors, type WaveletCoding } from './wide-colors.ts';

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
const isWavelet = (coding: CodecName): coding is WaveletCoding => coding === 'jpeg_2000' || coding === 'htj2k';
let isReady = false;

/** Loads the decoders, which takes a while. */
export async function loadDecoders(): Promise<void> {
  if (!isReady) await NativeCodecs.initializeAsync();
  isReady = true;
}

/**
 * Decodes one frame.
 * @throws DicomError `damaged`, `unsupported_pixels`
 */
export async function decodeFrame(coding: CodecName, coded: Uint8Array, layout: ImageLayout): Promise<DecodedFrame> {
  const stream = coded.subarray(Math.max(0, startOf(coded)));
  const codedAs = codedLayout(coding, stream, layout);
  if (!isWhole(stream)) throw new DicomError('damaged', `${coding} without its end`);
  try {
    const { bytes, isPlanar } = await decodeStream(coding, stream, codedAs);
    const photometric = decodedPhotometric(coding, layout.photometric, layout.samples);
    return { bytes: requireAllPixels(bytes, codedAs), layout: { ...codedAs, isPlanar, photometric } };
  } catch (error) {
    if (error instanceof DicomError) throw error;
    throw new DicomError('damaged', `${coding} can’t be decoded`, error);
  }
}

async function decodeStream(
  coding: CodecName,
  stream: Uint8Array,
  layout: ImageLayout,
): Promise<{ bytes: Uint8Array | undefined; isPlanar: boolean }> {
  if (isWavelet(coding) && layout.samples === 3 && layout.bitsAllocated > 8)
    return { bytes: await decodeWideColors(coding, stream), isPlanar: false };
  await loadDecoders();
  try {
    const decoded = DECODERS[coding](contextOf(stream, layout));
    // Of JPEG-LS, the decoder returns one plane after the other and says that it does not.
    const isByScan = coding === 'jpeg_ls' && layout.samples === 3 && hasScanForEachSample(stream);
    return { bytes: decoded.getDecodedBuffer(), isPlanar: isByScan || decoded.getPlanarConfiguration() === 1 };
  } catch (error) {
    // Its memory is in an unknown state.
    isReady = false;
    NativeCodecs.release();
    throw error;
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
  if (precision > 16) throw new DicomError('unsupported_pixels', `${coding} of ${precision} bits`);
  if (isWavelet(coding) && !header.isEven)
    throw new DicomError('unsupported_pixels', `${coding} whose samples have sizes of their own`);
  if (precision > layout.bitsAllocated) throw new DicomError('damaged', `${coding} of ${precision} bits`);
  const bitsAllocated = precision > 8 ? 16 : 8;
  const bitsStored = Math.min(layout.bitsStored, bitsAllocated);
  // The codestream has no planes; it has unused lower bits if it was coded with more bits than are stored.
  const highBit = layout.highBit < precision ? layout.highBit : bitsStored - 1;
  return { ...layout, bitsAllocated, bitsStored, highBit, isPlanar: false };
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
