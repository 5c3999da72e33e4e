import { expect, it } from 'vitest';
import { inOrderOfDays } from '../bench/reading-order.ts';

const row = (test_name_original: string, test_date: string | null) => ({ test_name_original, test_date });

it('lists the days of each test as the truth does, and changes nothing else', () => {
  const truth = [row('CRP', '2025-03-25'), row('CRP', '2025-04-02'), row('INR', '2025-03-25')];
  const read = [row('CRP', '2025-04-02'), row('INR', '2025-03-25'), row('CRP', '2025-03-25'), row('Remark', null)];
  expect(inOrderOfDays(truth, read)).toEqual([
    row('CRP', '2025-03-25'),
    row('INR', '2025-03-25'),
    row('CRP', '2025-04-02'),
    row('Remark', null),
  ]);
});

it('orders a misread name by the days of the report', () => {
  const truth = [row('Ferritin', '2025-03-25'), row('Ferritin', '2025-04-02')];
  const read = [row('FETTitiN', '2025-04-02'), row('FETTitiN', '2025-03-25')];
  expect(inOrderOfDays(truth, read)).toEqual([read[1], read[0]]);
});
