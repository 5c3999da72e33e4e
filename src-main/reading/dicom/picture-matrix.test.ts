/** @module-tag long */
import { expect, it } from 'vitest';
import { imageObject, packBits, smoothPixels, type ImageShape } from '../../../test/fixtures/dicom/image-objects.ts';
import { attribute, writeDicom, type Attribute } from '../../../test/fixtures/dicom/write-dicom.ts';
import { drawByDcmtk, runDcmtk } from '../../../test/support/dcmtk.ts';
import { difference, showFrame, useDicomFolder } from '../../../test/support/dicom-frames.ts';
import { describeWith } from '../../../test/support/requirements.ts';

const files = useDicomFolder();

interface Kind {
  name: string;
  shape: ImageShape;
  pixels: number[];
  /** How dcmtk draws it. */
  args?: string[];
  others?: Attribute[];
  tolerance?: number;
  without?: string[];
}
const gray = (name: string, shape: ImageShape, range: [number, number], more: Partial<Kind> = {}): Kind => ({
  ...{ name, shape, pixels: smoothPixels(range, shape), args: ['+Wm'] },
  ...more,
});
const color = (name: string, shape: ImageShape, more: Partial<Kind> = {}): Kind => ({
  ...{ name, shape, pixels: smoothPixels([0, 255], shape) },
  ...more,
});
const voi = [attribute(0x0028_1050, 'DS', '40'), attribute(0x0028_1051, 'DS', '300')];
const grayTable = attribute(0x0028_3010, 'SQ', [
  [
    attribute(0x0028_3002, 'US', [4096, 0, 16]),
    attribute(
      0x0028_3006,
      'OW',
      Array.from({ length: 4096 }, (_, i) => Math.floor((i / 4095) ** 2 * 65_535)),
    ),
  ],
]);
const graphics = [
  ...[attribute(0x6000_0010, 'US', 9), attribute(0x6000_0011, 'US', 11), attribute(0x6000_0040, 'CS', 'G')],
  ...[attribute(0x6000_0050, 'SS', [3, 4]), attribute(0x6000_0100, 'US', 1), attribute(0x6000_0102, 'US', 0)],
  attribute(0x6000_3000, 'OW', packBits(Array.from({ length: 100 }, (_, i) => (i % 5 === 0 ? 1 : 0)))),
];
const palette = [0, 1, 2].flatMap((hue) => [
  attribute(0x0028_1101 + hue, 'US', [256, 0, 16]),
  attribute(
    0x0028_1201 + hue,
    'OW',
    Array.from({ length: 256 }, (_, i) => ((i * (hue + 2)) % 256) * 257),
  ),
]);

/** Two entries of 8 bits fill a word. */
const narrowPalette = [0, 1, 2].flatMap((hue) => [
  attribute(0x0028_1101 + hue, 'US', [256, 0, 8]),
  attribute(
    0x0028_1201 + hue,
    'OW',
    Array.from({ length: 128 }, (_, i) => ((i * 2 * (hue + 2)) & 255) | ((((i * 2 + 1) * (hue + 2)) & 255) << 8)),
  ),
]);

const KINDS: readonly Kind[] = [
  gray('one pixel', { rows: 1, columns: 1 }, [77, 77]),
  gray('one row', { rows: 1, columns: 17, allocated: 16, stored: 12 }, [0, 4095]),
  gray('one column', { rows: 19, columns: 1 }, [3, 250]),
  gray('8 bits, signed', { isSigned: true }, [-128, 127]),
  gray('7 of 8 bits', { stored: 7 }, [0, 127]),
  gray('9 of 16 bits', { allocated: 16, stored: 9 }, [0, 511]),
  gray('14 of 16 bits, signed', { allocated: 16, stored: 14, isSigned: true }, [-8192, 8191]),
  gray('9 of 16 bits from the second, signed', { allocated: 16, stored: 9, high: 9, isSigned: true }, [-100, 511]),
  gray('5 of 8 bits from the third', { stored: 5, high: 6 }, [0, 127]),
  gray('16 bits', { allocated: 16 }, [0, 65_535]),
  gray('32 bits', { allocated: 32 }, [0, 4_000_000_000], { without: ['JPEG', 'JPEG-LS'] }),
  gray('MONOCHROME1, 16 bits', { allocated: 16, photometric: 'MONOCHROME1' }, [100, 60_000]),
  gray('a window', { allocated: 16, stored: 12 }, [0, 400], { args: ['+Wi', '1'], others: voi }),
  gray('a table of grays', { allocated: 16, stored: 12 }, [0, 4095], { args: ['+Wl', '1'], others: [grayTable] }),
  gray('graphics', { allocated: 16, stored: 12 }, [0, 3000], { others: graphics }),
  gray('an even size', { rows: 64, columns: 48, allocated: 16, stored: 12 }, [0, 4095]),
  color('RGB', { samples: 3, photometric: 'RGB' }),
  color('RGB of an odd size', { rows: 3, columns: 5, samples: 3, photometric: 'RGB' }),
  color('RGB by plane', { samples: 3, photometric: 'RGB', planar: 1 }),
  color('YBR_FULL', { samples: 3, photometric: 'YBR_FULL' }, { tolerance: 1, without: ['JPEG', 'JPEG-LS'] }),
  // Encoders of JPEG refuse palettes or apply them.
  gray('a palette', { photometric: 'PALETTE COLOR' }, [0, 255], { args: [], others: palette, without: ['JPEG'] }),
  gray('a palette of 8 bits in words', { photometric: 'PALETTE COLOR' }, [0, 255], {
    args: [],
    others: narrowPalette,
    without: ['JPEG'],
  }),
];

/** Codings that dcmtk writes; the kind of each is the beginning of its name. */
const CODINGS: readonly (readonly [name: string, program: string, ...args: string[]])[] = [
  ['implicit', 'dcmconv', '+ti'],
  ['big endian', 'dcmconv', '+tb'],
  ['deflated', 'dcmconv', '+td'],
  ['RLE', 'dcmcrle'],
  ['JPEG lossless', 'dcmcjpeg', '+e1'],
  ['JPEG lossless, process 14', 'dcmcjpeg', '+el', '+sv', '2'],
  ['JPEG-LS lossless', 'dcmcjpls', '+el'],
];

const programs = ['dcmj2pnm', 'dcml2pnm', 'dcmcjpeg', 'dcmcjpls', 'dcmcrle', 'dcmconv'];
describeWith({ programs }, 'A picture of each kind is shown as by dcmtk', () => {
  it.each(CODINGS)('in %s', async (coding, program, ...args) => {
    const compared: string[] = [];
    const different: string[] = [];
    for (const { name, shape, pixels, args: how = [], others = [], tolerance = 0, without = [] } of KINDS) {
      if (without.some((other) => coding === other || coding.startsWith(`${other} `))) continue;
      const native = files.put('native.dcm', writeDicom(imageObject(shape, pixels, ...others)));
      const coded = files.pathOf('coded.dcm');
      runDcmtk(program, ...args, native, coded);
      const shown = await showFrame(coded).catch((error: unknown) => String(error));
      const expected = drawByDcmtk(coded, how, program === 'dcmcjpls' ? 'dcml2pnm' : 'dcmj2pnm');
      compared.push(name);
      if (typeof shown === 'string') different.push(`${name}: ${shown}`);
      else if (difference(shown, expected) > tolerance) different.push(`${name}: by ${difference(shown, expected)}`);
    }
    expect(different).toEqual([]);
    expect(compared.length).toBeGreaterThanOrEqual(KINDS.length - 4);
  });
});
