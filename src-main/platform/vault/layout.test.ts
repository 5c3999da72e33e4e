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

test('an inbox folder is a user’s only by its whole name', () => {
  expect(inboxFolder({ uploaderId: null })).toBe('inbox/user-0');
  expect(inboxOwner('inbox/user-0/a.pdf')).toEqual({ userId: 0 });
  for (const folder of ['user-', 'user-3x', 'auser-3', 'user-1234567890123456', 'USER-3'])
    expect(inboxOwner(`inbox/${folder}/a.pdf`)).toEqual({ patientSlug: folder });
  expect([inboxOwner('inbox'), inboxOwner('inbox/elena-keller'), inboxOwner('')]).toEqual([null, null, null]);
});

test('a year has four digits', () => {
  for (const eventDate of ['', '202', '2025', '20251112', 'in 2025-11', '12025-11-12'])
    expect(documentFolder({ ...place, eventDate })).toBe('patients/elena-keller/unknown');
  expect(documentFolder({ ...place, eventDate: '2025-11' })).toBe('patients/elena-keller/2025');
});

test.each([
  ['a day with more around it', { eventDate: '2025-11-12T08:00', stem: 'a' }, '00000000_a.pdf'],
  ['a day that ends late', { eventDate: 'x2025-11-12', stem: 'a' }, '00000000_a.pdf'],
  ['empty pieces', { stem: '_a__b_' }, '00000000_a_b.pdf'],
  ['pieces without letters', { stem: '--_!?_' }, '00000000_document.pdf'],
  ['a separator where it is cut', { stem: `${'a'.repeat(59)}_b` }, `00000000_${'a'.repeat(59)}.pdf`],
  ['a type without letters', { docType: '___' }, '00000000_document.pdf'],
  ['a type of several words', { docType: 'a_b_c' }, '00000000_a-b-c.pdf'],
  ['an extension of two parts', { stem: 'a', ext: '.tar.gz' }, '00000000_a.tar-gz'],
  ['an extension of dots only', { stem: 'a', ext: '..' }, '00000000_a'],
])('a document with %s has a plain name', (_, parts, name) => {
  expect(documentName({ eventDate: null, stem: null, docType: null, ext: 'pdf', ...parts })).toBe(name);
});
