import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import dcmjsCodecs from 'dcmjs-codecs';
import { beforeAll, expect, it } from 'vitest';
import { imageObject, ODD, smoothPixels, type ImageShape } from '../../../test/fixtures/dicom/image-objects.ts';
import { writeDicom } from '../../../test/fixtures/dicom/write-dicom.ts';
import { drawByDcmtk, runDcmtk } from '../../../test/support/dcmtk.ts';
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
import { readCodestreamHeader } from './codestream.ts';
import { openObject } from './open-object.ts';
import { openImaging } from './picture.ts';

const { NativeCodecs } = dcmjsCodecs;
const files = useDicomFolder();
const CT_WINDOW = { windowCenter: 1800, windowWidth: 2600 };
const CT_ARGS = ['+Ww', '1800', '2600'];

describeWith(
  { programs: ['dcmj2pnm', 'dcml2pnm', 'dcmcjpeg', 'dcmcjpls', 'dcmcrle', 'dcmconv'] },
  'Frames in a transfer syntax of dcmtk',
  () => {
    let gray: string;
    beforeAll(() => {
      gray = files.put('gray.dcm', writeDicom(imageObject(CT, CT_PIXELS)));
      files.put('color.dcm', writeDicom(imageObject(RGB, RGB_PIXELS)));
      files.put('gray8.dcm', writeDicom(imageObject({}, smoothPixels([0, 255]))));
    });

    it.each([
      ['implicit little endian', ['dcmconv', '+ti'], 0],
      ['explicit little endian', ['dcmconv', '+te'], 0],
      ['explicit big endian', ['dcmconv', '+tb'], 0],
      ['deflated', ['dcmconv', '+td'], 0],
      ['RLE', ['dcmcrle'], 0],
      ['JPEG extended, 12 bits', ['dcmcjpeg', '+ee'], 1],
      ['JPEG lossless', ['dcmcjpeg', '+el', '+sv', '6'], 0],
      ['JPEG lossless, first-order prediction', ['dcmcjpeg', '+e1'], 0],
      ['JPEG-LS lossless', ['dcmcjpls', '+el'], 0],
      ['JPEG-LS near-lossless', ['dcmcjpls', '+en'], 1],
    ] as const)('are those of dcmtk: %s', LONG, async (name, [program, ...args], tolerance) => {
      const path = files.pathOf(`${name}.dcm`);
      runDcmtk(program, ...args, gray, path);
      const drawn = drawByDcmtk(path, CT_ARGS, program === 'dcmcjpls' ? 'dcml2pnm' : 'dcmj2pnm');
      expect(difference(await showFrame(path, CT_WINDOW), drawn)).toBeLessThanOrEqual(tolerance);
      if (tolerance === 0) expect(difference(await showFrame(path, CT_WINDOW), drawByDcmtk(gray, CT_ARGS))).toBe(0);
    });

    it.each([
      ['JPEG baseline', 'gray8.dcm', ['dcmcjpeg', '+eb'], 1],
      ['JPEG baseline in color', 'color.dcm', ['dcmcjpeg', '+eb', '+s4'], 1],
      ['JPEG baseline with half the colors', 'color.dcm', ['dcmcjpeg', '+eb', '+s2'], 1],
      ['JPEG extended, 8 bits', 'gray8.dcm', ['dcmcjpeg', '+ee'], 1],
      ['JPEG progressive', 'color.dcm', ['dcmcjpeg', '+ep'], 1],
      ['JPEG spectral selection', 'gray8.dcm', ['dcmcjpeg', '+es'], 1],
      ['JPEG lossless in color', 'color.dcm', ['dcmcjpeg', '+e1'], 0],
      ['JPEG-LS in color, by line', 'color.dcm', ['dcmcjpls', '+il'], 0],
      ['JPEG-LS in color, by sample', 'color.dcm', ['dcmcjpls', '+is'], 0],
      ['JPEG-LS in color, by scan', 'color.dcm', ['dcmcjpls', '+in'], 0],
      ['RLE in color', 'color.dcm', ['dcmcrle'], 0],
      ['big endian in color', 'color.dcm', ['dcmconv', '+tb'], 0],
    ] as const)('are those of dcmtk: %s', LONG, async (name, source, [program, ...args], tolerance) => {
      const path = files.pathOf(`${name}.dcm`);
      runDcmtk(program, ...args, files.pathOf(source), path);
      const window = source === 'gray8.dcm' ? ['+Wm'] : [];
      const drawn = drawByDcmtk(path, window, program === 'dcmcjpls' ? 'dcml2pnm' : 'dcmj2pnm');
      expect(difference(await showFrame(path), drawn)).toBeLessThanOrEqual(tolerance);
      if (tolerance === 0) expect((await showFrame(path)).data).toEqual(Uint8Array.from(RGB_PIXELS));
    });

    it('draws the frames of a JPEG in several fragments', async () => {
      const shape: ImageShape = { ...CT, frames: 3 };
      const source = files.put('frames.dcm', writeDicom(imageObject(shape, smoothPixels([0, 4095], shape))));
      const path = files.pathOf('fragments.dcm');
      runDcmtk('dcmcjpeg', '+e1', '+fs', '1', source, path);
      for (const frame of [0, 1, 2])
        expect(
          difference(await showFrame(path, {}, frame), drawByDcmtk(source, ['+Wm', '+F', String(frame + 1)])),
        ).toBe(0);
      expect(await refusalOf(path, 3)).toBe('no_frame');
    });
  },
);

