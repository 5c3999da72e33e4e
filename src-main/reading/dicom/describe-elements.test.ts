import { describe, expect, it } from 'vitest';
import { ctHeader, withAttributes } from '../../../test/fixtures/dicom/sample-objects.ts';
import { attribute, SYNTAX, writeDicom, type Attribute } from '../../../test/fixtures/dicom/write-dicom.ts';
import { describeElements } from './describe-elements.ts';
import { parseDicom } from './parse.ts';

const described = (attributes: readonly Attribute[], frame = 0, syntax: string = SYNTAX.explicit) =>
  describeElements(parseDicom(writeDicom(attributes, { syntax })), frame);
const lines = (attributes: readonly Attribute[], frame = 0, syntax?: string): string[] =>
  described(attributes, frame, syntax).elements.map(
    ({ tag, vr, keyword, value, level }) => `${'>'.repeat(level)}${tag} ${vr} ${keyword}: ${value}`,
  );
const item = (text: string): Attribute[] => [attribute(0x0008_1150, 'UI', text)];

describe('the elements of an object', () => {
  it('have the names of the standard, and readable values', () => {
    const { elements } = described(ctHeader());
    const of = (keyword: string) => elements.find((element) => element.keyword === keyword);
    expect(of('PatientName')).toEqual({
      tag: '(0010,0010)',
      keyword: 'PatientName',
      vr: 'PN',
      name: 'Patient Name',
      value: 'Müller^Jürgen^Karl',
      level: 0,
    });
    expect(of('WindowCenter')?.value).toBe('40\\-600');
    expect(of('TransferSyntaxUID')?.name).toBe('Transfer Syntax UID');
    expect(of('Rows')).toMatchObject({ vr: 'US', value: '2' });
  });

  it('have the same names in files without VRs', () => {
    const named = (syntax: string) => lines(ctHeader(), 0, syntax).filter((line) => !line.startsWith('(0002'));
    expect(named(SYNTAX.implicit)).toEqual(named(SYNTAX.explicit));
    expect(named(SYNTAX.bigEndian)).toEqual(named(SYNTAX.explicit));
  });

  it('are described by length if they are binary, by their items if they are sequences', () => {
    expect(
      lines([
        ...ctHeader().slice(0, 2),
        { ...attribute(0x0008_1140, 'SQ', [item('1.2'), item('1.3')]), hasUndefinedLength: true },
        attribute(0x0020_9165, 'AT', [0x0020, 0x9057]),
        attribute(0x6002_3000, 'OW', new Uint8Array(6)),
        attribute(0x7fe0_0010, 'OW', new Uint8Array(12)),
      ]).slice(-6),
    ).toEqual([
      '(0008,1140) SQ ReferencedImageSequence: 2 items',
      '>(0008,1150) UI ReferencedSOPClassUID: 1.2',
      '>(0008,1150) UI ReferencedSOPClassUID: 1.3',
      '(0020,9165) AT DimensionIndexPointer: (0020,9057)',
      '(6002,3000) OW OverlayData: 6 bytes',
      '(7FE0,0010) OW PixelData: 12 bytes',
    ]);
    const fragments = { fragments: [new Uint8Array(4)] };
    expect(lines([...ctHeader(), attribute(0x7fe0_0010, 'OB', fragments)]).at(-1)).toBe(
      '(7FE0,0010) OB PixelData: encapsulated',
    );
  });

  it('of private blocks are named by their creator, if it is known', () => {
    const private_ = (creator: string) =>
      lines(
        withAttributes(
          ctHeader().slice(0, 2),
          attribute(0x0029_0010, 'LO', creator),
          attribute(0x0029_1010, 'OB', new Uint8Array(8)),
        ),
      ).slice(-2);
    expect(private_('SIEMENS CSA HEADER')).toEqual([
      '(0029,0010) LO PrivateCreator: SIEMENS CSA HEADER',
      '(0029,1010) OB CSAImageHeaderInfo: 8 bytes',
    ]);
    expect(private_('NOBODY')[1]).toBe('(0029,1010) OB : 8 bytes');
  });

  it('of frames are those of the frame that is asked for', () => {
    const perFrame = attribute(0x5200_9230, 'SQ', [item('1.2'), item('1.3'), item('1.4')]);
    expect(lines([...ctHeader(), perFrame], 1).slice(-2)).toEqual([
      '(5200,9230) SQ PerFrameFunctionalGroupsSequence: 3 items',
      '>(0008,1150) UI ReferencedSOPClassUID: 1.3',
    ]);
  });

  it('are cut off where they are long, many or deep', () => {
    const text = (value: string) => lines([...ctHeader(), attribute(0x0040_a160, 'UT', value)]).at(-1) ?? '';
    expect(text('x'.repeat(2_000))).toBe(`(0040,A160) UT TextValue: ${'x'.repeat(1_000)} … (2000 characters)`);
    expect(text('a\u0007\u001bb\nc')).toBe('(0040,A160) UT TextValue: ab\nc');
    const many = described([
      ...ctHeader(),
      attribute(
        0x0008_1140,
        'SQ',
        Array.from({ length: 6_000 }, () => item('1')),
      ),
    ]);
    expect([many.elements.length, many.isCut]).toEqual([5_000, true]);
    let deep: Attribute = attribute(0x0040_a730, 'SQ', [item('1.2')]);
    for (let level = 0; level < 40; level += 1) deep = attribute(0x0040_a730, 'SQ', [[deep]]);
    const nested = described([...ctHeader(), deep]);
    expect([Math.max(...nested.elements.map(({ level }) => level)), nested.isCut]).toEqual([16, true]);
  });
});
