import { describe, expect, it } from 'vitest';
import { printedPage } from '../../../test/fixtures/printed-page.ts';
import { context } from '../../../test/support/printed-document.ts';
import { readDocument } from './read-document.ts';

describe('files of more than five pages', () => {
  const head = (title: string): string[] => [
    'Kantonsspital Auenwald',
    title,
    'Patientin: Elena Keller, geb. 12.03.1961',
  ];
  const lab = (title: string): string[] => [
    ...head(title),
    'Entnahme: 13.02.2024',
    'Kalium    5.8    mmol/L    3.5 - 5.1',
    'Natrium    140    mmol/L    135 - 145',
  ];
  const pages = [
    [
      ...head('Austrittsbericht'),
      'Hospitalisation vom 12.02.2024 bis 19.02.2024',
      'Datum: 21.02.2024',
      'Diagnosen',
      'Arterielle Hypertonie (I10)',
      'Dr. med. Peter Graf',
    ],
    lab('Laborbefund'),
    lab('Laborbefund'),
    [...head('Pflegebericht'), 'Patientin mobil, isst selbständig.'],
    ['Weiter gute Mobilisation, keine Schmerzen.'],
    [...head('Einwilligungserklärung'), 'Diagnose', 'Arterielle Hypertonie (I10)'],
  ].map((lines, i) => printedPage(lines, i + 1));

  it('joins adjacent pages of one kind and adds untitled ones to the page before', () => {
    const { sections } = readDocument(pages, context);
    expect(sections.map(({ section_type, page_start, page_end }) => [section_type, page_start, page_end])).toEqual([
      ['discharge_summary', 1, 1],
      ['lab_results_page', 2, 3],
      ['nursing_notes', 4, 5],
      ['consent_form', 6, 6],
    ]);
    expect(sections.every((section) => (section.summary_en ?? '').length > 0)).toBe(true);
  });

  it('reads each section separately and reports each row once', () => {
    const found = readDocument(pages, context);
    expect(found.lab_results.map((row) => row.test_name_original)).toEqual(['Kalium', 'Natrium']);
    expect(found.diagnoses.map((row) => row.diagnosis_code)).toEqual(['I10']);
    expect(found.event_date?.value).toBe('2024-02-12');
  });

  it('finds no sections in five pages', () => expect(readDocument(pages.slice(0, 5), context).sections).toEqual([]));
});
