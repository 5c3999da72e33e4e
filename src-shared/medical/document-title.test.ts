import { describe, expect, it } from 'vitest';
import { documentCaption, documentTitle, type TitleFacts, type TitleWords } from './document-title.ts';

type Highlights = NonNullable<TitleFacts['highlights']>;

const WORDS: TitleWords = {
  type: (type) => `[${type}]`,
  documentOf: (date) => (date === null ? 'Document' : `Document of ${date}`),
  outOfRange: (count) => `${count} out`,
  toCheck: (count) => `${count} to check`,
  allInRange: (count) => `all ${count} in`,
  results: (count) => `${count} results`,
  more: (count) => `${count} more`,
  reportPending: (study, date) => `[${study}|${date}]`,
  period: (from, to) => `${from}–${to}`,
  money: (amount, currency) => `${amount} ${currency}`,
};
const facts = (more: Partial<Omit<TitleFacts, 'highlights'>>, highlights: Partial<Highlights> = {}): TitleFacts => ({
  title: null,
  doc_type: null,
  facility_name: null,
  doctor_name: null,
  specialty_display: null,
  event_date: null,
  original_filename: '001_file626.pdf',
  ...more,
  highlights: {
    results: 0,
    in_range: 0,
    out_of_range: 0,
    doubtful: 0,
    subjects: [],
    more: 0,
    stay: null,
    total: null,
    ...highlights,
  },
});
const title = (...args: Parameters<typeof facts>): string => documentTitle(facts(...args), WORDS);
const caption = (...args: Parameters<typeof facts>): string => documentCaption(facts(...args), WORDS);

describe('the title of a document', () => {
  it('is its type and where it comes from', () => {
    expect(title({ doc_type: 'lab_test', facility_name: 'Synlabor', doctor_name: 'Dr. Roth' })).toBe(
      '[lab_test] · Synlabor',
    );
    expect(title({ doc_type: 'prescription', doctor_name: 'Dr. Roth' }, { subjects: ['Apixaban 5 mg'] })).toBe(
      '[prescription] · Dr. Roth',
    );
    expect(title({ doc_type: 'specialist_report', specialty_display: 'Neurology' })).toBe(
      '[specialist_report] · Neurology',
    );
  });
  it('leaves out the legal form of a facility, but not its name', () => {
    expect(title({ doc_type: 'lab_test', facility_name: 'Synlabor Mittelland AG' })).toBe(
      '[lab_test] · Synlabor Mittelland',
    );
    expect(title({ doc_type: 'lab_test', facility_name: 'Lakeview Diagnostics, Ltd.' })).toBe(
      '[lab_test] · Lakeview Diagnostics',
    );
    expect(title({ doc_type: 'lab_test', facility_name: 'AG' })).toBe('[lab_test] · AG');
  });
  it('is what it is about, if nobody knows where it comes from', () => {
    expect(title({ doc_type: 'imaging_report' }, { subjects: ['MRI right knee'] })).toBe(
      '[imaging_report] · MRI right knee',
    );
    expect(title({ doc_type: 'other', facility_name: 'Helvia' }, { subjects: ['Confirmation of cover 2026'] })).toBe(
      'Confirmation of cover 2026 · Helvia',
    );
    expect(title({ doc_type: 'other', facility_name: 'Helvia' })).toBe('Document · Helvia');
  });
  it('is the day of a document of which nothing else is known, and never the name of its file', () => {
    expect(title({ doc_type: 'invoice' })).toBe('[invoice]');
    expect(title({ event_date: '2026-11-12' })).toBe('Document of 2026-11-12');
    expect(title({ doc_type: 'other' })).toBe('Document');
    expect(documentTitle({ ...facts({ doc_type: 'lab_test' }), highlights: null }, WORDS)).toBe('[lab_test]');
  });
  it('is the one that a user gave', () =>
    expect(title({ title: 'Iron, before the infusion', doc_type: 'lab_test', facility_name: 'Synlabor' })).toBe(
      'Iron, before the infusion',
    ));
});

describe('the caption of a document', () => {
  const lab = { doc_type: 'lab_test', facility_name: 'Synlabor' } as const;
  it('counts results by what they say', () => {
    expect(caption(lab, { results: 12, in_range: 8, out_of_range: 3, doubtful: 1 })).toBe('3 out, 1 to check');
    expect(caption(lab, { results: 12, in_range: 12 })).toBe('all 12 in');
    expect(caption(lab, { results: 12, in_range: 11, doubtful: 1 })).toBe('all 11 in, 1 to check');
    expect(caption(lab, { results: 2, doubtful: 2 })).toBe('2 to check');
  });
  it('claims no range that a result does not have', () =>
    expect(caption(lab, { results: 3, in_range: 1 })).toBe('3 results'));
  it('names what the document is about, the stay and the total', () => {
    const clinic = { facility_name: 'Klinik Sonnenhalde' };
    const stay = { from: '2026-10-12', to: '2026-10-21' };
    expect(caption({ ...clinic, doc_type: 'discharge' }, { subjects: ['Hip replacement'], stay, results: 4 })).toBe(
      'Hip replacement, 2026-10-12–2026-10-21',
    );
    expect(caption({ ...clinic, doc_type: 'prescription' }, { subjects: ['A', 'B', 'C'], more: 2 })).toBe(
      'A, B, C, 2 more',
    );
    expect(
      caption({ ...clinic, doc_type: 'invoice' }, { subjects: ['ECG'], total: { amount: 188.2, currency: 'CHF' } }),
    ).toBe('ECG, 188.2 CHF');
  });
  it('does not repeat what the title says, unless a user wrote the title', () => {
    expect(caption({ doc_type: 'imaging_report' }, { subjects: ['MRI right knee', 'CT chest'] })).toBe('CT chest');
    expect(caption({ doc_type: 'imaging_report', title: 'Knee' }, { subjects: ['MRI right knee'] })).toBe(
      'MRI right knee',
    );
    expect(documentCaption({ ...facts(lab), highlights: null }, WORDS)).toBe('');
  });
});
