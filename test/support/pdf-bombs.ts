import { deflateSync } from 'node:zlib';

/** Small PDFs whose images, patterns and forms ask their reader for gigabytes or hours. */

const u16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
};
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** An object without a stream, or the dictionary and bytes of one with. */
type PdfObject = string | readonly [dictionary: string, bytes: Buffer];

/** A PDF of these objects, of which the first is the catalog (ISO 32000-2, 7.5). */
function writePdf(objects: readonly PdfObject[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let length = 9;
  const add = (bytes: Buffer): void => {
    parts.push(bytes);
    length += bytes.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    const [dictionary, bytes] = typeof object === 'string' ? [object, null] : object;
    const text = bytes === null ? dictionary : `<< ${dictionary} /Length ${bytes.length} >>\nstream\n`;
    add(Buffer.from(`${index + 1} 0 obj\n${text}`));
    if (bytes !== null) add(Buffer.concat([bytes, Buffer.from('\nendstream')]));
    add(Buffer.from('\nendobj\n'));
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>\n`;
  add(Buffer.from(`${table}startxref\n${length}\n%%EOF\n`));
  return Buffer.concat(parts);
}

/** One page; the first of the other objects is number 5. */
const onePage = (content: string, resources: string, others: readonly PdfObject[]): Buffer =>
  writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << ${resources} >> >>`,
    ['/Filter /FlateDecode', deflateSync(content)],
    ...others,
  ]);

/** A page with several images of the same bytes, one over the other. */
function withImages(dictionary: string, bytes: Buffer, count: number): Buffer {
  const indexes = Array.from({ length: count }, (_, index) => index);
  return onePage(
    indexes.map((index) => `q 500 0 0 700 ${index} 20 cm /I${index} Do Q`).join('\n'),
    `/XObject << ${indexes.map((index) => `/I${index} ${5 + index} 0 R`).join(' ')} >>`,
    indexes.map((): PdfObject => [`/Type /XObject /Subtype /Image ${dictionary}`, bytes]),
  );
}

/** Black and white images of a page and a generic region of this size (ITU-T T.88, 7.4.6 and 7.4.8). */
function jbig2(side: number, count: number): Buffer {
  const segment = (number: number, type: number, data: Buffer): Buffer =>
    Buffer.concat([u32(number), Buffer.from([type, 0, 1]), u32(data.length), data]);
  const page = Buffer.concat([u32(side), u32(side), u32(0), u32(0), Buffer.from([4]), u16(0)]);
  const adaptive = [3, 255, 253, 255, 2, 254, 254, 254];
  const bits = Buffer.concat([Buffer.alloc(64, 0xff), Buffer.from([0xff, 0xac])]);
  const region = Buffer.concat([u32(side), u32(side), u32(0), u32(0), Buffer.from([0, 0, ...adaptive]), bits]);
  const bytes = Buffer.concat([segment(0, 48, page), segment(1, 38, region)]);
  const dictionary = `/Width ${side} /Height ${side} /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /JBIG2Decode`;
  return withImages(dictionary, bytes, count);
}

/** Images of JPEG 2000 whose code-stream has one tile part and no coefficients (ISO 15444-1, Annex A). */
function jpeg2000(side: number, components: number, { tile = side, count = 1 } = {}): Buffer {
  const marker = (code: number, data: Buffer): Buffer => Buffer.concat([u16(code), u16(data.length + 2), data]);
  const extents = [side, side, 0, 0, tile, tile, 0, 0].map(u32);
  const depths = Array.from({ length: components }, () => Buffer.from([7, 1, 1]));
  const bytes = Buffer.concat([
    u16(0xff4f),
    marker(0xff51, Buffer.concat([u16(0), ...extents, u16(components), ...depths])),
    marker(0xff52, Buffer.from([0, 0, 0, 1, 0, 5, 4, 4, 0, 1])),
    marker(0xff5c, Buffer.concat([Buffer.from([0x40]), Buffer.alloc(16, 0x48)])),
    marker(0xff90, Buffer.concat([u16(0), u32(0), Buffer.from([0, 1])])),
    u16(0xff93),
    Buffer.alloc(20_000),
    u16(0xffd9),
  ]);
  return withImages(`/Width ${side} /Height ${side} /Filter /JPXDecode`, bytes, count);
}

const FORM = '/Type /XObject /Subtype /Form';
const SQUARE: PdfObject = [`${FORM} /BBox [0 0 595 842]`, Buffer.from('0 0 10 10 re f')];
/** Forms of which each draws the next one, and the last one a square. */
const chain = (length: number, dictionary: string, content: string): PdfObject[] => [
  ...Array.from({ length }, (_, index): PdfObject => {
    const resources = `/Resources << /XObject << /N ${index + 6} 0 R >> >>`;
    return [`${FORM} ${dictionary} ${resources}`, Buffer.from(content)];
  }),
  SQUARE,
];

/** An image and its mask, both of this side. */
function maskedImage(side: number): Buffer {
  const pixels = deflateSync(Buffer.alloc(side * side));
  const image = `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /BitsPerComponent 8`;
  return onePage('500 0 0 500 0 0 cm /I Do', '/XObject << /I 5 0 R >>', [
    [`${image} /ColorSpace /DeviceGray /SMask 6 0 R /Filter /FlateDecode`, pixels],
    [`${image} /ColorSpace /DeviceGray /Filter /FlateDecode`, pixels],
  ]);
}

/** A font whose only letter is ten of its letters. */
function recursiveFont(): Buffer {
  const parts = [
    '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 65 /LastChar 65',
    '/Widths [1] /Encoding << /Differences [65 /a] >> /CharProcs << /a 6 0 R >>',
    '/Resources << /Font << /F1 5 0 R >> >> >>',
  ];
  const letter: PdfObject = ['', Buffer.from('1 0 d0 BT /F1 1 Tf (AAAAAAAAAA) Tj ET')];
  return onePage('BT /F1 100000 Tf (AAAA) Tj ET', '/Font << /F1 5 0 R >>', [parts.join(' '), letter]);
}

const TRIANGLES =
  '/ShadingType 4 /ColorSpace /DeviceRGB /BitsPerCoordinate 8 /BitsPerComponent 8 /BitsPerFlag 8 ' +
  '/Decode [0 595 0 842 0 1 0 1 0 1] /Filter /FlateDecode';
const TILE = '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep 0.001 /YStep 0.001';
const LARGE_GROUP = '/BBox [-5000 -5000 5000 5000] /Group << /S /Transparency /I true /K true >>';

/** Each PDF by what it does. */
export const PDF_BOMBS: Readonly<Record<string, () => Buffer>> = {
  'a JBIG2 image of four gigapixels': () => jbig2(65_000, 1),
  'twenty JBIG2 images': () => jbig2(30_000, 20),
  'a JPEG 2000 image of 400 megapixels': () => jpeg2000(20_000, 3),
  'a JPEG 2000 image with a tile a pixel': () => jpeg2000(60_000, 4, { tile: 1 }),
  'twenty JPEG 2000 images': () => jpeg2000(8000, 4, { count: 20 }),
  'forms that draw twenty others each': () =>
    onePage('/F0 Do', '/XObject << /F0 5 0 R >>', chain(12, '/BBox [0 0 595 842]', '/N Do '.repeat(20))),
  'transparent groups in each other': () =>
    onePage(
      `/G0 gs ${'q /F0 Do Q '.repeat(50)}`,
      '/XObject << /F0 5 0 R >> /ExtGState << /G0 << /ca 0.5 >> >>',
      chain(40, LARGE_GROUP, '/N Do'),
    ),
  'a pattern of billions of tiles': () =>
    onePage('/Pattern cs /P0 scn 0 0 595 842 re f', '/Pattern << /P0 5 0 R >>', [
      [`${TILE} /Resources << >>`, Buffer.from('0 0 1 1 re f')],
    ]),
  'millions of shaded triangles': () =>
    onePage('/S0 sh', '/Shading << /S0 5 0 R >>', [[TRIANGLES, deflateSync(Buffer.alloc(30_000_000, 7))]]),
  'an image that is packed twice': () =>
    withImages(
      '/Width 30000 /Height 30000 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter [/FlateDecode /FlateDecode]',
      deflateSync(deflateSync(Buffer.alloc(300_000_000))),
      1,
    ),
  'a large image with a large mask': () => maskedImage(20_000),
  'a letter that is ten of itself': recursiveFont,
};
