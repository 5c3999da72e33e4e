import { describe, expect, it } from 'vitest';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { fieldToFix } from './field-to-fix.ts';

const at = (confidence: number) => ({
  page: 1,
  bbox: [0, 0, 0.1, 0.1] as [number, number, number, number],
  confidence,
});
const DOCUMENT = {
  evidence: {},
  lab_results: [
    { id: 1, evidence: at(0.9) },
    { id: 2, evidence: at(0.3) },
    { id: 3, evidence: null },
  ],
  medications: [{ id: 1, evidence: at(0.4) }],
  vaccinations: [],
  encounters: [],
  invoice_items: [
    { id: 7, evidence: null },
    { id: 8, evidence: at(0.8) },
  ],
} as unknown as DocumentDetail;
const of = (code: string, field?: string) => fieldToFix(DOCUMENT, { code, detail: '', ...(field && { field }) });

describe('resolving a review reason', () => {
  it('opens the field that the reason is about', () => {
    for (const code of ['no_text', 'no_event_date', 'conflicting_dates', 'ambiguous_date_order', 'date_in_future'])
      expect(of(code)).toEqual({ kind: 'edit', field: 'event_date' });
    for (const code of ['other_patient', 'no_patient'])
      expect(of(code, 'patient_id')).toEqual({ kind: 'edit', field: 'patient_id' });
    expect(of('unknown_type', 'doc_type')).toEqual({ kind: 'edit', field: 'doc_type' });
    expect(of('low_confidence_field', 'doctor_name')).toEqual({ kind: 'edit', field: 'doctor_name' });
  });
  it('shows the row with the least confidence', () =>
    expect(of('low_confidence_rows')).toEqual({ kind: 'show', key: 'lab:2' }));
  it('shows the total of an invoice, or without one a line with a place', () => {
    expect(of('invoice_total_mismatch')).toEqual({ kind: 'show', key: 'invoice:8' });
    expect(
      fieldToFix({ ...DOCUMENT, evidence: { invoice_total: at(0.9) } }, { code: 'invoice_total_mismatch', detail: '' }),
    ).toEqual({ kind: 'show', key: 'field:invoice_total' });
  });
  it('reads the document again if a page took too long', () =>
    expect(of('unread_pages')).toEqual({ kind: 'reprocess' }));
  it('returns null for a low-quality scan, an unknown code or an unknown field', () => {
    for (const code of ['low_ocr_confidence', 'later_code']) expect(of(code)).toBeNull();
    expect(of('low_confidence_field', 'constructor')).toBeNull();
  });
});
