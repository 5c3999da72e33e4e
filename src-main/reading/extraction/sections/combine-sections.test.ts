import { expect, it } from 'vitest';
import type { SectionType } from '../../../../src-shared/medical/document-type.ts';
import { combineSections } from './combine-sections.ts';

const section = (page_start: number, page_end: number, section_type: SectionType) => ({
  ...{ section_index: 0, page_start, page_end, section_type, summary_en: null },
});
const ranges = (kinds: Record<number, SectionType>, ...sections: ReturnType<typeof section>[]) =>
  combineSections(sections, new Map(Object.entries(kinds).map(([page, kind]) => [Number(page), kind]))).map(
    ({ section_index, page_start, page_end, section_type }) =>
      `${section_index} ${page_start}-${page_end} ${section_type}`,
  );

it('pages without a title are of the kind that the model says', () => {
  expect(ranges({ 1: 'cover_page', 3: 'lab_results_page', 4: 'lab_results_page' }, section(1, 6, 'other'))).toEqual([
    '0 1-1 cover_page',
    '1 2-2 other',
    '2 3-4 lab_results_page',
    '3 5-6 other',
  ]);
});

it('a title that rules read counts more than the model, and neighbors of one kind are one section', () => {
  expect(
    ranges(
      { 1: 'cover_page', 2: 'nursing_notes', 3: 'nursing_notes', 4: 'nursing_notes' },
      ...[section(1, 1, 'other'), section(2, 3, 'lab_results_page'), section(4, 6, 'imaging_report')],
    ),
  ).toEqual(['0 1-1 cover_page', '1 2-2 lab_results_page', '2 3-3 nursing_notes', '3 4-6 imaging_report']);
});

it('without a word of the model, sections stay as rules found them', () => {
  expect(ranges({}, section(1, 2, 'other'), section(3, 7, 'discharge_summary'))).toEqual([
    '0 1-2 other',
    '1 3-7 discharge_summary',
  ]);
});
