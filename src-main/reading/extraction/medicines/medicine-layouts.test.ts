import { expect, test } from 'vitest';
import { MEDICINE_LAYOUTS } from '../../../../test/support/medicine-layouts.ts';
import { medicineRows } from '../../../../test/support/printed-rows.ts';

test.each(MEDICINE_LAYOUTS)('reads the medicines of: $title', ({ lines, rows }) => {
  const read = medicineRows(lines).map(({ brand_name, active_ingredient_original, dosage, frequency }) => {
    const substance = active_ingredient_original === null ? '' : `/${active_ingredient_original}`;
    return `${brand_name ?? ''}${substance} | ${dosage ?? '-'} | ${frequency ?? '-'}`;
  });
  expect(read.sort()).toEqual([...rows].sort());
});
