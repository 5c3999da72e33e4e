import { expect, it } from 'vitest';
import { attribute, SYNTAX, writeDicom, type Attribute } from '../../../test/fixtures/dicom/write-dicom.ts';
import { ctHeader, withAttributes } from '../../../test/fixtures/dicom/sample-objects.ts';
import { printByDcmtk } from '../../../test/support/dcmtk.ts';
import { useDicomFolder } from '../../../test/support/dicom-frames.ts';
import { describeWith } from '../../../test/support/requirements.ts';
import { jsonModel, type JsonModel } from './json-model.ts';
import { openObject } from './open-object.ts';

const files = useDicomFolder();

/** Values that readers of DICOM take apart differently, by their VR. */
const VALUES: readonly (readonly [tag: number, vr: string, ...values: Attribute['value'][]])[] = [
  [0x0010_0010, 'PN', 'Muster^Anna', '  Muster^Anna  ', 'Yamada^Tarou=X^Y=Z^W', '=X^Y', 'A^B^C^D^E', '^^^', '', 'A^='],
  [0x0010_1001, 'PN', 'A^B\\C', 'A^^'],
  [0x0010_4000, 'LT', ' two\r\n  lines ', 'a\\ b', '\n\\\n'],
  [0x0008_0081, 'ST', '  Road 1\\2 '],
  [0x0040_a160, 'UT', ' as \\ it\n\\ is  ', ''],
  [0x0008_1190, 'UR', 'http://a.example/?b=c  '],
  [0x0008_0119, 'UC', ' one \\\\ two', 'a'],
  [0x0008_0080, 'LO', '  spaces  ', 'a\\\\c', ''],
  [0x0008_0008, 'CS', 'ORIGINAL\\PRIMARY', 'DERIVED\\\\X', '\\'],
  [0x0028_0030, 'DS', '0.5\\0.5', '\\1', '1\\abc\\-3.25E-3', '+4\\007', '.5', ''],
  [0x0020_0013, 'IS', '-7', '+5\\\\12', ' 3 '],
  [0x0018_9073, 'FD', 0.1, [1.5, -2], 0],
  [0x0018_6018, 'UL', 4_000_000_000],
  [0x0018_9219, 'SS', -5],
  [0x0072_0026, 'AT', [0x10, 0x10, 0x8, 0x20]],
  [0x0042_0011, 'OB', Uint8Array.of(1, 2, 3)],
  [0x0028_1201, 'OW', [1, 2, 65_535]],
  [0x0008_1140, 'SQ', [], [[attribute(0x0008_1150, 'UI', '1.2.840'), attribute(0x0008_1155, 'UI', '')], []]],
  [0x0009_0010, 'LO', 'ACME 1.0'],
];
const MOST = Math.max(...VALUES.map(([, , ...values]) => values.length));

/** Without what describes the file, not the object. */
function comparable(model: JsonModel): JsonModel {
  const left = Object.entries(model).filter(([tag]) => !/^(0002|0008(0005|3002)|7FE0)/.test(tag));
  return Object.fromEntries(left.sort());
}

function modelOf(path: string): JsonModel {
  const { object, close } = openObject(path);
  try {
    return jsonModel(object, 'http://localhost');
  } finally {
    close();
  }
}

describeWith({ programs: ['dcm2json'] }, 'The JSON model of an object is as dcm2json writes it', () => {
  it.each(['explicit', 'implicit', 'bigEndian', 'deflated'] as const)('in %s', (syntax) => {
    for (let i = 0; i < MOST; i += 1) {
      const others = VALUES.map(([tag, vr, ...values]) => attribute(tag, vr, values[i % values.length]!));
      const bytes = writeDicom(withAttributes(ctHeader(), ...others), { syntax: SYNTAX[syntax] });
      const path = files.put('object.dcm', bytes);
      const printed = JSON.parse(Buffer.from(printByDcmtk('dcm2json', path), 'latin1').toString()) as JsonModel;
      expect(comparable(modelOf(path))).toEqual(comparable(printed));
    }
  });
});
