import * as core from '@cornerstonejs/core';
import * as tools from '@cornerstonejs/tools';
import type { PixelHeader } from '../../../../src-shared/contract/imaging-pixels.ts';
import { readPreference, storePreference } from '../../../client/storage.ts';
import { askForFrame, takeEarly } from './early-frame.ts';
import { CUT_SCHEME, SCHEME, type Frame } from './frames.ts';
import { photometricOf, toImage } from './image.ts';
import { createLoading } from './loading.ts';
import { planeOf } from './planes.ts';
import { cutFrame, dropVolume, loadVolume, volumeBytes, type VolumeSource } from './volumes.ts';
import type { VolumeRefusal } from './volume.ts';

/** How pictures are drawn; `automatic` takes the graphics card where there is one. */
export const DRAWINGS = ['automatic', 'webgl', 'processor'] as const;
export type Drawing = (typeof DRAWINGS)[number];

const PREFERENCE = 'imaging.drawing';
/** Of pictures in memory; the ones that were looked at least recently go first. */
export const MAX_MEMORY_BYTES = 512 * 2 ** 20;
/** Frames that are fetched before they are wanted take a quarter of the memory at most. */
const MAX_AHEAD_BYTES = MAX_MEMORY_BYTES / 4;

/** The headers of the frames that were loaded: they are small, and places in the patient need them later. */
const headers = new Map<string, PixelHeader>();
/** Frames that the memory holds; evicted ones go with their pictures. */
const frames = new Map<string, Frame>();
const running = new Map<string, AbortController>();
let isReady = false;

export const drawingPreference = (): Drawing =>
  DRAWINGS.find((drawing) => drawing === readPreference(PREFERENCE)) ?? 'automatic';

/** Applies to viewers that are opened from now on. */
export function setDrawing(drawing: Drawing): void {
  storePreference(PREFERENCE, drawing);
  applyDrawing();
  core.cache.purgeCache();
}

export const isByProcessor = (): boolean => core.getShouldUseCPURendering();

/** Prepares the engine once. */
export function startEngine(): void {
  if (isReady) return;
  isReady = true;
  core.init();
  tools.init();
  applyDrawing();
  core.cache.setMaxCacheSize(MAX_MEMORY_BYTES);
  core.imageLoader.registerImageLoader(SCHEME, load);
  core.imageLoader.registerImageLoader(CUT_SCHEME, cut);
  core.metaData.addProvider(describe, 1000);
}

/** A renderer in software is several times as slow as drawing by the processor. */
function applyDrawing(): void {
  const { webgl, softwareRasterizer } = core.getRenderingCapabilities();
  const drawing = drawingPreference();
  core.setUseCPURendering(!webgl || drawing === 'processor' || (drawing === 'automatic' && softwareRasterizer));
}

export const headerOf = (imageId: string): PixelHeader | null => headers.get(imageId) ?? null;
export const frameOf = (imageId: string): Frame | null => frames.get(imageId) ?? null;

export const isLoaded = (imageId: string): boolean => core.cache.isLoaded(imageId);

/** Loads frames for the panes. */
export const loading = createLoading({
  load: (imageId) => core.imageLoader.loadAndCacheImage(imageId),
  abort: (imageId) => running.get(imageId)?.abort(),
  isLoaded,
});

/** How many frames like this one may be fetched before they are wanted. */
export function reachOf(imageId: string): number {
  const bytes = frames.get(imageId)?.values.byteLength;
  return bytes === undefined ? 1 : Math.floor(MAX_AHEAD_BYTES / (2 * bytes));
}

/** Drops all pictures and requests when the viewer is left. */
export function emptyMemory(): void {
  for (const request of running.values()) request.abort();
  core.imageLoadPoolManager.clearRequestStack(core.Enums.RequestType.Interaction);
  core.cache.purgeCache();
  headers.clear();
  frames.clear();
  closeVolume();
}

