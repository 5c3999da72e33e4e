import { expect, test } from 'vitest';
import { documentFolder, documentName, inboxFolder, inboxOwner, numberedName } from './layout.ts';

const place = { patientSlug: 'elena-keller', eventDate: '2025-11-12', eventSlug: null, uploaderId: 3 };

test('stores a document by patient, year and event, or with its uploader', () => {
  expect(documentFolder(place)).toBe('patients/elena-keller/2025');
  expect(documentFolder({ ...place, eventSlug: 'hip' })).toBe('patients/elena-keller/2025/hip');
  expect(documentFolder({ ...place, eventDate: null })).toBe('patients/elena-keller/unknown');
  expect(documentFolder({ ...place, patientSlug: null })).toBe('unclassified/user-3');
  expect(documentFolder({ ...place, patientSlug: null, uploaderId: null })).toBe('unclassified/user-0');
});

test.each([
  [
    { eventDate: '2025-11-12', stem: 'lab-test_Synlabor Mittelland', docType: 'lab_test', ext: '.PDF' },
    '20251112_lab-test_synlabor-mittelland.pdf',
  ],
  [{ eventDate: null, stem: null, docType: 'specialist_report', ext: 'pdf' }, '00000000_specialist-report.pdf'],
  [{ eventDate: '2025-11', stem: '', docType: null, ext: '' }, '00000000_document'],
  [{ eventDate: null, stem: '../../x', docType: null, ext: '.p/../df' }, '00000000_x.p-df'],
  [{ eventDate: null, stem: 'a'.repeat(300), docType: null, ext: '.pdf' }, `00000000_${'a'.repeat(60)}.pdf`],
])('%j is named %s', (parts, name) => {
  expect(documentName(parts)).toBe(name);
});

test('derives the owner of a path in the inbox', () => {
  expect(inboxOwner(`${inboxFolder({ patientSlug: 'elena-keller' })}/scans/a.pdf`)).toEqual({
    patientSlug: 'elena-keller',
  });
  expect(inboxOwner(`${inboxFolder({ uploaderId: 3 })}/a.pdf`)).toEqual({ userId: 3 });
  expect(inboxOwner('inbox/a.pdf')).toBeNull();
  expect(inboxOwner('patients/elena-keller/a.pdf')).toBeNull();
});

test('numbers equal names from two, before the extension', () => {
  expect([1, 2, 10].map((n) => numberedName('a.b.pdf', n))).toEqual(['a.b.pdf', 'a.b-2.pdf', 'a.b-10.pdf']);
  expect(numberedName('scan', 2)).toBe('scan-2');
});
