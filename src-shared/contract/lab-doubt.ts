import { z } from 'zod';

/**
 * Why a laboratory result may have been read wrongly, as stored with it. A result with doubts is marked wherever it is
 * shown, until a user edits or confirms it.
 */
export const LAB_DOUBTS = [
  /** The characters were hard to recognize. */
  'poor_print',
  /** A second look at the number alone gave another one. */
  'readings_differ',
  /** A number without a unit, of a test that has one, or with one that does not exist. */
  'unit_missing',
  /** The unit is the usual one of the test, because the page does not say it. */
  'unit_inferred',
  /** No reference range, though the other rows of the table have one. */
  'range_missing',
  /** The laboratory printed another range for this test last time. */
  'range_differs',
  /** The number is far outside its range. */
  'far_from_range',
  /** The number and its range have different decimals, as when a decimal point was lost. */
  'decimals_differ',
  /** The printed mark says something else than number and range. */
  'flag_differs',
  /** The page does not say when the sample was taken. */
  'date_missing',
  /** No living person has this value. */
  'value_impossible',
  /** The number is far from the person's own earlier ones. */
  'curve_differs',
  /** The name is as long as a sentence. */
  'name_long',
  /** A result in words that is out of the ordinary. */
  'abnormal_in_words',
] as const;
export const labDoubt = z.enum(LAB_DOUBTS);
export type LabDoubt = z.output<typeof labDoubt>;
