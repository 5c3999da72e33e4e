import { existsSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ctHeader, withAttributes } from '../../../test/fixtures/dicom/sample-objects.ts';
import { attribute, SYNTAX, writeDicom, type Attribute } from '../../../test/fixtures/dicom/write-dicom.ts';
import { printByDcmtk } from '../../../test/support/dcmtk.ts';
import { useDicomFolder } from '../../../test/support/dicom-frames.ts';
import { itWith } from '../../../test/support/requirements.ts';
import { actionOf } from './confidentiality-profile.ts';
import type { Deidentification } from './deidentify.ts';
import { exportObject } from './export-object.ts';
import type { JsonModel } from './json-model.ts';

const folder = useDicomFolder();
const BASIC: Deidentification = {
  ...{ secret: 'x', dates: 'remove', shiftDays: -100 },
  ...{ keepsDescriptions: false, keepsDevice: false, keepsPatient: false },
};
const UIDS = { study: '1.2.3.4', series: '1.2.3.4.2', instance: '1.2.3.4.5', sopClass: '1.2.840.10008.5.1.4.1.1.2' };

/** Attributes that name somebody, each with a value that occurs nowhere else. */
const SECRETS: [tag: number, vr: string, value: string][] = [
  [0x0008_0050, 'SH', 'SECRET01'],
  [0x0008_0080, 'LO', 'SECRET02'],
  [0x0008_0081, 'ST', 'SECRET03'],
  [0x0008_0090, 'PN', 'SECRET04^Eva'],
  [0x0008_1010, 'SH', 'SECRET05'],
  [0x0008_1030, 'LO', 'Thorax SECRET17'],
  [0x0008_103e, 'LO', 'SECRET06'],
  [0x0008_1048, 'PN', 'SECRET07'],
  [0x0008_1070, 'PN', 'SECRET08'],
  [0x0010_0010, 'PN', 'SECRET17^Anna'],
  [0x0010_0020, 'LO', 'SECRET09'],
  [0x0010_0030, 'DA', '19600102'],
  [0x0010_1000, 'LO', 'SECRET10'],
  [0x0010_1010, 'AS', '063Y'],
  [0x0010_1040, 'LO', 'SECRET11'],
  [0x0010_2154, 'SH', 'SECRET12'],
  [0x0010_4000, 'LT', 'SECRET13'],
  [0x0018_1000, 'LO', 'SECRET14'],
  [0x0018_1030, 'LO', 'SECRET15'],
  [0x0020_0010, 'SH', 'SECRET16'],
  [0x0020_4000, 'LT', 'SECRET18'],
  [0x0032_1032, 'PN', 'SECRET19'],
  [0x0040_0275, 'SQ', 'SECRET20'],
];
const PIXELS = Uint8Array.from({ length: 12 }, (_, i) => i * 9);
const object = (): Attribute[] =>
  withAttributes(
    ctHeader(),
    ...SECRETS.map(([tag, vr, value]) =>
      vr === 'SQ' ? attribute(tag, 'SQ', [[attribute(0x0040_1001, 'SH', value)]]) : attribute(tag, vr, value),
    ),
    attribute(0x0008_1140, 'SQ', [
      [
        attribute(0x0008_1150, 'UI', UIDS.sopClass),
        attribute(0x0008_1155, 'UI', '1.2.3.4.5'),
        attribute(0x0010_0010, 'PN', 'SECRET21'),
      ],
    ]),
    attribute(0x0009_0010, 'LO', 'SECRET22'),
    attribute(0x0009_1001, 'LO', 'SECRET23'),
    attribute(0x0020_0052, 'UI', '1.2.3.77'),
    attribute(0x6000_3000, 'OW', new Uint8Array(4).fill(1)),
    attribute(0x0028_0002, 'US', 1),
    attribute(0x0028_0004, 'CS', 'MONOCHROME2'),
    attribute(0x0028_0100, 'US', 16),
    attribute(0x0028_0101, 'US', 16),
    attribute(0x0028_0102, 'US', 15),
    attribute(0x0028_0103, 'US', 0),
    attribute(0x7fe0_0010, 'OW', PIXELS),
  );

