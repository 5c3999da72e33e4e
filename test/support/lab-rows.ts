import type { ResultRow } from '../../src-main/features/labs/result-row.ts';

let ids = 0;

/** A result of a document of its own, as printed: `<0.3` is a number with a comparator, `negativ` a text. */
export function resultRow(
  date: string | null,
  printed: string | null,
  unit: string | null,
  more: Partial<ResultRow> = {},
): ResultRow {
  const number = printed === null ? NaN : Number(printed.replace(/^[<>≤≥]\s*/, ''));
  ids += 1;
  return {
    id: ids,
    document_id: ids,
    document_filename: `${ids}.pdf`,
    laboratory: null,
    page: 1,
    test_name_original: 'Glukose',
    date,
    value: Number.isNaN(number) ? null : number,
    value_text: printed,
    unit,
    reference_range_low: null,
    reference_range_high: null,
    reference_range_comparator: null,
    doubt: [],
    is_abnormal: null,
    panel_name: null,
    edited: false,
    ...more,
  };
}
