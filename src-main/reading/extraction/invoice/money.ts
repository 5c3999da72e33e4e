import { parseNumber } from '../../../../src-shared/medical/number.ts';

const CURRENCY = /(?<![\p{L}])(CHF|Fr\.|SFr\.?|EUR|€|GBP|£|USD|US\$|\$)(?![\p{L}])/u;
const CODES: Record<string, string> = {
  'fr.': 'CHF',
  sfr: 'CHF',
  'sfr.': 'CHF',
  '€': 'EUR',
  '£': 'GBP',
  $: 'USD',
  us$: 'USD',
};
/** Money has two decimals: `1'234.50`, `1.234,50`, `49.-`. Dates have a third part, percentages a percent sign. */
const AMOUNT = /(?<![\d.,'’])(-?\d{1,3}(?:[.'’ ,\u00a0]\d{3})*[.,]\d{2}|-?\d+[.,]\d{2}|\d+\.[-–])(?![\d%]|[./]\d)/gu;
const SIGN_BEFORE_CURRENCY = /[-–−]\s?([$€£]|CHF|EUR|GBP|USD)\s?(?=\d)/g;

/** ISO 4217 code of the first currency printed in a text; null when there is none. */
export function currencyOf(text: string): string | null {
  const sign = CURRENCY.exec(text)?.[1];
  return sign ? (CODES[sign.toLowerCase()] ?? sign) : null;
}

/** Amounts of money printed in a text, in order; credits are negative. */
export function moneyOf(text: string): number[] {
  return [...text.replace(SIGN_BEFORE_CURRENCY, '$1 -').matchAll(AMOUNT)].flatMap(
    (match) => parseNumber((match[1] ?? '').replace(/[-–]$/, '00').replace(/ /g, ''))?.value ?? [],
  );
}

/** A text without money and currencies. */
export const withoutMoney = (text: string): string =>
  text.replace(SIGN_BEFORE_CURRENCY, '$1 -').replace(AMOUNT, ' ').replace(CURRENCY, ' ').replace(/\s+/g, ' ').trim();

/** Rounded to hundredths. */
export const cents = (amount: number): number => Math.round(amount * 100) / 100;
