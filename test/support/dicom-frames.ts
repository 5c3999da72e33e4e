import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import dcmjsCodecs, { type Context } from 'dcmjs-codecs';
import { afterAll, beforeAll, expect } from 'vitest';
import type { DicomError } from '../../src-main/reading/dicom/dicom-error.ts';
import { openObject } from '../../src-main/reading/dicom/open-object.ts';
import { openImaging, type Picture, type PictureOptions } from '../../src-main/reading/dicom/picture.ts';
import { ODD, smoothPixels, type ImageShape } from '../fixtures/dicom/image-objects.ts';
import { withAttributes } from '../fixtures/dicom/sample-objects.ts';
import { writeDicom, type Attribute } from '../fixtures/dicom/write-dicom.ts';
import type { ShownPixels } from './dcmtk.ts';

const { NativeCodecs, Context: CodecContext } = dcmjsCodecs;

/** A gray image as of a CT, and one in color. */
export const CT: ImageShape = { allocated: 16, stored: 12 };
export const CT_PIXELS = smoothPixels([0, 4095]);
export const RGB: ImageShape = { samples: 3, photometric: 'RGB' };
export const RGB_PIXELS = smoothPixels([0, 255], RGB);

/** A folder for the objects of a test file, and encoders. */
export interface DicomFolder {
  pathOf(name: string): string;
  /** Writes a file and returns its path. */
  put(name: string, bytes: Uint8Array): string;
}

/** Makes the folder before the tests of the file, and removes it after them. */
export function useDicomFolder(): DicomFolder {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hearth-dicom-'));
    await NativeCodecs.initializeAsync();
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const pathOf = (name: string): string => join(folder, name);
  return {
    pathOf,
    put(name, bytes) {
      writeFileSync(pathOf(name), bytes);
      return pathOf(name);
    },
  };
}

/** Decodes and draws a frame, 0-based, of a file. */
export async function showFrame(path: string, options: PictureOptions = {}, frame = 0): Promise<Picture> {
  const { object, source, close } = openObject(path);
  try {
    return await openImaging(object, source).show(source, frame, options);
  } finally {
    close();
  }
}

/** The code with which a frame is refused; null if it is drawn. */
export const refusalOf = async (path: string, frame = 0): Promise<string | null> =>
  showFrame(path, {}, frame).then(
    () => null,
    (error: DicomError) => error.code,
  );

/** The greatest difference of two pictures of the same size. */
export function difference(shown: Picture, expected: ShownPixels): number {
  const { width, height, channels } = expected;
  expect({ width: shown.width, height: shown.height, channels: shown.channels }).toEqual({ width, height, channels });
  let greatest = 0;
  shown.data.forEach((value, i) => (greatest = Math.max(greatest, Math.abs(value - expected.data[i]!))));
  return greatest;
}

/** Pixel data in one fragment for each frame, coded by the library that decodes them; other decoders check them. */
export function encapsulated(header: Attribute[], syntax: string, ...frames: Uint8Array[]): Buffer {
  const pixels = { tag: 0x7fe0_0010, vr: 'OB', value: { fragments: frames } };
  return writeDicom(withAttributes(header, pixels), { syntax });
}

/** What the encoders take. */
export const contextOf = (pixels: readonly number[], shape: ImageShape): Context =>
  new CodecContext({
    width: ODD.columns,
    height: ODD.rows,
    bitsAllocated: shape.allocated ?? 8,
    bitsStored: shape.stored ?? shape.allocated ?? 8,
    samplesPerPixel: shape.samples ?? 1,
    pixelRepresentation: shape.isSigned ? 1 : 0,
    planarConfiguration: 0,
    photometricInterpretation: shape.photometric ?? 'MONOCHROME2',
    decodedBuffer: new Uint8Array(
      shape.allocated === 16 ? Uint16Array.from(pixels).buffer : Uint8Array.from(pixels).buffer,
    ),
  });
