import { describe, expect, it } from 'vitest';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { isUnsure, placeOf, readPlaceKey, rowPlace } from './places.ts';

const HERE = { page: 2, bbox: [0.1, 0.2, 0.3, 0.02] as [number, number, number, number], confidence: 0.9 };
const DOCUMENT = {
  evidence: { event_date: HERE },
  lab_results: [
    { id: 12, evidence: HERE },
    { id: 13, evidence: null },
  ],
  encounters: [],
  medications: [{ id: 12, evidence: null }],
  vaccinations: [],
  invoice_items: [],
} as unknown as DocumentDetail;

describe('places', () => {
  it('parses the value that an address names', () => {
    expect(readPlaceKey('lab:12')).toBe('lab:12');
    expect(readPlaceKey('field:event_date')).toBe('field:event_date');
  });
  it('returns null for an address without a valid value', () => {
    for (const text of [undefined, '', 'lab', 'lab:x', 'constructor:1', 'LAB:1', 'field:'])
      expect(readPlaceKey(text)).toBeNull();
  });
  it('returns the place of fields and rows', () => {
    expect(placeOf(DOCUMENT, 'field:event_date')).toBe(HERE);
    expect(placeOf(DOCUMENT, rowPlace('lab', 12))).toBe(HERE);
  });
  it('uses the printed name for the patient only if it is theirs', () => {
    const named = { ...DOCUMENT, evidence: { extracted_patient_name: HERE }, patient_source: 'page' } as DocumentDetail;
    expect(placeOf(named, 'field:patient_id')).toBe(HERE);
    for (const patient_source of ['upload', 'inbox', 'user'] as const)
      expect(placeOf({ ...named, patient_source }, 'field:patient_id')).toBeNull();
  });
  it('returns null for a field that a user edited', () => {
    const evidence = { event_date: HERE, doctor_name: HERE };
    const edited = { ...DOCUMENT, evidence, edited_fields: ['event_date', 'doctor_id'] } as DocumentDetail;
    expect(placeOf(edited, 'field:event_date')).toBeNull();
    expect(placeOf(edited, 'field:doctor_name')).toBeNull();
  });
  it('returns null for rows without a place, unknown rows and fields', () => {
    expect(placeOf(DOCUMENT, rowPlace('lab', 13))).toBeNull();
    expect(placeOf(DOCUMENT, rowPlace('medication', 12))).toBeNull();
    expect(placeOf(DOCUMENT, rowPlace('lab', 99))).toBeNull();
    expect(placeOf(DOCUMENT, 'field:doctor_name')).toBeNull();
    expect(placeOf(DOCUMENT, null)).toBeNull();
  });
  it('marks a value as unsure only if its confidence is low', () => {
    expect(isUnsure({ ...HERE, confidence: 0.5 })).toBe(true);
    expect(isUnsure(HERE)).toBe(false);
    expect(isUnsure(null)).toBe(false);
  });
});
