import { availableParallelism } from 'node:os';
import PQueue from 'p-queue';
import type { Clock } from '../../platform/kernel/clock.ts';
import { translateFsError } from '../../platform/kernel/errors.ts';
import type { LargeWork } from '../../platform/kernel/large-work.ts';
import { createWorkerPool, TaskTimeout, WorkerCrash } from '../../platform/kernel/worker-pool.ts';
import { DicomError } from './dicom-error.ts';
import type { Deidentification } from './deidentify.ts';
import type { Identifiers } from './export-object.ts';
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
  WrappedPlace,
} from './requests.ts';

export type { ContentsAnswer, FrameOptions, WrappedPlace } from './requests.ts';

const MEBIBYTE = 2 ** 20;
const MAX_PROCESSES = 2;
const HEAP_MEGABYTES = 256;
/** What a process may hold for a picture; with the decoders it takes about 130 MiB by itself. */
const MAX_PICTURE_BYTES = 384 * MEBIBYTE;
/** Pictures that need more are drawn after other large work. */
const MAX_BYTES = 768 * MEBIBYTE;
const MAX_IDLE_BYTES = 280 * MEBIBYTE;
/** For the start of a process, the decoders and the header of a file. */
const PREPARE_MS = 20_000;
/** A frame that takes longer is considered malicious: some damaged pictures keep a decoder busy for a minute. */
const DRAW_MS = 2_000;
/** Time for each megapixel in addition; the slowest decoder takes a quarter of it. */
const MEGAPIXEL_MS = 1_000;
/** People look at a picture for a while before they scroll on. */
const IDLE_MS = 60_000;

export interface FrameRendererDeps {
  clock: Clock;
  /** Other work that holds much memory. */
  largeWork: LargeWork;
}

/** Draws frames of DICOM objects in processes of their own, which end when they take too much memory or time. */
export interface FrameRenderer {
  /**
   * A frame, 0-based, as PNG or JPEG: in gray, or in color. An abort drops a frame that waits, also for a process; one that is
   * being drawn is finished, because a new process takes longer than a frame.
   * @throws DicomError, a Failure for errors of the disk, and the signal's reason
   */
  renderFrame(path: string, frame: number, options: FrameOptions, signal?: AbortSignal): Promise<Buffer>;
  /** What the header of an object says, for people. @throws as `renderFrame` */
  describeFrame(path: string, frame: number, signal?: AbortSignal): Promise<DescribeAnswer>;
  /** What an object without pixels has for people. @throws as `renderFrame` */
  readContents(path: string): Promise<ContentsAnswer>;
  /**
   * The elements of an object in the DICOM JSON model, as text; `bulk` begins the addresses of long values.
   * @throws as `renderFrame`
   */
  modelOf(path: string, bulk: string, signal?: AbortSignal): Promise<string>;
  /** A long value of an object by the end of its address; null where there is none. @throws as `renderFrame` */
  bulkValue(path: string, element: string, signal?: AbortSignal): Promise<Uint8Array | null>;
  /**
   * Writes an object into the new file `target`, de-identified or as it is, and returns its elements as `modelOf`.
   * @throws as `renderFrame`
   */
  exportObject(
    path: string,
    target: string,
    identifiers: Identifiers,
    options: Deidentification | null,
  ): Promise<string>;
  /**
   * Writes a picture as a DICOM object into the new file `target`; false for a photo of a camera or a scan of paper.
   * @throws as `renderFrame`
   */
  wrapImage(path: string, target: string, place: WrappedPlace): Promise<boolean>;
  /** The pixels of a frame, decoded or as they are coded. @throws as `renderFrame` */
  frameBytes(path: string, frame: number, isCoded: boolean, signal?: AbortSignal): Promise<Uint8Array>;
  /**
   * The stored values of a frame, 0-based, as `joinPixels` of the contract writes them. An abort is as for pictures.
   * @throws as `renderFrame`
   */
  readPixels(path: string, frame: number, signal?: AbortSignal): Promise<Buffer>;
  close(): Promise<void>;
}

