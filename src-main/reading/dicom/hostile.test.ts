import { readFileSync } from 'node:fs';
import dcmjsCodecs from 'dcmjs-codecs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LONG } from '../../../test/support/long.ts';
import { imageObject, ODD, smoothPixels, type ImageShape } from '../../../test/fixtures/dicom/image-objects.ts';
import { mutate, seededRandom } from '../../../test/fixtures/dicom/mutations.ts';
import { ctHeader } from '../../../test/fixtures/dicom/sample-objects.ts';
import { attribute, SYNTAX, writeDicom } from '../../../test/fixtures/dicom/write-dicom.ts';
import { inDepth } from '../../../test/support/depth.ts';
import { contextOf, encapsulated, useDicomFolder } from '../../../test/support/dicom-frames.ts';
import { systemClock } from '../../platform/kernel/clock.ts';
import { createLargeWork } from '../../platform/kernel/large-work.ts';
import { DicomError } from './dicom-error.ts';
import { readInstance } from './instance.ts';
import { createFrameRenderer, type FrameRenderer } from './render.ts';

const { NativeCodecs } = dcmjsCodecs;
const CT: ImageShape = { allocated: 16, stored: 12 };
const CT_PIXELS = smoothPixels([0, 4095]);
const RGB: ImageShape = { samples: 3, photometric: 'RGB' };
const files = useDicomFolder();

let renderer: FrameRenderer;
beforeAll(() => {
  renderer = createFrameRenderer({ clock: systemClock, largeWork: createLargeWork() });
});
afterAll(() => renderer.close());

/** An object in each coding. */
function seeds(): Buffer[] {
  const object = imageObject(CT, CT_PIXELS);
  const color = imageObject(RGB, smoothPixels([0, 255], RGB));
  const gray = () => contextOf(CT_PIXELS, CT);
  const coded = (syntax: string, encoded: { getEncodedBuffer(): Uint8Array | undefined }): Buffer =>
    encapsulated(object, `1.2.840.10008.1.2.${syntax}`, encoded.getEncodedBuffer()!);
  const baseline = NativeCodecs.encodeJpeg(contextOf(smoothPixels([0, 255], RGB), RGB), { lossy: true });
  return [
    ...Object.values(SYNTAX).map((syntax) => writeDicom(object, { syntax })),
    encapsulated(color, '1.2.840.10008.1.2.4.50', baseline.getEncodedBuffer()!),
    coded('5', NativeCodecs.encodeRle(gray())),
    coded('4.57', NativeCodecs.encodeJpeg(gray(), { predictor: 7 })),
    coded('4.70', NativeCodecs.encodeJpeg(gray())),
    coded('4.80', NativeCodecs.encodeJpegLs(gray())),
    coded('4.90', NativeCodecs.encodeJpeg2000(gray())),
    coded('4.201', NativeCodecs.encodeHtJpeg2000(gray())),
  ];
}

/** Objects with random damage, the same in each run. */
function* damaged(count: number, seed: number): Generator<Uint8Array> {
  const whole = seeds();
  const random = seededRandom(seed);
  for (let i = 0; i < count; i += 1) yield mutate(whole[i % whole.length]!, random);
}

const isExpected = (error: unknown): boolean => error instanceof DicomError;

describe('Damaged and hostile objects', () => {
  it('are read or refused with a code', () => {
    const unexpected: unknown[] = [];
    let read = 0;
    for (const bytes of damaged(inDepth(400, 10_000), 1))
      try {
        readInstance(bytes);
        read += 1;
      } catch (error) {
        if (!isExpected(error)) unexpected.push(error);
      }
    expect(unexpected).toEqual([]);
    expect(read).toBeGreaterThan(0);
  });

  it('are drawn or refused with a code', async () => {
    const unexpected: unknown[] = [];
    let drawn = 0;
    for (const bytes of damaged(inDepth(33, 10_000), 2))
      await renderer.renderFrame(files.put('damaged.dcm', bytes), 0, {}).then(
        () => (drawn += 1),
        (error: unknown) => isExpected(error) || unexpected.push(error),
      );
    expect(unexpected).toEqual([]);
    expect(drawn).toBeGreaterThan(0);
  }, 1_800_000);

  it('that keep a decoder busy are given up, and the next frame is drawn', LONG, async () => {
    const { rows, columns } = ODD;
    const coded = readFileSync(new URL('../../../test/fixtures/dicom/endless.jls', import.meta.url));
    // A comment with the markers of pixels and of the end, which the stream itself lacks.
    const comment = Buffer.from('fffe0006ffdaffd9', 'hex');
    const endless = Buffer.concat([coded.subarray(0, 2), comment, coded.subarray(2)]);
    const object = encapsulated(imageObject({ ...CT, rows, columns }, []), '1.2.840.10008.1.2.4.80', endless);
    await expect(renderer.renderFrame(files.put('endless.dcm', object), 0, {})).rejects.toMatchObject({
      code: 'too_demanding',
    });
    const whole = files.put('whole.dcm', writeDicom(imageObject(CT, CT_PIXELS)));
    expect((await renderer.renderFrame(whole, 0, {})).length).toBeGreaterThan(100);
  });

  it.each<[string, string, () => Buffer]>([
    [
      'a deflate bomb',
      'too_large',
      () =>
        writeDicom([...ctHeader(), attribute(0x0009_1001, 'OB', Buffer.alloc(130 * 2 ** 20))], {
          syntax: SYNTAX.deflated,
        }),
    ],
    [
      'a picture of thousands of megapixels',
      'too_large',
      () => writeDicom(imageObject({ rows: 65_535, columns: 65_535 }, [])),
    ],
    [
      '20 000 nested sequences',
      'too_complex',
      () => {
        const opening = Buffer.from('0900011053510000ffffffff' + 'feff00e0ffffffff', 'hex');
        return Buffer.concat([writeDicom(ctHeader()), Buffer.alloc(opening.length * 20_000, opening)]);
      },
    ],
  ])('are refused before they take memory: %s', async (_name, code, make) => {
    await expect(renderer.renderFrame(files.put('bomb.dcm', make()), 0, {})).rejects.toMatchObject({ code });
  });
});
