import dcmjsCodecs from 'dcmjs-codecs';
import { describe, expect, it } from 'vitest';
import { imageObject, packBits, smoothPixels, type ImageShape } from '../../../test/fixtures/dicom/image-objects.ts';
import { ctHeader, withAttributes } from '../../../test/fixtures/dicom/sample-objects.ts';
import { attribute, SYNTAX, writeDicom, type Attribute } from '../../../test/fixtures/dicom/write-dicom.ts';
import { drawByDcmtk } from '../../../test/support/dcmtk.ts';
import {
  CT,
  CT_PIXELS,
  RGB,
  RGB_PIXELS,
  contextOf,
  difference,
  encapsulated,
  refusalOf,
  showFrame,
  useDicomFolder,
} from '../../../test/support/dicom-frames.ts';
import { LONG } from '../../../test/support/long.ts';
import { describeWith } from '../../../test/support/requirements.ts';
import type { PictureOptions } from './picture.ts';

const { NativeCodecs } = dcmjsCodecs;
const files = useDicomFolder();

describeWith({ programs: ['dcmj2pnm'] }, 'Pixels without compression', () => {
  const signed16 = smoothPixels([-30_000, 32_000]);
  const table = (tag: number, first: number, count: number, bits: number, of: (i: number) => number): Attribute[] => [
    attribute(tag, 'US', [count % 65_536, first, bits]),
    attribute(
      tag + (tag === 0x0028_3002 ? 4 : 0x100),
      'OW',
      Array.from({ length: count }, (_, i) => of(i)),
    ),
  ];
  const palette = (bits: number, of: (i: number) => number): Attribute[] =>
    [0, 1, 2].flatMap((color) => table(0x0028_1101 + color, 0, 256, bits, (i) => of((i * (color + 3)) % 256)));
  const PALETTE: ImageShape = { photometric: 'PALETTE COLOR' };
  const overlay = [
    attribute(0x6000_0010, 'US', 20),
    attribute(0x6000_0011, 'US', 30),
    attribute(0x6000_0040, 'CS', 'G'),
    attribute(0x6000_0050, 'SS', [5, -3]),
    attribute(0x6000_0100, 'US', 1),
    attribute(0x6000_0102, 'US', 0),
    attribute(0x6000_3000, 'OW', packBits(Array.from({ length: 600 }, (_, i) => (i % 7) % 2))),
  ];
  const voi = [attribute(0x0028_1050, 'DS', '40.5'), attribute(0x0028_1051, 'DS', '350')];

  it.each<[string, ImageShape, number[], string[], Attribute[]]>([
    ['MONOCHROME2, 8 bits', {}, smoothPixels([0, 201]), ['+Wm'], []],
    ['MONOCHROME1, 8 bits', { photometric: 'MONOCHROME1' }, smoothPixels([0, 201]), ['+Wm'], []],
    ['MONOCHROME1 with a window', { ...CT, photometric: 'MONOCHROME1' }, CT_PIXELS, ['+Wi', '1'], voi],
    ['an inverse presentation', CT, CT_PIXELS, ['+Wm'], [attribute(0x2050_0020, 'CS', 'INVERSE')]],
    [
      'MONOCHROME1 with an inverse presentation',
      { ...CT, photometric: 'MONOCHROME1' },
      CT_PIXELS,
      ['+Wm'],
      [attribute(0x2050_0020, 'CS', 'INVERSE')],
    ],
    ['12 of 16 bits', CT, CT_PIXELS, ['+Wm'], []],
    ['16 bits', { allocated: 16 }, smoothPixels([0, 65_535]), ['+Wm'], []],
    ['16 bits, signed', { allocated: 16, isSigned: true }, signed16, ['+Wm'], []],
    ['12 of 16 bits, signed', { ...CT, isSigned: true }, smoothPixels([-2048, 2047]), ['+Wm'], []],
    ['10 bits in the upper ones', { allocated: 16, stored: 10, high: 15 }, smoothPixels([0, 65_535]), ['+Wm'], []],
    ['bits above the stored ones', CT, CT_PIXELS.map((value, i) => value + (i % 16) * 4096), ['+Wm'], []],
    ['32 bits', { allocated: 32 }, smoothPixels([0, 4_000_000_000]), ['+Wm'], []],
    ['1 bit', { allocated: 1 }, smoothPixels([0, 1]), ['+Wm'], []],
    ['RGB by pixel', RGB, RGB_PIXELS, [], []],
    ['RGB by plane', { ...RGB, planar: 1 }, RGB_PIXELS, [], []],
    ['YBR_FULL', { ...RGB, photometric: 'YBR_FULL' }, RGB_PIXELS, [], []],
    ['YBR_FULL by plane', { ...RGB, photometric: 'YBR_FULL', planar: 1 }, RGB_PIXELS, [], []],
    [
      'YBR_FULL_422',
      { ...RGB, rows: 64, columns: 256, photometric: 'YBR_FULL_422' },
      Array.from({ length: 2 * 64 * 256 }, (_, i) => [128, 100, (i * 37) & 255, (i >> 6) & 255][i % 4]!),
      [],
      [],
    ],
    [
      'YBR_PARTIAL_422',
      { ...RGB, rows: 64, columns: 256, photometric: 'YBR_PARTIAL_422' },
      Array.from({ length: 2 * 64 * 256 }, (_, i) => [120, 180, 16 + ((i * 37) % 224), 16 + ((i >> 6) % 224)][i % 4]!),
      [],
      [],
    ],
    ['a palette of 8 bits', PALETTE, smoothPixels([0, 255]), [], palette(8, (i) => i)],
    ['a palette of 16 bits', PALETTE, smoothPixels([0, 255]), [], palette(16, (i) => i * 257)],
    [
      'rescaled values in a window',
      { ...CT, isSigned: true },
      smoothPixels([-900, 1500]),
      ['+Wi', '1'],
      [...voi, attribute(0x0028_1052, 'DS', '-24.5'), attribute(0x0028_1053, 'DS', '0.5')],
    ],
    ['a sigmoid window', CT, smoothPixels([0, 400]), ['+Wi', '1'], [...voi, attribute(0x0028_1056, 'CS', 'SIGMOID')]],
    [
      'a VOI LUT',
      CT,
      smoothPixels([0, 1500]),
      ['+Wl', '1'],
      [attribute(0x0028_3010, 'SQ', [table(0x0028_3002, 200, 1024, 12, (i) => Math.floor(i ** 2 / 256))])],
    ],
    [
      'a modality LUT',
      CT,
      smoothPixels([0, 1500]),
      ['+Wm'],
      [
        attribute(0x0028_3000, 'SQ', [
          [...table(0x0028_3002, 100, 1024, 16, (i) => 60_000 - i * 40), attribute(0x0028_3004, 'LO', 'US')],
        ]),
      ],
    ],
    ['an overlay that is partly outside', CT, CT_PIXELS, ['+Wm'], overlay],
  ])('are shown as by dcmtk: %s', LONG, async (name, shape, pixels, args, others) => {
    const path = files.put(`${name}.dcm`, writeDicom(imageObject(shape, pixels, ...others)));
    // dcmtk cuts the fractions of rescaled values and of LUTs off.
    const tolerance = /^YBR|^rescaled|VOI LUT/.test(name) ? 1 : 0;
    expect(difference(await showFrame(path), drawByDcmtk(path, args))).toBeLessThanOrEqual(tolerance);
  });
});

