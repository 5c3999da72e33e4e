import { expect, it } from 'vitest';
import type { LabSummaryItem } from '../../../src-shared/contract/labs.ts';
import { firstTest, groupsOf, nameOf } from './groups.ts';

const item = (
  name: string,
  category: string | null,
  more: Partial<LabSummaryItem['last']> = {},
  names: Record<string, string> | null = null,
): LabSummaryItem => ({
  key: `t:${name}`,
  name,
  names,
  norm_lab_test_id: null,
  canonical_code: null,
  loinc_code: null,
  category,
  series: [],
  trend: null,
  last: {
    id: 1,
    document_id: 1,
    date: '2025-01-01',
    value: 1,
    comparator: null,
    value_text: '1',
    unit: null,
    reference_range_low: null,
    reference_range_high: null,
    reference_range_comparator: null,
    doubt: [],
    flag: null,
    ...more,
  },
});
const ITEMS = [
  item('Zinc', 'Vitamins and trace elements'),
  item('Haemoglobin', 'Blood count', { flag: 'low' }, { de: 'Hämoglobin', en: 'Haemoglobin' }),
  item('Odd', null, { document_id: 7 }),
  item('Basophils', 'Blood count'),
  item('Sweat test', 'Anything'),
];
const shown = (options: Partial<Parameters<typeof groupsOf>[1]>) =>
  groupsOf(ITEMS, {
    show: 'all',
    text: '',
    latestDocumentId: 7,
    language: 'en',
    labelOf: (category) => category,
    ...options,
  }).map((group) => [group.category, group.items.map((one) => one.name)]);

it('groups tests by category in report order, unknown ones last', () => {
  expect(shown({})).toEqual([
    ['Blood count', ['Basophils', 'Haemoglobin']],
    ['Vitamins and trace elements', ['Zinc']],
    ['Anything', ['Sweat test']],
    [null, ['Odd']],
  ]);
});
it('filters by range, latest report, and text in either language', () => {
  expect(shown({ show: 'out' })).toEqual([['Blood count', ['Haemoglobin']]]);
  expect(shown({ show: 'latest' })).toEqual([[null, ['Odd']]]);
  for (const text of ['hamo', 'hämo', 'haemo', 'HAEMO'])
    expect(shown({ text, language: 'de' }), text).toEqual([['Blood count', ['Haemoglobin']]]);
  expect(shown({ text: 'nothing' })).toEqual([]);
});
it('names a test in the user’s language', () => {
  expect([nameOf(ITEMS[1]!, 'de'), nameOf(ITEMS[1]!, 'fr'), nameOf(ITEMS[0]!, 'de')]).toEqual([
    'Hämoglobin',
    'Haemoglobin',
    'Zinc',
  ]);
});
it('opens with the first test out of range in the order of the list, or with the first of all', () => {
  const first = (items: LabSummaryItem[]) =>
    firstTest(groupsOf(items, { show: 'all', text: '', latestDocumentId: 7, language: 'en', labelOf: (name) => name }));
  expect(first(ITEMS)).toBe('t:Haemoglobin');
  expect(first(ITEMS.filter(({ last }) => last.flag === null))).toBe('t:Basophils');
  expect(first([])).toBeUndefined();
});
