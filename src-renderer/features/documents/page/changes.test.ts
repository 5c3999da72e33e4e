import { describe, expect, it } from 'vitest';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { changeOf, tagsOf } from './changes.ts';

const DOCUMENT = {
  doc_type: 'lab_test',
  event_date: '2026-11-12',
  doctor_id: 4,
  doctor_name: 'Dr. med. Regula Aebischer',
  facility_id: null,
  facility_name: null,
  specialty_original: 'Labor',
  specialty_display: 'Labor',
  specialty_canonical_display: 'Laboratory medicine',
  patient_id: 2,
  event_id: 9,
  event_links: [{ event_id: 9, relevance: 'primary' }],
  event_title: 'Iron deficiency',
  tags: 'follow-up, fasting',
  notes: null,
} as unknown as DocumentDetail;

describe('changes', () => {
  it('sets a field and can undo it', () => {
    expect(changeOf(DOCUMENT, 'event_date', { text: '2026-11-13' })).toEqual({
      field: 'event_date',
      body: { event_date: '2026-11-13' },
      undo: { event_date: '2026-11-12' },
      preview: { event_date: '2026-11-13' },
    });
  });
  it('returns null when nothing changed', () => {
    expect(changeOf(DOCUMENT, 'event_date', { text: '2026-11-12' })).toBeNull();
    expect(changeOf(DOCUMENT, 'notes', { text: '  ' })).toBeNull();
    expect(changeOf(DOCUMENT, 'tags', { text: ' follow-up,fasting,follow-up' })).toBeNull();
    expect(changeOf(DOCUMENT, 'specialty_original', { text: 'Laboratory medicine' })).toBeNull();
  });
  it('clears a field', () => {
    expect(changeOf(DOCUMENT, 'event_date', { text: '' })?.body).toEqual({ event_date: null });
  });
  it('sends a typed name by name, a known one by id, and undoes by id', () => {
    expect(changeOf(DOCUMENT, 'doctor_name', { text: 'Dr. Reed' })).toMatchObject({
      body: { doctor_name: 'Dr. Reed' },
      undo: { doctor_id: 4 },
    });
    expect(changeOf(DOCUMENT, 'doctor_name', { text: 'Dr. Reed', id: 7 })).toMatchObject({
      body: { doctor_id: 7 },
      preview: { doctor_name: 'Dr. Reed' },
    });
    expect(changeOf(DOCUMENT, 'facility_name', { text: 'Synlabor' })?.undo).toEqual({ facility_id: null });
  });
  it('moves a document to another patient and back', () => {
    expect(changeOf(DOCUMENT, 'patient_id', { text: '3' })).toMatchObject({
      body: { patient_id: 3 },
      undo: { patient_id: 2 },
    });
  });
  it('removes a document from its event', () => {
    expect(changeOf(DOCUMENT, 'event_id', { text: null })).toMatchObject({
      body: { event_id: null },
      undo: { event_links: DOCUMENT.event_links },
      preview: { event_title: null },
    });
  });
});

it('reads each tag once', () => expect(tagsOf(' a, b,,a ')).toEqual(['a', 'b']));