let count = 0;
function exported(
  attributes: Attribute[],
  options: Deidentification | null,
  syntax?: string,
): { path: string; model: JsonModel } {
  count += 1;
  const path = folder.put(`in-${count}.dcm`, writeDicom(attributes, syntax === undefined ? {} : { syntax }));
  const target = folder.pathOf(`out-${count}.dcm`);
  if (existsSync(target)) rmSync(target);
  return { path: target, model: exportObject(path, target, UIDS, options) };
}
const dump = (path: string, ...args: string[]): string => printByDcmtk('dcmdump', ...args, path);
const values = (model: JsonModel, tag: string): unknown[] | undefined => model[tag]?.Value;

describe('an object that is de-identified', () => {
  it('has the action of the standard for each kind of attribute', () => {
    const tags = ['00100010', '00080018', '00181000', '00104000', '00091001', '60003000', '00280010', '00081155'];
    expect(tags.map(actionOf)).toEqual(['Z', 'U', 'D', 'X', 'X', 'X', null, 'U']);
  });

  itWith({ programs: ['dcmdump'] }, 'shows none of 23 secrets to dcmdump, in any transfer syntax', () => {
    for (const syntax of [SYNTAX.explicit, SYNTAX.implicit, SYNTAX.bigEndian, SYNTAX.deflated]) {
      const { path } = exported(object(), BASIC, syntax);
      const text = dump(path, '+L');
      expect(text).not.toMatch(/SECRET|Eva|Anna|19600102|063Y/);
      expect(text).toMatch(/\(0012,0062\) CS \[YES\]/);
      expect(text).toMatch(/\(0008,0100\) SH \[113100\]/);
      expect(text).not.toMatch(/\(0009,|\(6000,|1\.2\.3\.4\.5\]|1\.2\.3\.77/);
    }
  });

  it('keeps its pixels, geometry and modality', () => {
    const { model } = exported(object(), BASIC);
    expect([values(model, '00080060'), values(model, '00200032'), values(model, '00280010')]).toEqual([
      ['CT'],
      [-120.5, -130, 42.5],
      [2],
    ]);
    expect(model['7FE00010']).toBeDefined();
  });

  it('gets other UIDs that are the same for the same UID, also inside of sequences', () => {
    const first = exported(object(), BASIC).model;
    const item = (first['00081140']!.Value as JsonModel[])[0]!;
    expect(values(item, '00081155')).toEqual(values(first, '00080018'));
    expect(values(item, '00081150')).toEqual([UIDS.sopClass]);
    expect(String(values(first, '00080018'))).toMatch(/^2\.25\.\d+$/);
    expect(values(exported(object(), BASIC).model, '0020000D')).toEqual(values(first, '0020000D'));
    expect(values(exported(object(), { ...BASIC, secret: 'y' }).model, '0020000D')).not.toEqual(
      values(first, '0020000D'),
    );
  });

  it('keeps or moves its dates on demand, but never the day of birth', () => {
    const { model: moved } = exported(object(), { ...BASIC, dates: 'shift' });
    expect([values(moved, '00080020'), values(moved, '00080030'), values(moved, '00280303')]).toEqual([
      ['20231121'],
      ['081530.120000'],
      ['MODIFIED'],
    ]);
    const { model: kept } = exported(object(), { ...BASIC, dates: 'keep' });
    expect([values(kept, '00080020'), values(kept, '00100030')]).toEqual([['20240229'], undefined]);
    expect(values(exported(object(), BASIC).model, '00080020')).toBeUndefined();
  });

  it('keeps descriptions without names, devices and traits on demand, and says so', () => {
    const { model } = exported(object(), { ...BASIC, keepsDescriptions: true, keepsDevice: true, keepsPatient: true });
    expect([values(model, '00081030'), values(model, '00181000'), values(model, '00101010')]).toEqual([
      ['Thorax'],
      ['SECRET14'],
      ['063Y'],
    ]);
    const codes = (model['00120064']!.Value as JsonModel[]).map((code) => values(code, '00080100'));
    expect(codes).toEqual([['113100'], ['113105'], ['113108'], ['113109']]);
  });
});

describe('an object that is exported as it is', () => {
  itWith({ programs: ['dcmdump'] }, 'has the same elements, to dcmdump, and file meta information', () => {
    const { path } = exported(object(), null, SYNTAX.implicit);
    const text = dump(path);
    expect(text).toMatch(/\(0002,0002\) UI =CTImageStorage/);
    expect(text.match(/SECRET/g)).toHaveLength(23);
  });
});
