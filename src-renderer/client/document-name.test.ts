import { expect, test } from 'vitest';
import { documentName } from './document-name.ts';

test('names a document by its subject, or without one by its file', () => {
  expect(documentName({ title: 'Ferritin', original_filename: 'scan.pdf' })).toBe('Ferritin');
  expect(documentName({ title: null, original_filename: 'letter_of_dr_roth.pdf' })).toBe('letter of dr roth');
  expect(documentName({ title: null, original_filename: '.pdf' })).toBe('.pdf');
});