describe('Pixels', () => {
  const bytesOf = async (object: Attribute[], options: PictureOptions = {}, frame = 0): Promise<number[]> =>
    Array.from((await showFrame(files.put('one.dcm', writeDicom(object)), options, frame)).data);
  const ROW: ImageShape = { rows: 1, columns: 6, allocated: 16, isSigned: true };
  const HOUNSFIELD = [attribute(0x0028_1052, 'DS', '-1000'), attribute(0x0028_1053, 'DS', '2')];
  const values = [0, 250, 500, 750, 1000, 1250];

  it('are shown in the window that is asked for, center or width alone with the other one of the header', async () => {
    const object = imageObject(ROW, values, ...HOUNSFIELD);
    const windowed = withAttributes(object, attribute(0x0028_1050, 'DS', '0'), attribute(0x0028_1051, 'DS', '1001'));
    const narrow = await bytesOf(windowed);
    expect(narrow).toEqual([0, 0, 127, 255, 255, 255]);
    expect(await bytesOf(object, { windowCenter: 0, windowWidth: 1001 })).toEqual(narrow);
    expect(await bytesOf(windowed, { windowCenter: 500 })).toEqual([0, 0, 0, 127, 255, 255]);
    expect(await bytesOf(windowed, { windowWidth: 2001 })).toEqual([0, 63, 127, 191, 255, 255]);
    expect(await bytesOf(object, { windowWidth: 2501 })).toEqual([0, 51, 102, 153, 204, 255]);
    expect(await bytesOf(windowed, { invert: true })).toEqual(narrow.map((value) => 255 - value));
  });

  it('follow an exact linear window', async () => {
    const exact = [attribute(0x0028_1050, 'DS', '500'), attribute(0x0028_1051, 'DS', '1000')];
    const object = imageObject(ROW, values, ...exact, attribute(0x0028_1056, 'CS', 'LINEAR_EXACT'));
    expect(await bytesOf(object)).toEqual([0, 63, 127, 191, 255, 255]);
  });

  it('take slope and window of their frame from functional groups', async () => {
    const group = (slope: string, center: string): Attribute[] => [
      attribute(0x0028_9145, 'SQ', [[attribute(0x0028_1052, 'DS', '0'), attribute(0x0028_1053, 'DS', slope)]]),
      attribute(0x0028_9132, 'SQ', [[attribute(0x0028_1050, 'DS', center), attribute(0x0028_1051, 'DS', '1001')]]),
    ];
    const frames = { ...ROW, frames: 2 };
    const groups = attribute(0x5200_9230, 'SQ', [group('1', '500.5'), group('2', '1000.5')]);
    const object = imageObject(frames, [...values, ...values], groups);
    expect(await bytesOf(object)).toEqual([0, 63, 127, 191, 255, 255]);
    expect(await bytesOf(object, {}, 1)).toEqual([0, 0, 127, 255, 255, 255]);
  });

  it.each([
    ['OF', 0x7fe0_0008, 32],
    ['OD', 0x7fe0_0009, 64],
  ])('may be fractions (%s)', async (vr, tag, allocated) => {
    const object = imageObject({ ...ROW, allocated: 16 }, values).filter((one) => one.tag !== 0x7fe0_0010);
    const fractions = attribute(tag, vr, [0, 0.25, 0.5, 0.75, 1, -0.5]);
    const floating = withAttributes(object, attribute(0x0028_0100, 'US', allocated), fractions);
    const options = { windowCenter: 0.5, windowWidth: 0.8 };
    expect(await bytesOf(floating, options)).toEqual([0, 47, 127, 207, 255, 0]);
    const path = files.put('floating.dcm', writeDicom(floating, { syntax: SYNTAX.bigEndian }));
    expect(Array.from((await showFrame(path, options)).data)).toEqual([0, 47, 127, 207, 255, 0]);
  });

  it.each([
    ['one frame, whose last word is half padding', 1, [2, 1, 0, 3]],
    ['two frames, which share a word', 2, [2, 1, 4, 3, 6, 5]],
  ])('of 8 bits are in words in big endian: %s', async (_name, frames, stored) => {
    const object = imageObject({ rows: 1, columns: 3, frames }, [0, 0, 0]);
    const words = withAttributes(object, attribute(0x7fe0_0010, 'OW', Uint8Array.from(stored)));
    const path = files.put('words.dcm', writeDicom(words, { syntax: SYNTAX.bigEndian }));
    const options = { windowCenter: 128, windowWidth: 256 };
    const shown: number[] = [];
    for (let frame = 0; frame < frames; frame += 1) shown.push(...(await showFrame(path, options, frame)).data);
    expect(shown).toEqual([1, 2, 3, 4, 5, 6].slice(0, 3 * frames));
  });

  it('of YBR_FULL_422 share colors in pairs', async () => {
    const shape: ImageShape = { rows: 1, columns: 4, samples: 3, photometric: 'YBR_FULL_422' };
    const gray = [10, 20, 128, 128, 30, 40, 128, 128];
    expect(await bytesOf(imageObject(shape, gray))).toEqual([10, 20, 30, 40].flatMap((value) => [value, value, value]));
  });

  it('of a segmented palette are expanded', async () => {
    const shape: ImageShape = { rows: 1, columns: 6, photometric: 'PALETTE COLOR' };
    const segments = [0, 2, 10, 20, 1, 4, 60];
    const object = imageObject(
      shape,
      [0, 1, 2, 3, 4, 5],
      ...[0, 1, 2].flatMap((color) => [
        attribute(0x0028_1101 + color, 'US', [6, 0, 8]),
        attribute(0x0028_1221 + color, 'OW', segments),
      ]),
    );
    expect(await bytesOf(object)).toEqual([10, 20, 30, 40, 50, 60].flatMap((value) => [value, value, value]));
  });

  it.each([
    [16, 12],
    [8, 7],
  ] as const)('of old objects of %i bits have overlays in the bits above them', async (allocated, bit) => {
    const embedded = [
      attribute(0x6000_0010, 'US', 1),
      attribute(0x6000_0011, 'US', 6),
      attribute(0x6000_0040, 'CS', 'G'),
      attribute(0x6000_0050, 'SS', [1, 1]),
      attribute(0x6000_0100, 'US', allocated),
      attribute(0x6000_0102, 'US', bit),
    ];
    const shape: ImageShape = { rows: 1, columns: 6, allocated, stored: bit };
    const object = imageObject(shape, [0, 2 ** bit + 1, 2, 3, 4, 2 ** bit + 5], ...embedded);
    expect(await bytesOf(object, { windowCenter: 3, windowWidth: 6 })).toEqual([0, 255, 102, 153, 204, 255]);
  });

  it('in frames of one bit begin within bytes', async () => {
    const shape: ImageShape = { rows: 1, columns: 3, frames: 3, allocated: 1 };
    const object = imageObject(shape, [1, 0, 1, 0, 1, 1, 1, 1, 0]);
    expect(await bytesOf(object, {}, 1)).toEqual([0, 255, 255]);
    expect(await bytesOf(object, {}, 2)).toEqual([255, 255, 0]);
  });

  it('are found by a basic or an extended offset table, or by where pictures begin', async () => {
    const shape: ImageShape = { frames: 2 };
    const frames = [smoothPixels([0, 255]), smoothPixels([255, 0])];
    const coded = frames.map((pixels) => NativeCodecs.encodeJpegLs(contextOf(pixels, {})).getEncodedBuffer()!);
    const even = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, bytes.length & ~1);
    const halves = coded.flatMap((bytes) => [even(bytes.subarray(0, 500)), bytes.subarray(500)]);
    const second = 500 + 8 + halves[1]!.length + (halves[1]!.length % 2) + 8;
    const extended = Buffer.alloc(16);
    extended.writeBigUInt64LE(BigInt(second), 8);
    const object = imageObject(shape, frames.flat());
    const write = (offsets: number[], ...others: Attribute[]): string => {
      const pixels = { tag: 0x7fe0_0010, vr: 'OB', value: { offsets, fragments: halves } };
      return files.put(
        'two.dcm',
        writeDicom(withAttributes(object, pixels, ...others), { syntax: '1.2.840.10008.1.2.4.80' }),
      );
    };
    const tables: [number[], ...Attribute[]][] = [
      [[0, second]],
      [[], attribute(0x7fe0_0001, 'OV', extended)],
      [[]],
      [[0, 0]],
    ];
    for (const table of tables)
      expect((await showFrame(write(...table), {}, 1)).data).toEqual(Uint8Array.from(frames[1]!));
  });

  it('in RLE are found in several fragments each, also without an offset table', async () => {
    const shape: ImageShape = { rows: 1, columns: 4, frames: 2 };
    const halves = [10, 20].flatMap((first) => {
      const head = Buffer.alloc(64);
      head.writeUInt32LE(1, 0);
      head.writeUInt32LE(64, 4);
      return [head, Buffer.of(3, first, first + 1, first + 2, first + 3, 0)];
    });
    const pixels = { tag: 0x7fe0_0010, vr: 'OB', value: { offsets: [], fragments: halves } };
    const object = withAttributes(imageObject(shape, []), pixels);
    const path = files.put('rle.dcm', writeDicom(object, { syntax: '1.2.840.10008.1.2.5' }));
    const window = { windowCenter: 128, windowWidth: 256 };
    expect([...(await showFrame(path, window, 0)).data]).toEqual([10, 11, 12, 13]);
    expect([...(await showFrame(path, window, 1)).data]).toEqual([20, 21, 22, 23]);
  });

  it.each(['JpegLs', 'Jpeg2000'] as const)('are what the codestream says, not the header (%s)', async (codec) => {
    const encode = (pixels: number[], shape: ImageShape): Uint8Array => {
      const context = contextOf(pixels, shape);
      const coded = codec === 'JpegLs' ? NativeCodecs.encodeJpegLs(context) : NativeCodecs.encodeJpeg2000(context);
      return coded.getEncodedBuffer()!;
    };
    const syntax = codec === 'JpegLs' ? '1.2.840.10008.1.2.4.80' : '1.2.840.10008.1.2.4.90';
    const bytes = smoothPixels([0, 255]);
    const wide = encapsulated(imageObject({ allocated: 16, stored: 8 }, []), syntax, encode(bytes, {}));
    const window = { windowCenter: 128, windowWidth: 256 };
    expect((await showFrame(files.put('wide.dcm', wide), window)).data).toEqual(Uint8Array.from(bytes));
    const planar = encapsulated(imageObject({ ...RGB, planar: 1 }, []), syntax, encode(RGB_PIXELS, RGB));
    expect((await showFrame(files.put('planar.dcm', planar))).data).toEqual(Uint8Array.from(RGB_PIXELS));
    const ybr: ImageShape = { ...RGB, photometric: 'YBR_FULL' };
    const native = await showFrame(files.put('native.dcm', writeDicom(imageObject(ybr, RGB_PIXELS))));
    const converted = encapsulated(imageObject(ybr, []), syntax, encode(RGB_PIXELS, RGB));
    expect(await showFrame(files.put('ybr.dcm', converted))).toEqual(native);
  });

  it.each<[string, string, () => Buffer]>([
    ['an object without pixels', 'no_pixels', () => writeDicom(ctHeader())],
    [
      'a video',
      'unsupported_syntax',
      () => encapsulated(imageObject({}, []), '1.2.840.10008.1.2.4.102', Buffer.alloc(9)),
    ],
    ['pixels that are cut off', 'damaged', () => writeDicom(imageObject({}, smoothPixels([0, 9]).slice(4)))],
    [
      'CMYK',
      'unsupported_pixels',
      () => writeDicom(withAttributes(imageObject({}, []), attribute(0x0028_0002, 'US', 4))),
    ],
    ['HSV', 'unsupported_pixels', () => writeDicom(imageObject({ ...RGB, photometric: 'HSV' }, RGB_PIXELS))],
    ['no rows', 'damaged', () => writeDicom(imageObject({ rows: 0 }, []))],
    ['four thousand million pixels', 'too_large', () => writeDicom(imageObject({ rows: 65_535, columns: 65_535 }, []))],
    [
      'a palette that is missing',
      'damaged',
      () => writeDicom(imageObject({ photometric: 'PALETTE COLOR' }, smoothPixels([0, 9]))),
    ],
    [
      'a JPEG of another size',
      'damaged',
      () =>
        encapsulated(
          imageObject({ rows: 38 }, []),
          '1.2.840.10008.1.2.4.80',
          NativeCodecs.encodeJpegLs(contextOf(CT_PIXELS, CT)).getEncodedBuffer()!,
        ),
    ],
    [
      'no JPEG',
      'damaged',
      () => encapsulated(imageObject({}, []), '1.2.840.10008.1.2.4.70', Buffer.from('no picture at all')),
    ],
    ['no RLE', 'damaged', () => encapsulated(imageObject({}, []), '1.2.840.10008.1.2.5', Buffer.alloc(70, 0xff))],
    ['elements that end before the pixels', 'damaged', () => writeDicom(imageObject({}, [])).subarray(0, -40)],
    ['another file', 'not_dicom', () => Buffer.from('%PDF-1.7')],
  ])('are refused with a reason: %s', async (_name, code, make) => {
    expect(await refusalOf(files.put('refused.dcm', make()))).toBe(code);
  });
});