/** Prepares to cut a series in planes; returns why it can't be. @throws as `fetchFrame` */
export async function openVolume(
  source: VolumeSource,
  signal: AbortSignal,
  onProgress: (loaded: number) => void,
): Promise<VolumeRefusal | null> {
  const refusal = await loadVolume(source, frameOf, signal, onProgress);
  limitMemory();
  return refusal;
}

/** Gives the memory of a volume back to pictures. */
export function closeVolume(): void {
  dropVolume();
  limitMemory();
}

/** A volume and pictures share what the viewer may take. */
function limitMemory(): void {
  core.cache.setMaxCacheSize(MAX_MEMORY_BYTES - volumeBytes());
  core.cache.decacheIfNecessaryUntilBytesAvailable(1);
}

function load(imageId: string): core.Types.IImageLoadObject {
  const { frame, request } = takeEarly(imageId) ?? askForFrame(imageId);
  running.set(imageId, request);
  const coming = frame.finally(() => running.delete(imageId));
  return hold(imageId, coming, () => request.abort());
}

/** A picture of a plane of the volume. */
const cut = (imageId: string): core.Types.IImageLoadObject =>
  hold(
    imageId,
    Promise.resolve().then(() => {
      const frame = cutFrame(imageId);
      if (!frame) throw new Error('its volume is gone');
      return frame;
    }),
    () => undefined,
  );

function hold(imageId: string, coming: Promise<Frame>, cancelFn: () => void): core.Types.IImageLoadObject {
  const promise = coming.then((frame) => {
    headers.set(imageId, frame.header);
    frames.set(imageId, frame);
    return toImage(imageId, frame, isByProcessor());
  });
  const loading = { promise, cancelFn, decache: () => void frames.delete(imageId) };
  // The engine would do so itself, and leave a frame that fails without anybody who handles it.
  core.cache.putImageLoadObject(imageId, loading).catch(() => undefined);
  return loading;
}

/** What the engine asks about a picture. */
function describe(module: string, imageId: string): unknown {
  const header = typeof imageId === 'string' ? headers.get(imageId) : undefined;
  if (!header) return undefined;
  const { MetadataModules } = core.Enums;
  if (module === MetadataModules.IMAGE_PLANE) return imagePlane(imageId, header);
  if (module === MetadataModules.IMAGE_PIXEL) return imagePixel(header);
  if (module === MetadataModules.GENERAL_SERIES)
    return { modality: header.modality, seriesInstanceUID: seriesKey(imageId) };
  if (module === MetadataModules.VOI_LUT)
    return {
      windowCenter: header.windows.map(({ center }) => center),
      windowWidth: header.windows.map(({ width }) => width),
    };
  return undefined;
}

const seriesKey = (imageId: string): string => imageId.slice(0, imageId.lastIndexOf('/'));

/** Pictures without a place in the patient share a space with their series only. */
function imagePlane(imageId: string, header: PixelHeader) {
  const { origin, across, down, spacing } = planeOf(header);
  const hasPlace = header.position !== null && header.orientation !== null;
  return {
    frameOfReferenceUID: (hasPlace && header.frameOfReference) || seriesKey(imageId),
    ...{ rows: header.rows, columns: header.columns, sliceThickness: header.thickness ?? 1 },
    imageOrientationPatient: [...across, ...down],
    ...{ rowCosines: across, columnCosines: down, imagePositionPatient: origin },
    ...{ pixelSpacing: spacing, rowPixelSpacing: spacing[0], columnPixelSpacing: spacing[1] },
    usingDefaultValues: !hasPlace,
  };
}

function imagePixel(header: PixelHeader) {
  const bits = { uint8: 8, rgb8: 8, uint16: 16, int16: 16, float32: 32 }[header.type];
  return {
    ...{ bitsAllocated: bits, bitsStored: bits, highBit: bits - 1 },
    samplesPerPixel: header.type === 'rgb8' ? 3 : 1,
    photometricInterpretation: photometricOf(header),
    pixelRepresentation: header.type === 'int16' ? 1 : 0,
  };
}
