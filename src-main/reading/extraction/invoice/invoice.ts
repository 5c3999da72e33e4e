import type { Found, FoundInvoiceItem } from '../extraction.ts';
import { foldLetters } from '../fold.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import type { Layout, LayoutPage } from '../layout/layout.ts';
import type { Line } from '../layout/lines.ts';
import type { Column } from '../layout/table.ts';
import { itemOf, itemTables } from './invoice-items.ts';
import { cents, currencyOf, moneyOf } from './money.ts';

/** Items and total of an invoice. `mismatch` means that they don't add up. */
export interface Invoice {
  items: FoundInvoiceItem[];
  total: Found<{ amount: number; currency: string | null }> | null;
  mismatch: { sum: number; total: number } | null;
}

const TOTAL = new RegExp(
  [
    String.raw`\b(?:total due|amount due|balance due|total amount|grand total|total payable|total to pay|`,
    String.raw`invoice total|please pay|total(?: (?:chf|eur|gbp|usd|incl|ttc|brut|netto|a payer|da pagare|`,
    String.raw`generale?|dovuto|fattura))?|gesamtbetrag|rechnungsbetrag|rechnungstotal|gesamtsumme|endbetrag|`,
    String.raw`gesamttotal|zu zahlen(?:der betrag)?|zahlbetrag|zahlbar|summe|montant (?:total|du|a payer)|`,
    String.raw`net a payer|solde|totale(?: (?:da pagare|fattura|dovuto|complessivo))?|importo (?:totale|dovuto|`,
    String.raw`da pagare)|netto a pagare|saldo)\b`,
  ].join(''),
  'u',
);
const DUE = /due|zahl|payer|pagare|rechnungsbetrag|gesamt|grand|dovuto|please pay/;
/** Lines between the items and the total, or lines that repeat a subtotal. */
const BETWEEN = new RegExp(
  [
    String.raw`\b(?:sub-?\s?total|zwischensumme|zwischentotal|sous-?total|subtotale|imponibile|netto(?:betrag)?|`,
    String.raw`net amount|vat|mwst|ust|tva|iva|tax|steuer|bollo|discount|rabatt|remise|sconto|paid|bezahlt|`,
    String.raw`anzahlung|acompte|acconto|deposit|insurance (?:paid|payments?)|payments? received|copay|`,
    String.raw`adjustment)\b`,
  ].join(''),
  'u',
);
const NOT_AN_ITEM = new RegExp(
  [
    String.raw`\b(?:iban|bic|swift|tel|fax|account|konto|compte|page|seite|reference|referenz|patient|vat no|`,
    String.raw`mwst-nr|due date|fallig)\b`,
  ].join(''),
  'u',
);
const ROUNDING = 0.06;
/**
 * Maximum number of lines between items and total that may explain a difference; with more, almost any difference could
 * be explained.
 */
const MAX_STEPS = 4;

interface Total {
  line: Line;
  amount: number;
  currency: string | null;
  isDue: boolean;
}

/** Reads the items and totals of an invoice. Amounts are decimal numbers in the currency that the page names. */
export function readInvoice({ pages }: Layout): Invoice {
  const usual = currencyOf(pages.flatMap(({ lines }) => lines.map((line) => line.text)).join('\n'));
  const items: FoundInvoiceItem[] = [],
    totals: Total[] = [],
    steps: number[] = [];
  for (const page of pages) readPage(page, usual, { items, totals, steps });
  const total = totals.sort((a, b) => Number(b.isDue) - Number(a.isDue) || b.amount - a.amount)[0];
  const sum = cents(items.reduce((all, item) => all + (item.amount ?? 0), 0));
  const differs = total !== undefined && items.length > 1 && !addsUp(sum, total.amount, steps);
  return {
    items,
    mismatch: differs && total ? { sum, total: total.amount } : null,
    total: total
      ? {
          value: { amount: total.amount, currency: total.currency },
          confidence: confidenceOf(total.line.words) * 0.95,
          place: placeOf(total.line.page, total.line.words),
        }
      : null,
  };
}

/**
 * Items are between the headings of their table and the total; a sum in the page header may precede the headings. Only
 * notes and payment slips follow the total.
 */
function readPage(
  page: LayoutPage,
  usual: string | null,
  { items, totals, steps }: { items: FoundInvoiceItem[]; totals: Total[]; steps: number[] },
): void {
  const tables = itemTables(page);
  let columns: readonly Column<string>[] | null = null;
  let ended = totals.length > 0;
  page.lines.forEach((line, index) => {
    columns = tables.get(index) ?? columns;
    if (tables.has(index)) ended = false;
    const amount = tables.has(index) ? undefined : moneyOf(line.text).at(-1);
    if (amount === undefined) return;
    const folded = foldLetters(line.text);
    if (BETWEEN.test(folded)) steps.push(amount);
    else if (TOTAL.test(folded)) {
      totals.push({ line, amount, currency: currencyOf(line.text) ?? usual, isDue: DUE.test(folded) });
      ended = true;
    } else if (!NOT_AN_ITEM.test(folded) && !ended) {
      const item = itemOf(line, columns, usual);
      if (item) items.push(item);
    }
  });
}

/**
 * Whether the items add up to the total if some of the lines between them (taxes, discounts, payments) are added or
 * subtracted.
 */
function addsUp(sum: number, total: number, steps: readonly number[]): boolean {
  const reached = steps
    .slice(0, MAX_STEPS)
    .reduce<number[]>((sums, step) => sums.flatMap((before) => [before, before + step, before - step]), [sum]);
  return reached.some((amount) => Math.abs(amount - total) <= ROUNDING);
}
