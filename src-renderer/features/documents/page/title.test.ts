import { describe, expect, it } from 'vitest';
import { titleOf } from './title.ts';

const typeName = (type: string | null): string =>
  ({ lab_test: 'Lab report', specialist_report: 'Specialist report', invoice: 'Invoice' })[type ?? ''] ?? 'Other';
const title = (more: object): string =>
  titleOf(
    {
      title: null,
      doc_type: null,
      original_filename: 'IMG_0231.HEIC',
      facility_name: null,
      specialty_display: null,
      specialty_canonical_display: null,
      ...more,
    },
    typeName,
  );

describe('title', () => {
  it('is the file name until the document is read', () => expect(title({})).toBe('IMG 0231'));
  it('is the subject of the document', () =>
    expect(title({ title: 'Ferritin, TSH', doc_type: 'lab_test', facility_name: 'Synlab' })).toBe('Ferritin, TSH'));
  it('falls back to specialty and facility, then to the type', () => {
    expect(title({ doc_type: 'specialist_report', specialty_display: 'Neurology' })).toBe(
      'Specialist report: Neurology',
    );
    expect(title({ doc_type: 'invoice', facility_name: 'Northgate Clinic' })).toBe('Invoice: Northgate Clinic');
    expect(title({ doc_type: 'other' })).toBe('Other');
  });
});
