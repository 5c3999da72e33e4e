import sharp from 'sharp';
import { joinPixels } from '../../../src-shared/contract/imaging-pixels.ts';
import { serveTasks } from '../../platform/kernel/serve-tasks.ts';
import type { ByteSource } from './byte-source.ts';
import { DicomError } from './dicom-error.ts';
import { openObject } from './open-object.ts';
import type { DicomObject } from './parse.ts';
import { openImaging, type Imaging, type Picture } from './picture.ts';
import type {
  BytesAnswer,
  ContentsAnswer,
  DescribeAnswer,
  DrawAnswer,
  FrameOptions,
  FrameRefusal,
  FrameRequest,
  ModelAnswer,
  PrepareAnswer,
  WrapAnswer,
} from './requests.ts';

/** The worker that decodes and draws frames. `requests.ts` declares its requests. */
sharp.concurrency(1);
const MAX_OUTPUT_PIXELS = 64e6;
/** The next level takes half as long again for a sixth less. */
const PNG_LEVEL = 1;

/** The object whose frame was drawn last: the next one is usually of the same. */
let last: { key: string; imaging: Imaging } | null = null;

async function withImaging<T>(path: string, work: (imaging: Imaging, source: ByteSource) => Promise<T>): Promise<T> {
  const file = openObject(path);
  try {
    const key = `${path} ${file.changed}`;
    if (last?.key !== key) last = { key, imaging: openImaging(file.object, file.source) };
    return await work(last.imaging, file.source);
  } finally {
    file.close();
  }
}

const prepare = ({ path }: FrameRequest): Promise<PrepareAnswer> =>
  withImaging(path, async (imaging) => {
    await imaging.prepare();
    return { pixels: imaging.layout.rows * imaging.layout.columns };
  });

const draw = ({ path, frame, options }: FrameRequest & { op: 'draw' }): Promise<DrawAnswer> =>
  withImaging(path, async (imaging, source) => {
    const picture = await imaging.show(source, frame, options);
    return { image: await encode(picture, options) };
  });

const store = ({ path, frame }: FrameRequest & { op: 'store' }): Promise<BytesAnswer> =>
  withImaging(path, async (imaging, source) => {
    const { header, values, overlay } = await imaging.store(source, frame);
    return { bytes: joinPixels(header, values, overlay) };
  });

/** Frames of a few pixels are not enlarged to the size of a screen. */
const MAX_ENLARGEMENT = 8;

async function encode(
  { data, width, height, channels }: Picture,
  { upscale = 1, minSide = 0, maxSide = Infinity, jpegQuality: quality }: FrameOptions,
): Promise<Uint8Array> {
  const enlarged = Math.max(upscale, Math.min(MAX_ENLARGEMENT, minSide / Math.min(width, height)));
  const scale = Math.min(enlarged, maxSide / Math.max(width, height));
  if (width * height * scale ** 2 > MAX_OUTPUT_PIXELS) throw new DicomError('too_large', `scaled ${scale} times`);
  const image = sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
  if (channels === 1) image.toColourspace('b-w');
  const [across, down] = [width, height].map((side) => Math.max(1, Math.round(side * scale)));
  if (scale !== 1) image.resize(across, down, { fit: 'fill', kernel: scale > 1 ? 'cubic' : 'lanczos3' });
  // Colors of labels and curves are a pixel wide, and would fade if pixels shared them.
  return quality === undefined
    ? image.png({ compressionLevel: PNG_LEVEL }).toBuffer()
    : image.jpeg({ quality, chromaSubsampling: '4:4:4' }).toBuffer();
}

function refusalOf(error: unknown): FrameRefusal {
  if (error instanceof DicomError) return { error: error.code, message: error.message };
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code !== undefined && syscall !== undefined) return { fileError: code };
  throw error;
}

async function withObject<T>(path: string, work: (object: DicomObject) => Promise<T>): Promise<T> {
  const file = openObject(path);
  try {
    return await work(file.object);
  } finally {
    file.close();
  }
}

// The names of all elements and what draws a PDF take a while to load, and pictures need neither.
const describe = ({ path, frame }: FrameRequest & { op: 'describe' }): Promise<DescribeAnswer> =>
  withObject(path, async (object) => (await import('./describe-elements.ts')).describeElements(object, frame));

const contents = ({ path }: FrameRequest): Promise<ContentsAnswer> =>
  withObject(path, async (object) => (await import('./contents.ts')).readContents(object));

const model = ({ path, bulk: address }: FrameRequest & { op: 'model' }): Promise<ModelAnswer> =>
  withObject(path, async (object) => ({
    json: JSON.stringify((await import('./json-model.ts')).jsonModel(object, address)),
  }));

const bulk = ({ path, element }: FrameRequest & { op: 'bulk' }): Promise<BytesAnswer> =>
  withObject(path, async (object) => ({ bytes: (await import('./json-model.ts')).bulkValue(object, element) }));

const exportCopy = async ({
  path,
  target,
  identifiers,
  options,
}: FrameRequest & { op: 'export' }): Promise<ModelAnswer> => ({
  json: JSON.stringify((await import('./export-object.ts')).exportObject(path, target, identifiers, options)),
});

const bytes = ({ path, frame, isCoded }: FrameRequest & { op: 'bytes' }): Promise<BytesAnswer> =>
  withImaging(path, async (imaging, source) => ({
    bytes: isCoded ? imaging.coded(source, frame) : await imaging.native(source, frame),
  }));

const wrap = async ({ path, target, place }: FrameRequest & { op: 'wrap' }): Promise<WrapAnswer> => ({
  isWritten: await (await import('./wrap-image.ts')).wrapImage(path, target, place),
});

type Work = { [Op in FrameRequest['op']]: (request: FrameRequest & { op: Op }) => Promise<object> };
const WORK: Work = { prepare, draw, describe, contents, model, bulk, export: exportCopy, bytes, store, wrap };

const answer = <Op extends FrameRequest['op']>(request: FrameRequest & { op: Op }): Promise<object> =>
  WORK[request.op as Op](request);

serveTasks<FrameRequest>(async (request) => ({ value: await answer(request).catch(refusalOf) }));
