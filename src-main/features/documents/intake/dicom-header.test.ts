import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ctHeader, withoutTags } from '../../../../test/fixtures/dicom/sample-objects.ts';
import { attribute, writeDicom, type Attribute } from '../../../../test/fixtures/dicom/write-dicom.ts';
import { readHeader } from './dicom-header.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-header-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const read = (elements: Attribute[]) => {
  const bytes = writeDicom(elements);
  const path = join(folder, 'object.dcm');
  writeFileSync(path, bytes);
  return readHeader(path, bytes.length);
};

it('reads identifiers behind a private element of two megabytes', async () => {
  const large = attribute(0x0019_1001, 'OB', new Uint8Array(2 * 2 ** 20));
  const header = await read([...ctHeader(), large]);
  expect(header).toMatchObject({ studyInstanceUid: '1.2.3.4', seriesInstanceUid: '1.2.3.4.2', isComplete: true });
});

it('reads the position of the first frame where the attributes of all frames take two megabytes', async () => {
  const groups = attribute(0x5200_9230, 'SQ', [
    [attribute(0x0020_9113, 'SQ', [[attribute(0x0020_0032, 'DS', '0\\0\\7.5')]])],
    [attribute(0x0019_1001, 'OB', new Uint8Array(2 * 2 ** 20))],
  ]);
  expect((await read([...withoutTags(ctHeader(), 0x0020_0032), groups])).position).toBe(7.5);
});

it('refuses a header whose identifiers are cut off', async () => {
  const whole = writeDicom([...ctHeader(), attribute(0x0019_1001, 'OB', new Uint8Array(5000))]);
  const path = join(folder, 'cut.dcm');
  writeFileSync(path, whole.subarray(0, 3000));
  await expect(readHeader(path, 3000)).rejects.toMatchObject({ code: 'upload.damaged' });
});
