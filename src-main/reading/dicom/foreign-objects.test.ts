/** @module-tag long */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { difference, refusalOf, showFrame, useDicomFolder } from '../../../test/support/dicom-frames.ts';
import { tryDrawByDcmtk, type ShownPixels } from '../../../test/support/dcmtk.ts';
import { describeWith, findPython } from '../../../test/support/requirements.ts';
import { openObject } from './open-object.ts';

/** Prints the files that come with pydicom, from devices and programs of many makers, as pydicom reads them. */
const LIST = `
import json, pathlib, pydicom
found = []
for path in sorted(pathlib.Path(pydicom.__file__).parent.joinpath('data').rglob('*')):
    try:
        read = pydicom.dcmread(path)
        patient = str(read.get('PatientName', ''))
        found.append({'path': str(path), 'patient': patient, 'hasWindow': 'WindowCenter' in read})
    except Exception:
        pass
print(json.dumps(found))
`;
interface Foreign {
  path: string;
  /** The name in all its groups, as it is stored. */
  patient: string;
  hasWindow: boolean;
}

const files = useDicomFolder();
const listForeign = (): Foreign[] =>
  JSON.parse(execFileSync(findPython(['pydicom'])!, ['-W', 'ignore', '-c', LIST], { encoding: 'utf8' })) as Foreign[];

/** Each of dcmtk's two programs refuses what the other one decodes. */
function tryDcmtk({ path, hasWindow }: Foreign): ShownPixels | null {
  const copy = files.put('foreign.dcm', readFileSync(path));
  const args = hasWindow ? ['+Wi', '1'] : ['+Wm'];
  return tryDrawByDcmtk(copy, args) ?? tryDrawByDcmtk(copy, args, 'dcml2pnm');
}

describeWith({ programs: ['dcmj2pnm', 'dcml2pnm'], pythonModules: ['pydicom'] }, 'Objects of other makers', () => {
  it('are drawn as dcmtk draws them, or refused where it refuses them', async () => {
    let drawings = 0;
    for (const foreign of listForeign()) {
      const [refusal, drawn] = [await refusalOf(foreign.path), tryDcmtk(foreign)];
      if (refusal === null && drawn === null) continue;
      const shown = refusal === null && drawn ? difference(await showFrame(foreign.path), drawn) : null;
      expect([foreign.path, refusal, shown]).toEqual([
        foreign.path,
        ...(drawn ? [null, expect.toSatisfy((greatest: number) => greatest <= 1)] : [expect.any(String), null]),
      ]);
      if (drawn) drawings += 1;
    }
    expect(drawings).toBeGreaterThan(80);
  });

  it('have the names that pydicom reads, in every character set', () => {
    const named = listForeign().filter(({ patient }) => patient !== '');
    for (const { path, patient } of named) {
      const { object, close } = openObject(path);
      // pydicom leaves out empty groups at the end.
      expect([path, object.data.text('x00100010')?.replace(/=+$/, '')]).toEqual([path, patient]);
      close();
    }
    expect(named.length).toBeGreaterThan(100);
  });
});
