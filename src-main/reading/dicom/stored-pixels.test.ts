import { describe, expect, it } from 'vitest';
import { imageObject, type ImageShape } from '../../../test/fixtures/dicom/image-objects.ts';
import { withAttributes, withoutTags } from '../../../test/fixtures/dicom/sample-objects.ts';
import { attribute, writeDicom, type Attribute } from '../../../test/fixtures/dicom/write-dicom.ts';
import { useDicomFolder } from '../../../test/support/dicom-frames.ts';
import { joinPixels, splitPixels } from '../../../src-shared/contract/imaging-pixels.ts';
import { openObject } from './open-object.ts';
import { openImaging } from './picture.ts';
import type { StoredPixels } from './stored-pixels.ts';

const files = useDicomFolder();
const ROW: ImageShape = { rows: 1, columns: 4, allocated: 16, isSigned: true };
const VALUES = [-1000, 0, 40, 900];

async function stored(object: Attribute[], frame = 0): Promise<StoredPixels> {
  const file = openObject(files.put('one.dcm', writeDicom(object)));
  try {
    return await openImaging(file.object, file.source).store(file.source, frame);
  } finally {
    file.close();
  }
}
const numbersOf = ({ header, values, overlay }: StoredPixels): number[] => {
  const { buffer } = splitPixels(joinPixels(header, values, overlay).buffer).values.slice();
  if (header.type === 'float32') return Array.from(new Float32Array(buffer));
  if (header.type === 'int16') return Array.from(new Int16Array(buffer));
  return Array.from(header.type === 'uint16' ? new Uint16Array(buffer) : new Uint8Array(buffer));
};
const row = (...others: Attribute[]): Attribute[] => withAttributes(imageObject(ROW, VALUES), ...others);

