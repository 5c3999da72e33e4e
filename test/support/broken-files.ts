import { crc32, deflateRawSync, deflateSync } from 'node:zlib';

/** Files built byte by byte, so that their headers can be wrong. */

const u16 = (value: number): Buffer => {
  const b = Buffer.alloc(2);
  b.writeUInt16LE(value);
  return b;
};
const u32 = (value: number): Buffer => {
  const b = Buffer.alloc(4);
  b.writeUInt32LE(value >>> 0);
  return b;
};
const u32be = (value: number): Buffer => {
  const b = Buffer.alloc(4);
  b.writeUInt32BE(value >>> 0);
  return b;
};

export interface ZipEntry {
  name: string | Buffer;
  content: Buffer;
  /** External attributes; the upper half holds the Unix mode. */
  attributes?: number;
  flags?: number;
  /** Uncompressed size in the central directory. */
  claimed?: number;
  method?: number;
  /** Another name in the local header. */
  localName?: string;
  /** Shares the bytes of this earlier entry instead of having its own. */
  sameAs?: number;
  crc?: number;
}

/** APPNOTE.TXT 4.3; without ZIP64. */
export function zip(
  entries: ZipEntry[],
  { count = entries.length, comment = Buffer.alloc(0) }: { count?: number; comment?: Buffer } = {},
): Buffer {
  const locals: Buffer[] = [],
    central: Buffer[] = [],
    offsets: number[] = [];
  let offset = 0;
  for (const { name, content, attributes = 0, flags = 0, claimed, method = 8, localName, sameAs, crc } of entries) {
    const packed = method === 0 ? content : deflateRawSync(content, { level: 9 });
    const header = (file: Buffer): Buffer =>
      Buffer.concat([
        u16(20),
        u16(flags),
        u16(method),
        u16(0),
        u16(0),
        u32(crc ?? crc32(content)),
        u32(packed.length),
        u32(claimed ?? content.length),
        u16(file.length),
        u16(0),
      ]);
    const raw = Buffer.from(name),
      localRaw = localName === undefined ? raw : Buffer.from(localName);
    const at = sameAs === undefined ? offset : (offsets[sameAs] ?? 0);
    offsets.push(at);
    central.push(
      Buffer.concat([
        Buffer.from('PK\x01\x02', 'latin1'),
        u16(0x0314),
        header(raw),
        u16(0),
        u16(0),
        u16(0),
        u32(attributes),
        u32(at),
        raw,
      ]),
    );
    if (sameAs !== undefined) continue;
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), header(localRaw), localRaw, packed]);
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  return Buffer.concat([
    ...locals,
    directory,
    Buffer.from('PK\x05\x06', 'latin1'),
    u16(0),
    u16(0),
    u16(count),
    u16(count),
    u32(directory.length),
    u32(offset),
    u16(comment.length),
    comment,
  ]);
}

/** Objects are numbered from 1; the word STREAM in one of them is replaced by these bytes. */
export function pdf(objects: string[], stream?: Buffer): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let at = parts[0]?.length ?? 0;
  objects.forEach((text, i) => {
    offsets.push(at);
    const body =
      stream && text.includes('STREAM')
        ? Buffer.concat([
            Buffer.from(`${i + 1} 0 obj\n${text.replace('STREAM', '')}\nstream\n`),
            stream,
            Buffer.from('\nendstream\nendobj\n'),
          ])
        : Buffer.from(`${i + 1} 0 obj\n${text}\nendobj\n`);
    parts.push(body);
    at += body.length;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}trailer\n<< ` +
        `/Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

/** A one-page PDF with this content stream and further entries of its page. */
export const onePage = (content: Buffer, filters: string, page = '', more: string[] = []): Buffer =>
  pdf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R ${page} >>`,
      `<< /Length ${content.length} ${filters} >> STREAM`,
      ...more,
    ],
    content,
  );

/** A PNG header of any size before real bytes of a few rows (PNG, third edition, 11.2). */
export function png(width: number, height: number, rows: Buffer): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    return Buffer.concat([u32be(data.length), body, u32be(crc32(body))]);
  };
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', Buffer.concat([u32be(width), u32be(height), Buffer.from([1, 0, 0, 0, 0])])),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A little-endian TIFF with one directory that claims this size (TIFF 6.0, section 2). */
export function tiff(width: number, height: number): Buffer {
  const field = (tag: number, type: number, value: number): Buffer =>
    Buffer.concat([u16(tag), u16(type), u32(1), u32(value)]);
  const fields = [
    field(256, 4, width),
    field(257, 4, height),
    field(258, 3, 1),
    field(259, 3, 1),
    field(262, 3, 1),
    field(273, 4, 122),
    field(277, 3, 1),
    field(278, 4, height),
    field(279, 4, 64),
  ];
  return Buffer.concat([
    Buffer.from('II*\0', 'latin1'),
    u32(8),
    u16(fields.length),
    ...fields,
    u32(0),
    Buffer.alloc(64),
  ]);
}

/** Changes width and height in the frame header of a JPEG (ITU T.81, B.2.2). */
export function resizedHeader(jpeg: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(jpeg);
  const frame = copy.indexOf(Buffer.from([0xff, 0xc0]));
  copy.writeUInt16BE(height, frame + 5);
  copy.writeUInt16BE(width, frame + 7);
  return copy;
}