describeWith({ programs: ['opj_compress'] }, 'Colors of more than 8 bits', () => {
  it.each([
    ['JPEG 2000', 16, '0', 'RGB'],
    ['JPEG 2000, transformed', 12, '1', 'YBR_RCT'],
  ] as const)('in %s are those that were coded', async (name, stored, transform, photometric) => {
    const shape: ImageShape = { samples: 3, photometric: 'RGB', allocated: 16, stored };
    const pixels = smoothPixels([0, 2 ** stored - 1], shape);
    const planes = [0, 1, 2].flatMap((sample) => pixels.filter((_, i) => i % 3 === sample));
    const raw = files.put(`${name}.rawl`, new Uint8Array(Uint16Array.from(planes).buffer));
    const coded = files.pathOf(`${name}.j2k`);
    const size = `${ODD.columns},${ODD.rows},3,${stored},u`;
    execFileSync('opj_compress', ['-i', raw, '-o', coded, '-F', size, '-mct', transform, '-n', '4'], { stdio: 'pipe' });
    await expectPixels({ ...shape, photometric }, pixels, '1.2.840.10008.1.2.4.90', readFileSync(coded));
  });

  it('in high-throughput JPEG 2000 are those of OpenJPEG', async () => {
    const shape: ImageShape = { samples: 3, photometric: 'RGB', allocated: 16 };
    // The encoder repeats one of the colors.
    const context = contextOf(smoothPixels([0, 65_535], shape), shape);
    const coded = NativeCodecs.encodeHtJpeg2000(context, { lossy: false }).getEncodedBuffer()!;
    const expected = readSamplesOfOpenJpeg(files.put('wide.j2k', coded));
    expect(new Set(expected).size).toBeGreaterThan(500);
    await expectPixels(shape, expected, '1.2.840.10008.1.2.4.201', coded);
  });

  const asBytes = (pixels: number[]): Uint8Array => new Uint8Array(Uint16Array.from(pixels).buffer);
  async function expectPixels(shape: ImageShape, pixels: number[], syntax: string, coded: Uint8Array): Promise<void> {
    const path = files.put('wide.dcm', encapsulated(imageObject(shape, pixels), syntax, coded));
    const { object, source, close } = openObject(path);
    const decoded = await openImaging(object, source).native(source, 0);
    close();
    expect(Buffer.compare(decoded, asBytes(pixels))).toBe(0);
    const plain = files.put('plain.dcm', writeDicom(imageObject({ ...shape, photometric: 'RGB' }, pixels)));
    expect((await showFrame(path)).data).toEqual((await showFrame(plain)).data);
  }
});

describeWith({ programs: ['opj_decompress'] }, 'Frames in JPEG 2000', () => {
  const SIGNED: ImageShape = { allocated: 16, isSigned: true };
  const encode = (method: 'Jpeg2000' | 'HtJpeg2000', shape: ImageShape, pixels: number[], isLossy: boolean) => {
    const context = contextOf(pixels, shape);
    const options = { lossy: isLossy };
    return method === 'Jpeg2000'
      ? NativeCodecs.encodeJpeg2000(context, { ...options, rate: 8 }).getEncodedBuffer()!
      : NativeCodecs.encodeHtJpeg2000(context, options).getEncodedBuffer()!;
  };

  it.each<[string, 'Jpeg2000' | 'HtJpeg2000', string, ImageShape, number[], boolean]>([
    ['lossless', 'Jpeg2000', '1.2.840.10008.1.2.4.90', CT, CT_PIXELS, false],
    ['lossless, 16 bits signed', 'Jpeg2000', '1.2.840.10008.1.2.4.90', SIGNED, smoothPixels([-32_768, 32_767]), false],
    ['lossless, in color', 'Jpeg2000', '1.2.840.10008.1.2.4.90', RGB, RGB_PIXELS, false],
    ['lossy', 'Jpeg2000', '1.2.840.10008.1.2.4.91', CT, CT_PIXELS, true],
    ['high throughput, lossless', 'HtJpeg2000', '1.2.840.10008.1.2.4.201', CT, CT_PIXELS, false],
    [
      'high throughput, 16 bits',
      'HtJpeg2000',
      '1.2.840.10008.1.2.4.202',
      { allocated: 16 },
      smoothPixels([0, 65_535]),
      false,
    ],
    ['high throughput, in color', 'HtJpeg2000', '1.2.840.10008.1.2.4.201', RGB, RGB_PIXELS, false],
    ['high throughput, lossy', 'HtJpeg2000', '1.2.840.10008.1.2.4.203', CT, CT_PIXELS, true],
  ])('are those of OpenJPEG: %s', async (name, method, syntax, shape, pixels, isLossy) => {
    const coded = encode(method, shape, pixels, isLossy);
    const codestream = files.put(`${name}.j2k`, coded);
    const expected = readSamplesOfOpenJpeg(codestream);
    const plain = files.put(`${name} plain.dcm`, writeDicom(imageObject(shape, expected)));
    const path = files.put(`${name}.dcm`, encapsulated(imageObject(shape, pixels), syntax, coded));
    expect(difference(await showFrame(path, CT_WINDOW), await showFrame(plain, CT_WINDOW))).toBe(0);
    if (!isLossy) expect(expected).toEqual(pixels);
  });
});

/** Samples of a codestream as OpenJPEG's own program decodes them, pixel by pixel. */
function readSamplesOfOpenJpeg(codestream: string): number[] {
  const output = `${codestream}.rawl`;
  execFileSync('opj_decompress', ['-i', codestream, '-o', output], { stdio: 'pipe' });
  const { components, precision, isSigned } = readCodestreamHeader(readFileSync(codestream))!;
  const bytes = Uint8Array.from(readFileSync(output));
  const wordsOf = isSigned ? Int16Array : Uint16Array;
  const planes = Array.from(precision > 8 ? new wordsOf(bytes.buffer) : bytes);
  const size = planes.length / components;
  return Array.from(planes, (_, i) => planes[(i % components) * size + Math.floor(i / components)]!);
}