export function createFrameRenderer({ clock, largeWork }: FrameRendererDeps): FrameRenderer {
  const size = Math.min(MAX_PROCESSES, availableParallelism());
  const queue = new PQueue({ concurrency: size });
  const pool = createWorkerPool({
    ...{ script: new URL('./dicom-thread.ts', import.meta.url), clock, idleMs: IDLE_MS, size },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    process: { maxBytes: MAX_BYTES, maxIdleBytes: MAX_IDLE_BYTES },
  });
  const ask: Ask = async <T extends object>(
    request: FrameRequest,
    timeoutMs: number,
    waiting?: AbortSignal,
  ): Promise<T> => {
    // The queue passes on what was aborted while its process works, so that the next one may wait for a process.
    const run = (maxBytes: number): Promise<T | FrameRefusal> =>
      pool.run<T | FrameRefusal>(request, { timeoutMs, maxBytes, waiting });
    const answer = await run(MAX_PICTURE_BYTES).catch((error: unknown) => {
      // It needs more memory, or a file before has broken the process.
      if (error instanceof WorkerCrash) return largeWork.run(() => run(MAX_BYTES));
      throw error;
    });
    return requireAnswer(answer);
  };
  const read = <T extends object>(request: FrameRequest, signal?: AbortSignal): Promise<T> =>
    queue.add(() => ask<T>(request, PREPARE_MS, signal).catch(throwTooDemanding), signal && { signal });
  return {
    renderFrame: (path, frame, options, signal) =>
      queue.add(
        () => draw(ask, { op: 'draw', path, frame, options }, signal).catch(throwTooDemanding),
        signal && { signal },
      ),
    describeFrame: (path, frame, signal) => read<DescribeAnswer>({ op: 'describe', path, frame }, signal),
    modelOf: async (path, bulk, signal) => (await read<ModelAnswer>({ op: 'model', path, bulk }, signal)).json,
    bulkValue: async (path, element, signal) => (await read<BytesAnswer>({ op: 'bulk', path, element }, signal)).bytes,
    exportObject: async (path, target, identifiers, options) =>
      (await read<ModelAnswer>({ op: 'export', path, target, identifiers, options })).json,
    wrapImage: async (path, target, place) => (await read<WrapAnswer>({ op: 'wrap', path, target, place })).isWritten,
    frameBytes: (path, frame, isCoded, signal) =>
      queue.add(
        () => pixels(ask, { op: 'bytes', path, frame, isCoded }, signal).catch(throwTooDemanding),
        signal && { signal },
      ),
    readPixels: (path, frame, signal) =>
      queue.add(() => pixels(ask, { op: 'store', path, frame }, signal).catch(throwTooDemanding), signal && { signal }),
    readContents: (path) => read<ContentsAnswer>({ op: 'contents', path }),
    close: () => pool.close(),
  };
}

type Ask = <T extends object>(request: FrameRequest, timeoutMs: number, waiting?: AbortSignal) => Promise<T>;

async function draw(ask: Ask, request: FrameRequest & { op: 'draw' }, signal?: AbortSignal): Promise<Buffer> {
  const { image } = await work<DrawAnswer>(ask, request, signal);
  return Buffer.from(image.buffer, image.byteOffset, image.byteLength);
}

async function pixels(
  ask: Ask,
  request: FrameRequest & { op: 'bytes' | 'store' },
  signal?: AbortSignal,
): Promise<Buffer> {
  const { bytes } = await work<BytesAnswer>(ask, request, signal);
  return bytes === null ? Buffer.alloc(0) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

async function work<T extends object>(ask: Ask, request: FrameRequest, signal?: AbortSignal): Promise<T> {
  const { pixels } = await ask<PrepareAnswer>({ op: 'prepare', path: request.path }, PREPARE_MS, signal);
  return ask<T>(request, DRAW_MS + (pixels / 1e6) * MEGAPIXEL_MS, signal);
}

function throwTooDemanding(error: unknown): never {
  if (error instanceof WorkerCrash || error instanceof TaskTimeout)
    throw new DicomError('too_demanding', 'decoding took too much memory or time', error);
  throw error;
}

/** @throws DicomError, and a Failure for errors of the disk */
function requireAnswer<T extends object>(answer: T | FrameRefusal): T {
  if ('error' in answer) throw new DicomError(answer.error, answer.message);
  if ('fileError' in answer)
    throw translateFsError(Object.assign(new Error('the file can’t be read'), { code: answer.fileError }));
  return answer;
}
