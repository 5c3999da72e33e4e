import { describe, expect, it } from 'vitest';
import { ctHeader, withAttributes, withoutTags } from '../../../test/fixtures/dicom/sample-objects.ts';
import { attribute, SYNTAX, writeDicom, type Attribute } from '../../../test/fixtures/dicom/write-dicom.ts';
import { DicomError } from './dicom-error.ts';
import { isDicom, readInstance } from './instance.ts';

const CT = {
  sopClassUid: '1.2.840.10008.5.1.4.1.1.2',
  sopInstanceUid: '1.2.3.4.5',
  studyInstanceUid: '1.2.3.4',
  seriesInstanceUid: '1.2.3.4.2',
  kind: 'image',
  patient: { name: 'Jürgen Karl Müller', id: 'P-1', birthDate: '1960-01-02', sex: 'M', age: null },
  study: {
    date: '2024-02-29',
    time: '08:15:30',
    description: 'Thorax nativ',
    accessionNumber: 'A-77',
    institution: 'Klinik am See',
    referringPhysician: 'Dr. Eva Huber',
  },
  series: { number: 2, modality: 'CT', bodyPart: 'CHEST', description: 'Lunge 1.0' },
  instanceNumber: 17,
  position: 42.5,
  frames: 1,
  rows: 2,
  columns: 3,
  windowCenter: 40,
  windowWidth: 400,
  isComplete: true,
} as const;

const codeOf = (bytes: Uint8Array): string | null => {
  try {
    readInstance(bytes);
    return null;
  } catch (error) {
    if (error instanceof DicomError) return error.code;
    throw error;
  }
};

/** The sample header with the pixels of its picture. */
const image = (): Attribute[] => [...ctHeader(), attribute(0x7fe0_0010, 'OW', new Uint8Array(2 * 3 * 2))];

/** Sequences in sequences. */
function nested(depth: number, syntax: string): Buffer {
  const isExplicit = syntax === SYNTAX.explicit;
  const start = isExplicit ? '08004011' + '53510000ffffffff' : '08004011' + 'ffffffff';
  const opening = Buffer.from(`${start}feff00e0ffffffff`, 'hex');
  return Buffer.concat([
    writeDicom([attribute(0x0008_0016, 'UI', CT.sopClassUid)], { syntax }),
    ...Array.from({ length: depth }, () => opening),
  ]);
}

