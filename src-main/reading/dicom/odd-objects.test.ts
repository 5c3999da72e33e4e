/** @module-tag long */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { imageObject, smoothPixels, type ImageShape } from '../../../test/fixtures/dicom/image-objects.ts';
import { oddFragments, oddObjects } from '../../../test/fixtures/dicom/odd-objects.ts';
import { rarePixels } from '../../../test/fixtures/dicom/rare-pixels.ts';
import { writeDicom } from '../../../test/fixtures/dicom/write-dicom.ts';
import { difference, refusalOf, showFrame, useDicomFolder } from '../../../test/support/dicom-frames.ts';
import { runDcmtk, tryDrawByDcmtk } from '../../../test/support/dcmtk.ts';
import { describeWith } from '../../../test/support/requirements.ts';

const files = useDicomFolder();

describeWith({ programs: ['dcmj2pnm'] }, 'Objects that are broken or rare', () => {
  it.each([...oddObjects(), ...rarePixels()])(
    '$name: drawn as dcmtk draws it, or refused',
    async ({ name, bytes, args = ['+Wm'] }) => {
      const path = files.put(`${name.replaceAll(/\W/g, '_')}.dcm`, bytes);
      const [refusal, drawn] = [await refusalOf(path), tryDrawByDcmtk(path, args)];
      if (refusal !== null) expect([refusal, drawn]).toEqual([expect.stringMatching(/^(damaged|unsupported_)/), null]);
      else if (drawn) expect(difference(await showFrame(path), drawn)).toBeLessThanOrEqual(1);
    },
  );
});

const CT: ImageShape = { allocated: 16, stored: 12, frames: 3 };
const BYTES: ImageShape = { frames: 3 };

describeWith({ programs: ['dcmj2pnm', 'dcml2pnm', 'dcmcjpeg', 'dcmcjpls', 'dcmcrle'] }, 'Frames in fragments', () => {
  it.each<[string, ImageShape, readonly [number, number], string, string[]]>([
    ['JPEG', BYTES, [0, 255], 'dcmcjpeg', ['+eb']],
    ['JPEG of 12 bits', CT, [0, 4095], 'dcmcjpeg', ['+ee']],
    ['JPEG lossless', CT, [0, 4095], 'dcmcjpeg', ['+e1']],
    ['RLE', CT, [0, 4095], 'dcmcrle', []],
    ['JPEG-LS', CT, [0, 4095], 'dcmcjpls', []],
    ['JPEG-LS near', CT, [0, 4095], 'dcmcjpls', ['+en']],
  ])('of %s are drawn as dcmtk draws them, or refused as damaged', async (name, shape, range, program, args) => {
    const source = files.put('source.dcm', writeDicom(imageObject(shape, smoothPixels(range, shape))));
    runDcmtk(program, ...args, source, files.pathOf('coded.dcm'));
    for (const odd of oddFragments(readFileSync(files.pathOf('coded.dcm')))) {
      // PS3.5, annex A.4.2: a frame in RLE is one fragment; dcmtk shows a part of others.
      if (name === 'RLE' && odd.name === 'two fragments a frame') continue;
      const path = files.put('odd.dcm', odd.bytes);
      const refusal = await refusalOf(path, odd.frame);
      const drawn = tryDrawByDcmtk(
        path,
        ['+F', String(odd.frame + 1), '+Wm'],
        program === 'dcmcjpls' ? 'dcml2pnm' : undefined,
      );
      const shown = refusal === null && drawn ? difference(await showFrame(path, {}, odd.frame), drawn) : 0;
      const isRight = refusal === null ? shown <= 1 : /damaged|no_frame|too_large/.test(refusal);
      expect([name, odd.name, refusal, shown, isRight]).toEqual([name, odd.name, refusal, shown, true]);
    }
  });

  it('that are cut off are never filled up', async () => {
    const source = files.put('whole.dcm', writeDicom(imageObject(BYTES, smoothPixels([0, 255], BYTES))));
    runDcmtk('dcmcjpeg', '+eb', source, files.pathOf('cut.dcm'));
    for (const { name, bytes, frame } of oddFragments(readFileSync(files.pathOf('cut.dcm'))))
      if (name.includes('cut off'))
        expect([name, await refusalOf(files.put('c.dcm', bytes), frame)]).toEqual([name, 'damaged']);
  });
});