describe('The stored values of a frame', () => {
  it('are not changed by windows and rescaling, which the header names with the unit', async () => {
    const answer = await stored(
      row(
        attribute(0x0028_1050, 'DS', '40\\-600'),
        attribute(0x0028_1051, 'DS', '400\\1600'),
        attribute(0x0028_1055, 'LO', 'SOFT\\LUNG'),
        attribute(0x0028_1052, 'DS', '-24'),
        attribute(0x0028_1053, 'DS', '2'),
      ),
    );
    expect(numbersOf(answer)).toEqual(VALUES);
    expect(answer.header).toMatchObject({
      ...{ rows: 1, columns: 4, type: 'int16', slope: 2, intercept: -24, minimum: -1000, maximum: 900, unit: 'HU' },
      windows: [
        { center: 40, width: 400, name: 'SOFT' },
        { center: -600, width: 1600, name: 'LUNG' },
      ],
      ...{ position: [-120.5, -130, 42.5], orientation: [1, 0, 0, 0, 1, 0], modality: 'CT', isInverted: false },
    });
  });

  it('come with the graphics that are drawn over them, cut at the edges of the picture', async () => {
    const graphics = [
      ...[attribute(0x6000_0010, 'US', 2), attribute(0x6000_0011, 'US', 3), attribute(0x6000_0040, 'CS', 'G')],
      ...[attribute(0x6000_0050, 'SS', [2, 3]), attribute(0x6000_0100, 'US', 1), attribute(0x6000_0102, 'US', 0)],
      // 1 0 1 / 0 1 0, its last column beside the picture.
      attribute(0x6000_3000, 'OB', Buffer.from([0b010101, 0])),
    ];
    const shape: ImageShape = { ...ROW, rows: 3 };
    const pixels = Array.from({ length: 12 }, (_, at) => at);
    const answer = await stored(withAttributes(imageObject(shape, pixels), ...graphics));
    const { header, values, overlay } = splitPixels(joinPixels(answer.header, answer.values, answer.overlay).buffer);
    expect(header.hasOverlay).toBe(true);
    expect(values.length).toBe(24);
    const covered = Array.from({ length: 12 }, (_, at) => (overlay![at >> 3]! >> (at & 7)) & 1);
    expect(covered).toEqual([0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    const bare = await stored(imageObject(shape, pixels));
    expect([bare.header.hasOverlay, bare.overlay]).toEqual([false, null]);
  });

  it('are shown whole without a window, and say when white is the least', async () => {
    const { header } = await stored(row(attribute(0x0028_0004, 'CS', 'MONOCHROME1')));
    expect(header).toMatchObject({
      windows: [{ center: -49.5, width: 1901, name: null }],
      isInverted: true,
      unit: null,
    });
  });

  it('come from a modality lookup table where there is one', async () => {
    const table = [
      attribute(0x0028_3002, 'US', [3, 0, 16]),
      attribute(0x0028_3006, 'OW', [7, 8, 9]),
      attribute(0x0028_3004, 'LO', 'OD'),
    ];
    const answer = await stored(row(attribute(0x0028_3000, 'SQ', [table])));
    expect(numbersOf(answer)).toEqual([7, 7, 9, 9]);
    expect(answer.header).toMatchObject({ type: 'float32', slope: 1, intercept: 0 });
  });

  it('are red, green and blue of palettes', async () => {
    const lut = (tag: number, entry: number): Attribute[] => [
      attribute(tag, 'US', [2, 0, 8]),
      attribute(tag + 0x100, 'OW', [entry, 200]),
    ];
    const palette = [0, 1, 2].flatMap((color) => lut(0x0028_1101 + color, color));
    const image = imageObject({ rows: 1, columns: 2, photometric: 'PALETTE COLOR' }, [0, 1], ...palette);
    const answer = await stored(image);
    expect(answer.header.type).toBe('rgb8');
    expect(numbersOf(answer)).toEqual([0, 1, 2, 200, 200, 200]);
  });

  it('have as few bits as they need, and fractions only if whole numbers do not fit', async () => {
    const wide = { rows: 1, columns: 2, allocated: 32 } as const;
    const small = await stored(imageObject(wide, [1, 60_000]));
    expect([small.header.type, numbersOf(small)]).toEqual(['uint16', [1, 60_000]]);
    const large = await stored(imageObject(wide, [1, 4_000_000]));
    expect([large.header.type, numbersOf(large)]).toEqual(['float32', [1, 4_000_000]]);
  });
});

describe('The spacing of a frame', () => {
  const spacingOf = async (...others: Attribute[]) => {
    const { spacing, spacingAt, aspect } = (await stored(row(...others))).header;
    return { spacing, spacingAt, aspect };
  };
  const modality = (name: string): Attribute => attribute(0x0008_0060, 'CS', name);
  const detector = attribute(0x0018_1164, 'DS', '0.2\\0.1');

  it('is that of the patient in slices', async () => {
    expect(await spacingOf(attribute(0x0028_0030, 'DS', '0.5\\0.25'))).toEqual({
      ...{ spacing: [0.5, 0.25], spacingAt: 'patient', aspect: 2 },
    });
  });

  it('is that of the detector in radiographs, unless they are calibrated', async () => {
    const own = attribute(0x0028_0030, 'DS', '0.2\\0.1');
    expect(await spacingOf(modality('DX'), detector)).toMatchObject({ spacing: [0.2, 0.1], spacingAt: 'detector' });
    expect(await spacingOf(modality('DX'), detector, own)).toMatchObject({ spacingAt: 'detector' });
    const other = attribute(0x0028_0030, 'DS', '0.1\\0.05');
    expect(await spacingOf(modality('DX'), detector, other)).toMatchObject({
      ...{ spacing: [0.1, 0.05], spacingAt: 'patient' },
    });
  });

  it('is that of the only region of an ultrasound image, and none for lengths of zero', async () => {
    const region = (units: number): Attribute[] => [
      attribute(0x0018_6024, 'US', units),
      attribute(0x0018_6026, 'US', units),
      attribute(0x0018_602c, 'FD', [0.02]),
      attribute(0x0018_602e, 'FD', [0.03]),
    ];
    const regions = (...items: Attribute[][]): Attribute => attribute(0x0018_6011, 'SQ', items);
    const shown = await spacingOf(modality('US'), regions(region(3)));
    expect(shown.spacing?.map((length) => Number(length.toFixed(6)))).toEqual([0.3, 0.2]);
    expect(await spacingOf(modality('US'), regions(region(4)))).toMatchObject({ spacing: null });
    expect(await spacingOf(modality('US'), regions(region(3), region(3)))).toMatchObject({ spacing: null });
    expect(await spacingOf(attribute(0x0028_0030, 'DS', '0\\0'))).toEqual({
      ...{ spacing: null, spacingAt: null, aspect: 1 },
    });
  });

  it('needs two directions to have a place in the patient', async () => {
    const { header } = await stored(row(attribute(0x0020_0037, 'DS', '1\\0\\0\\1\\0\\0')));
    expect(header.orientation).toBeNull();
    const { header: bare } = await stored(withoutTags(row(), 0x0020_0032, 0x0020_0037));
    expect([bare.position, bare.orientation]).toEqual([null, null]);
  });
});
