import { readFileSync } from 'node:fs';
import dcmjsCodecs from 'dcmjs-codecs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LONG } from '../../../test/support/long.ts';
import { imageObject, ODD, smoothPixels, type ImageShape } from '../../../test/fixtures/dicom/image-objects.ts';
import { mutate, seededRandom } from '../../../test/fixtures/dicom/mutations.ts';
import { ctHeader } from '../../../test/fixtures/dicom/sample-objects.ts';
import { attribute, SYNTAX, writeDicom } from '../../../test/fixtures/dicom/write-dicom.ts';
import { inDepth } from '../../../test/support/depth.ts';
import { peakMemory, peakOfChildren, resetPeakMemory, resetPeakOfChildren } from '../../../test/support/memory.ts';
import {
  dumpByDcmtk,
  printComparison,
  worstOf,
  type ComparedObject,
  type TakenObject,
} from '../../../test/support/worst-objects.ts';
import { contextOf, encapsulated, useDicomFolder } from '../../../test/support/dicom-frames.ts';
import { itWith } from '../../../test/support/requirements.ts';
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
/** A header that takes longer hangs; a frame that does is given up by the renderer. */
const MAX_READ_MS = 2_000;
/** What the process of the renderer may hold for a picture, with the decoders that the first one loads. */
const MAX_BYTES = 512 * 2 ** 20;

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

/** Objects with random damage, and how they were taken. */
interface Trial {
  work: string;
  count: number;
  seed: number;
  taken: TakenObject[];
}
const READ: Trial = { work: 'read', count: inDepth(400, 10_000), seed: 1, taken: [] };
const DRAWN: Trial = { work: 'draw', count: inDepth(33, 10_000), seed: 2, taken: [] };

/** Takes the objects one by one, and notes the time and memory of each. Returns the errors that have no code. */
async function takeAll(
  { count, seed, taken }: Trial,
  take: (bytes: Uint8Array) => unknown,
  resetPeak: (pid: number) => void,
  peak: (pid: number) => number | null,
): Promise<unknown[]> {
  const unexpected: unknown[] = [];
  for (const bytes of damaged(count, seed)) {
    resetPeak(process.pid);
    const before = peak(process.pid) ?? 0;
    const started = performance.now();
    let outcome = 'taken';
    try {
      await take(bytes);
    } catch (error) {
      if (error instanceof DicomError) outcome = error.code;
      else unexpected.push(error);
    }
    const ms = performance.now() - started;
    taken.push({ number: taken.length, ms, bytes: (peak(process.pid) ?? 0) - before, outcome });
  }
  return unexpected;
}

/** The objects that took the most, beside what dcmdump makes of the same bytes. */
function compareWorst({ work, count, seed, taken }: Trial): ComparedObject[] {
  const worst = new Map(worstOf(taken, inDepth(4, 20)).map((ours) => [ours.number, ours]));
  return [...damaged(count, seed)].flatMap((bytes, number) => {
    const ours = worst.get(number);
    return ours ? [{ work, ours, dumped: dumpByDcmtk(files.put('worst.dcm', bytes)) }] : [];
  });
}

describe('Damaged and hostile objects', () => {
  it('are read or refused with a code', async () => {
    expect(await takeAll(READ, readInstance, resetPeakMemory, peakMemory)).toEqual([]);
    expect(READ.taken.some(({ outcome }) => outcome === 'taken')).toBe(true);
  });

  it('are drawn or refused with a code', async () => {
    const draw = (bytes: Uint8Array) => renderer.renderFrame(files.put('damaged.dcm', bytes), 0, {});
    expect(await takeAll(DRAWN, draw, resetPeakOfChildren, peakOfChildren)).toEqual([]);
    expect(DRAWN.taken.some(({ outcome }) => outcome === 'taken')).toBe(true);
  }, 1_800_000);

  itWith({ programs: ['dcmdump'] }, 'that take the most time and memory hold nobody up where dcmdump ends', () => {
    const compared = [READ, DRAWN].flatMap(compareWorst);
    printComparison(compared);
    for (const { work, taken } of [READ, DRAWN]) {
      expect(compared.some((object) => object.work === work)).toBe(true);
      expect(Math.max(...taken.map(({ bytes }) => bytes))).toBeLessThan(MAX_BYTES);
    }
    const isSlow = ({ work, ours }: ComparedObject): boolean =>
      work === 'read' ? ours.ms > MAX_READ_MS : ours.outcome === 'too_demanding';
    expect(compared.filter((object) => object.dumped.hasEnded && isSlow(object))).toEqual([]);
  });

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
