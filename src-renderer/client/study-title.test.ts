import { expect, it } from 'vitest';
import { studyTitle } from './study-title.ts';

it.each([
  ['CT', 'CT Thorax nativ', null, 'CT Thorax nativ'],
  ['CT', 'Thorax nativ', null, 'CT Thorax nativ'],
  ['MR', 'MRI Knie rechts', 'KNEE', 'MRI Knie rechts'],
  ['MR', 'IRM du genou', null, 'IRM du genou'],
  ['DX', 'Röntgen Hand', null, 'Röntgen Hand'],
  ['DX', 'X-ray chest', null, 'X-ray chest'],
  ['MR', null, 'KNEE', 'MR Knee'],
  ['US', 'USB-Test', null, 'US USB-Test'],
  ['', null, null, 'Untitled'],
] as const)('a study of %s called %s of %s is “%s”', (modality, study_description, body_part, title) => {
  expect(studyTitle({ modality, study_description, body_part }, 'Untitled')).toBe(title);
});
