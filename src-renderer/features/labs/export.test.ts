import { expect, it } from 'vitest';
import type { LabSeries } from '../../../src-shared/contract/labs.ts';
import { fileNameOf } from '../../client/save-file.ts';
import { csvOf } from './export.ts';

const series = (more: Partial<LabSeries>): LabSeries => ({
  test: {
    key: 't:x',
    name: 'Fe, "total"',
    names: null,
    norm_lab_test_id: null,
    canonical_code: null,
    loinc_code: null,
    category: null,
  },
  printed_names: [],
  unit: 'µg/L',
  units: [],
  conversions: [],
  points: [],
  apart: [],
  events: [],
  medications: [],
  ...more,
});

it('exports one row per result, quoted by RFC 4180 and without formulas', () => {
  const csv = csvOf([
    series({
      points: [
        {
          id: 1,
          document_id: 5,
          laboratory: '=cmd()',
          page: 1,
          date: '2025-01-02',
          value: 0.3,
          comparator: '<',
          reference_range_low: null,
          reference_range_high: 5.5,
          reference_range_comparator: '≤',
          doubt: ['unit_missing', 'far_from_range'],
          flag: null,
          converted: false,
          original: { value_text: '<0,3', unit: 'µg/L', reference_range_low: null, reference_range_high: 5.5 },
          also_printed: [],
          also_in: [],
        },
      ],
      apart: [
        {
          id: 2,
          document_id: null,
          laboratory: null,
          page: null,
          date: null,
          value: null,
          value_text: '-neg\nativ',
          unit: null,
          flag: null,
          doubt: ['poor_print'],
          reason: 'not_a_number',
          also_in: [],
        },
      ],
    }),
  ]);
  expect(csv.split('\r\n')).toEqual([
    'test,date,comparator,value,unit,range_low,range_high,range_comparator,flag,doubt,' +
      'laboratory,printed_value,printed_unit,document_id,copies,left_out_because',
    '"Fe, ""total""",2025-01-02,<,0.3,µg/L,,5.5,≤,,unit_missing far_from_range,\'=cmd(),"<0,3",µg/L,5,0,',
    '"Fe, ""total""",,,,,,,,,poor_print,,"\'-neg\nativ",,,0,not_a_number',
    '',
  ]);
});
it('builds a file name that every file system accepts', () => {
  expect([fileNameOf(['Albumin/Kreatinin', 'CRP'], 'csv'), fileNameOf(['??'], 'png')]).toEqual([
    'Albumin Kreatinin + CRP.csv',
    'results.png',
  ]);
});