describe('readInstance', () => {
  describe.each([
    ['explicit little endian', SYNTAX.explicit],
    ['implicit little endian', SYNTAX.implicit],
    ['explicit big endian', SYNTAX.bigEndian],
    ['deflated', SYNTAX.deflated],
  ])('in %s', (_name, syntax) => {
    it('reads the header', () => {
      expect(readInstance(writeDicom(image(), { syntax }))).toEqual({ ...CT, transferSyntaxUid: syntax });
    });

    it.runIf(syntax !== SYNTAX.deflated)('reads a file without preamble', () => {
      const bytes = writeDicom(image(), { syntax, hasPreamble: false });
      expect(isDicom(bytes.subarray(0, 512))).toBe(true);
      expect(readInstance(bytes)).toEqual({ ...CT, transferSyntaxUid: syntax });
    });

    it('reads what is before pixels that are cut off', () => {
      const pixels = attribute(
        0x7fe0_0010,
        'OW',
        new Uint8Array(5000).map((_, i) => (i * 2_654_435_761) >>> 21),
      );
      const bytes = writeDicom([...ctHeader(), pixels], { syntax });
      expect(readInstance(bytes.subarray(0, bytes.length - 1000))).toMatchObject(CT);
    });

    it('reads past sequences of both kinds and private elements', () => {
      const items = [[attribute(0x0008_1150, 'UI', '1.2')], [attribute(0x0008_1155, 'UI', '1.3')]];
      const bytes = writeDicom(
        [
          ...image(),
          attribute(0x0008_1111, 'SQ', items),
          { ...attribute(0x0008_1140, 'SQ', items), hasUndefinedLength: true },
          attribute(0x0009_0010, 'LO', 'VENDOR'),
          attribute(0x0009_1001, 'UN', Uint8Array.of(1, 2, 3, 4)),
          { ...attribute(0x0009_1002, 'SQ', items), hasUndefinedLength: true },
        ],
        { syntax },
      );
      expect(readInstance(bytes)).toMatchObject(CT);
    });
  });

  it('reads past elements with 64-bit VRs, also in sequences', () => {
    const long = attribute(0x0008_2112, 'UV', new Uint8Array(8));
    const items = { ...attribute(0x0008_1140, 'SQ', [[long]]), hasUndefinedLength: true };
    const header = [...image(), long, items, attribute(0x0010_0009, 'SV', new Uint8Array(8))];
    expect(readInstance(writeDicom(header))).toMatchObject(CT);
  });

  it('skips a broken sequence of known length', () => {
    const broken = { ...attribute(0x0008_1140, 'SQ', []), value: Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8]) };
    expect(readInstance(writeDicom([...image(), broken]))).toMatchObject(CT);
  });

  it('says that a header is not complete, and derives no identifiers of it', () => {
    const last = attribute(0x0040_0275, 'SQ', [[attribute(0x0040_0007, 'LO', 'x'.repeat(60))]]);
    const bytes = writeDicom([...ctHeader(), last]);
    expect(readInstance(bytes.subarray(0, -20))).toEqual({
      ...CT,
      transferSyntaxUid: SYNTAX.explicit,
      isComplete: false,
    });
    const large = attribute(0x0019_1001, 'OB', new Uint8Array(5000));
    expect(codeOf(writeDicom([...ctHeader(), large]).subarray(0, 3000))).toBe('damaged');
  });

  it('reads elements without VRs where the file says there are VRs', () => {
    const implicit = writeDicom(image(), { syntax: SYNTAX.implicit, hasPreamble: false });
    const head = writeDicom([], { syntax: SYNTAX.explicit });
    expect(readInstance(Buffer.concat([head, implicit]))).toEqual({ ...CT, transferSyntaxUid: SYNTAX.implicit });
  });

  it('takes position, window and number of frames of an enhanced object from its functional groups', () => {
    const item = (macro: number, ...of: Attribute[]): Attribute => attribute(macro, 'SQ', [of]);
    const enhanced = [
      ...withoutTags(image(), 0x0020_0032, 0x0020_0037, 0x0028_1050, 0x0028_1051),
      attribute(0x0028_0008, 'IS', '2'),
      attribute(0x5200_9229, 'SQ', [
        [
          item(0x0020_9116, attribute(0x0020_0037, 'DS', '0\\1\\0\\0\\0\\-1')),
          item(0x0028_9132, attribute(0x0028_1050, 'DS', '300'), attribute(0x0028_1051, 'DS', '1500')),
        ],
      ]),
      attribute(0x5200_9230, 'SQ', [
        [item(0x0020_9113, attribute(0x0020_0032, 'DS', '12.5\\8\\9'))],
        [item(0x0020_9113, attribute(0x0020_0032, 'DS', '14.5\\8\\9'))],
      ]),
    ];
    const read = readInstance(writeDicom(enhanced));
    expect(read).toMatchObject({ frames: 2, position: -12.5, windowCenter: 300, windowWidth: 1500 });
  });

  it.each([
    ['2147483647', 300_000],
    ['999999999999', 300_000],
    ['-3', 1],
    ['1.5', 1],
  ])('bounds the number of frames that a header claims: %s', (claimed, frames) => {
    const header = withAttributes(image(), attribute(0x0028_0008, 'IS', claimed));
    expect(readInstance(writeDicom(header)).frames).toBe(frames);
  });

  it.each(['1.5', '99999999999999999999'])('leaves out a series number that is none: %s', (number) => {
    const header = withAttributes(image(), attribute(0x0020_0011, 'IS', number));
    expect(readInstance(writeDicom(header)).series.number).toBeNull();
  });

  it.each([
    ['1.2.840.10008.5.1.4.1.1.88.11', 'report'],
    ['1.2.840.10008.5.1.4.1.1.88.67', 'dose'],
    ['1.2.840.10008.5.1.4.1.1.104.1', 'encapsulated_pdf'],
    ['1.2.840.10008.5.1.4.1.1.11.1', 'presentation'],
    ['1.2.840.10008.5.1.4.1.1.481.5', 'other'],
  ])('says what an object of SOP class %s is: %s', (uid, kind) => {
    const header = withAttributes(withoutTags(ctHeader(), 0x0028_0010, 0x0028_0011), attribute(0x0008_0016, 'UI', uid));
    expect(readInstance(writeDicom(header))).toMatchObject({ kind, frames: 0, rows: null, columns: null });
  });

  it.each([
    ['no pixels', ctHeader],
    ['pixels of no length', () => [...ctHeader(), attribute(0x7fe0_0010, 'OW', new Uint8Array())]],
  ])('lists an object with the size of an image and %s as one without frames', (_what, header) => {
    const read = readInstance(writeDicom(header()));
    expect(read).toMatchObject({ kind: 'other', frames: 0, rows: null, columns: null, isComplete: true });
  });

  it('derives the same UIDs for slices of a series whose headers have none', () => {
    const slice = (number: string): Buffer => {
      const header = withoutTags(image(), 0x0008_0018, 0x0020_000d, 0x0020_000e);
      return writeDicom(withAttributes(header, attribute(0x0020_0013, 'IS', number)));
    };
    const [first, second, again] = ['1', '2', '1'].map((number) => readInstance(slice(number)));
    expect(first!.studyInstanceUid).toMatch(/^2\.25\.\d{30,39}$/);
    expect(second).toMatchObject({
      studyInstanceUid: first!.studyInstanceUid,
      seriesInstanceUid: first!.seriesInstanceUid,
    });
    expect(second!.sopInstanceUid).not.toBe(first!.sopInstanceUid);
    expect(again).toEqual(first);
  });

  it.each([
    ['20240231', null],
    ['1999.12.31', '1999-12-31'],
    ['', null],
    ['2024', null],
  ])('reads the date %j as %j', (written, date) => {
    const header = withAttributes(image(), attribute(0x0008_0020, 'DA', written));
    expect(readInstance(writeDicom(header)).study.date).toBe(date);
  });

  it('refuses other files', () => {
    const others = [Buffer.from('%PDF-1.7\n'), Buffer.alloc(0), Buffer.alloc(4000), Buffer.from('PK\u0003\u0004 …')];
    for (const other of others) {
      expect(isDicom(other)).toBe(false);
      expect(codeOf(other)).toBe('not_dicom');
    }
  });

  it.each([SYNTAX.explicit, SYNTAX.implicit])('refuses 20 000 nested sequences in %s', (syntax) => {
    expect(codeOf(nested(20_000, syntax))).toBe('too_complex');
  });

  it('refuses a file of too many elements', () => {
    const element = writeDicom([attribute(0x0009_1001, 'CS', '')], { hasPreamble: false });
    const bytes = Buffer.concat([writeDicom(ctHeader()), Buffer.alloc(element.length * 250_000, element)]);
    expect(codeOf(bytes)).toBe('too_complex');
  });

  it('refuses a deflate bomb', () => {
    const zeros = attribute(0x0009_1001, 'OB', Buffer.alloc(130 * 2 ** 20));
    expect(codeOf(writeDicom([...image(), zeros], { syntax: SYNTAX.deflated }))).toBe('too_large');
  });

  it('refuses or reads a header that is cut off anywhere, and never fails otherwise', () => {
    const bytes = writeDicom(image(), { syntax: SYNTAX.explicit });
    const codes = new Set(Array.from({ length: bytes.length }, (_, end) => codeOf(bytes.subarray(0, end))));
    expect([...codes].sort()).toEqual(['damaged', 'not_dicom', null].sort());
  });
});

