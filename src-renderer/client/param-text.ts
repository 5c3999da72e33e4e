import { formatDecimal } from '../ui/format/formats.ts';
import type { Formats } from './format.ts';

const DATES = /^\d{4}-\d\d-\d\d(?:, \d{4}-\d\d-\d\d)*$/;
const DECIMAL = /^-?\d+\.(\d+)$/;

/** A parameter of a message of the core as the locale writes it: civil dates, several of them, amounts, counts. */
export function paramText(value: string | number, formats: Pick<Formats, 'dateFull' | 'number' | 'locale'>): string {
  if (typeof value === 'number') return formats.number(value);
  if (DATES.test(value)) return value.split(', ').map(formats.dateFull).join(', ');
  const decimals = DECIMAL.exec(value)?.[1];
  return decimals === undefined ? value : formatDecimal(Number(value), decimals.length, formats.locale);
}