describe('texts of a header', () => {
  it('are one line of visible characters, cut off where they are longer than any list shows', () => {
    const header = withAttributes(
      image(),
      attribute(0x0008_0060, 'CS', 'X'.repeat(5000)),
      attribute(0x0008_0080, 'LO', 'Klinik\x07\x1b[31m\r\n am\t See'),
      attribute(0x0008_1030, 'UT', 'Thorax '.repeat(100_000)),
      attribute(0x0018_0015, 'CS', '\x01\x02'),
    );
    const { study, series } = readInstance(writeDicom(header));
    expect(study.institution).toMatch(/^Klinik \S*31m am See$/);
    expect([series.modality, study.description?.length, series.bodyPart]).toEqual(['X'.repeat(16), 200, null]);
  });

  const nameIn = (charset: string, coded: Buffer): string | null =>
    readInstance(
      writeDicom(
        withAttributes(image(), attribute(0x0008_0005, 'CS', charset), { tag: 0x0010_0010, vr: 'PN', value: coded }),
      ),
    ).patient.name;
  const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

  it.each([
    ['ISO_IR 100', 'C4 6E 65 61 73 5E 52 FC 64 69 67 65 72', 'Rüdiger Äneas'],
    ['ISO_IR 101', '57 61 B3 EA 73 61 5E 4C 65 63 68', 'Lech Wałęsa'],
    ['ISO_IR 144', 'BB EE DA 63 65 DC D1 E3 E0 D3', 'Люкceмбург'],
    ['ISO_IR 126', 'C4 E9 EF ED F5 F3 E9 EF F2', 'Διονυσιος'],
    ['ISO_IR 127', 'E2 C8 C7 E6 EA 5E E4 E6 D2 C7 D1', 'لنزار قباني'],
    ['ISO_IR 138', 'F9 F8 E5 EF 5E E3 E1 E5 F8 E4', 'דבורה שרון'],
    ['ISO_IR 148', 'C7 E1 76 75 FE 6F F0 6C 75', 'Çávuşoğlu'],
    ['ISO_IR 203', 'BD 75 76 72 65 20 A4', 'œuvre €'],
    ['ISO_IR 166', 'CA C1 AA D2 C2', 'สมชาย'],
    ['ISO_IR 13', 'D4 CF C0 DE 5E C0 DB B3', 'ﾀﾛｳ ﾔﾏﾀﾞ'],
    ['ISO_IR 192', 'E7 8E 8B 5E E5 B0 8F E6 9D B1', '小東 王'],
    ['GB18030', 'CD F5 5E D0 A1 B6 AB', '小东 王'],
    ['GBK', 'CD F5 5E D0 A1 B6 AB', '小东 王'],
    ['', 'C3 84 72 7A 74 65', 'Ärzte'],
    ['', 'C4 72 7A 74 65', 'Ärzte'],
    ['ISO_IR 999', 'C4 72 7A 74 65', 'Ärzte'],
  ])('are decoded from %s (%s): %s', (charset, coded, name) => {
    expect(nameIn(charset, hex(coded))).toBe(name);
  });

  // PS3.5, annexes H, I and K: ideographic groups after an empty alphabetic one.
  it.each([
    ['\\ISO 2022 IR 87', '3D 1B 24 42 3B 33 45 44 1B 28 42 5E 1B 24 42 42 40 4F 3A 1B 28 42', '山田 太郎'],
    [
      'ISO 2022 IR 13\\ISO 2022 IR 87',
      '3D 1B 24 42 3B 33 45 44 1B 28 4A 5E 1B 24 42 42 40 4F 3A 1B 28 4A',
      '山田 太郎',
    ],
    ['\\ISO 2022 IR 149', '3D 1B 24 29 43 FB F3 5E 1B 24 29 43 D1 CE D4 D7', '洪 吉洞'],
    ['\\ISO 2022 IR 58', '3D 1B 24 29 41 CD F5 5E 1B 24 29 41 D0 A1 B6 AB', '王 小东'],
    ['\\ISO 2022 IR 159', '3D 1B 24 28 44 30 21 1B 28 42', '丂'],
    ['\\ISO 2022 IR 100\\ISO 2022 IR 144', '1B 2D 4C BB EE DA 1B 2D 41 FC', 'Люкü'],
    ['ISO 2022 IR 100\\ISO 2022 IR 126', 'FC 1B 2D 46 C4 5E FC', 'ü üΔ'],
  ])('switch between sets by the escape sequences of %s', (charset, coded, name) => {
    expect(nameIn(charset, hex(coded))).toBe(name);
  });

  it.each([
    ['\\ISO 2022 IR 149', '3D FB F3 5E D1 CE D4 D7', '洪 吉洞'],
    ['\\ISO 2022 IR 58', '3D CD F5 5E D0 A1 B6 AB', '王 小东'],
    ['\\ISO 2022 IR 144', 'BB EE DA 5E B8', 'И Люк'],
  ])('are of the one other set of %s where a program leaves the escape sequences out', (charset, coded, name) => {
    expect(nameIn(charset, hex(coded))).toBe(name);
  });

  it('keep the alphabetic name of a patient who has several', () => {
    const coded = hex('59 61 6D 61 64 61 5E 54 61 72 6F 75 3D 1B 24 42 3B 33 45 44 1B 28 42');
    expect(nameIn('\\ISO 2022 IR 87', coded)).toBe('Tarou Yamada');
  });
});
