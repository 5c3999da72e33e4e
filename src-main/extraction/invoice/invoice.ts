import { parseNumber } from '../../../src-shared/medical/number.ts';
import type { Found, FoundInvoiceItem } from '../extraction.ts';
import { foldLetters } from '../fold.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import type { Layout } from '../layout/layout.ts';
import type { Line } from '../layout/lines.ts';
import type { RowContext } from '../row-context.ts';

/** Lines and sum of an invoice. `mismatch`: they do not add up. */
export interface Invoice { items: FoundInvoiceItem[]; total: Found<{ amount: number; currency: string | null }> | null; mismatch: { sum: number; total: number } | null }

const CURRENCY = /(?<![\p{L}])(CHF|Fr\.|SFr\.?|EUR|€|GBP|£|USD|US\$|\$)(?![\p{L}])/u;
const CODES: Record<string, string> = { 'fr.': 'CHF', 'sfr': 'CHF', 'sfr.': 'CHF', '€': 'EUR', '£': 'GBP', '$': 'USD', 'us$': 'USD' };
/** Money has two decimals: `1'234.50`, `1.234,50`, `49.-`. */
const AMOUNT = /(?<![\d.,'’])(-?\d{1,3}(?:[.'’ ,\u00a0]\d{3})*[.,]\d{2}|-?\d+[.,]\d{2}|\d+\.[-–])(?![\d%])/gu;
const TOTAL = /\b(?:total due|amount due|balance due|total amount|grand total|total payable|total to pay|invoice total|total(?: (?:chf|eur|gbp|usd|incl|ttc|brut|netto|à payer|da pagare|general[e]?|dovuto|fattura))?|gesamtbetrag|rechnungsbetrag|gesamtsumme|endbetrag|gesamttotal|zu zahlen(?:der betrag)?|zahlbetrag|zahlbar|summe|montant (?:total|du|a payer)|net a payer|solde|totale(?: (?:da pagare|fattura|dovuto|complessivo))?|importo (?:totale|dovuto|da pagare)|netto a pagare|saldo)\b/u;
const SUBTOTAL = /\b(?:sub-?\s?total|zwischensumme|zwischentotal|sous-?total|subtotale|imponibile|netto(?:betrag)?|net amount|vat|mwst|ust|tva|iva|tax|steuer|bollo|discount|rabatt|remise|sconto|paid|bezahlt|anzahlung|acompte|acconto|deposit|insurance paid|copay)\b/u;
const NOT_AN_ITEM = /\b(?:iban|bic|swift|tel|fax|account|konto|compte|page|seite|reference|referenz|patient|vat no|mwst-nr|due date|fallig)\b/u;
const TARIFF = /^(?:\d{2}\.\d{4}(?:\.\d{2})?|[A-Z]{2}\.\d{2}\.\d{4}|\d{5}|\d{1,4}[a-z]?|[A-Z]{1,4}\d{0,4}|\d{2}\.\d{2}\.\d{2})$/u;

const currencyOf = (text: string): string | null => {
  const sign = CURRENCY.exec(text)?.[1];
  return sign ? CODES[sign.toLowerCase()] ?? sign : null;
};
const moneyOf = (text: string): number[] => [...text.matchAll(AMOUNT)].flatMap((match) => parseNumber((match[1] ?? '').replace(/[-–]$/, '00').replace(/ /g, ''))?.value ?? []);

export function readInvoice(layout: Layout, ctx: RowContext): Invoice {
  const lines = layout.lines.filter(({ page }) => !ctx.pages || (page >= ctx.pages[0] && page <= ctx.pages[1]));
  const usual = currencyOf(lines.map((line) => line.text).join('\n'));
  const items: FoundInvoiceItem[] = [];
  const totals: { line: Line; amount: number; currency: string | null; weight: number }[] = [];
  for (const line of lines) {
    const amounts = moneyOf(line.text);
    const amount = amounts.at(-1);
    if (amount === undefined) continue;
    const folded = foldLetters(line.text);
    if (TOTAL.test(folded) && !SUBTOTAL.test(folded)) totals.push({ line, amount, currency: currencyOf(line.text) ?? usual, weight: /due|zahl|payer|pagare|rechnungsbetrag|gesamt|grand|dovuto/.test(folded) ? 2 : 1 });
    else if (!SUBTOTAL.test(folded) && !NOT_AN_ITEM.test(folded)) items.push(...itemOf(line, amounts, usual, totals.length > 0));
  }
  const total = totals.sort((a, b) => b.weight - a.weight || b.amount - a.amount)[0];
  const sum = Math.round(items.reduce((all, item) => all + (item.amount ?? 0), 0) * 100) / 100;
  // Tax, rounding to five centimes and discounts part the sum from the total a little.
  const differs = total !== undefined && items.length > 1 && Math.abs(sum - total.amount) > Math.max(0.06, total.amount * 0.27);
  return {
    items, mismatch: differs && total ? { sum, total: total.amount } : null,
    total: total ? { value: { amount: total.amount, currency: total.currency }, confidence: confidenceOf(total.line.words) * 0.95, place: placeOf(total.line.page, total.line.words) } : null,
  };
}

/** Description, then code, quantity, price and amount. After the total only notes follow. */
function itemOf(line: Line, amounts: number[], usual: string | null, afterTotal: boolean): FoundInvoiceItem[] {
  const cells = line.segments.map((segment) => segment.text);
  const description = cells.find((text) => /\p{L}{3}/u.test(text.replace(CURRENCY, '')) && !/^\W*\d+[.,]\d{2}/.test(text));
  const amount = amounts.at(-1);
  if (afterTotal || description === undefined || amount === undefined || line.words.length > 20) return [];
  const bare = description.replace(AMOUNT, ' ').replace(CURRENCY, ' ').replace(/\s+/g, ' ').trim();
  const [first, ...rest] = bare.split(' ');
  const codeCell = cells.find((text) => text !== description && TARIFF.test(text.trim()) && /\d{3}|\./.test(text));
  const ownCode = first && rest.length > 0 && TARIFF.test(first) && /\d/.test(first) ? first : null;
  const quantityCell = cells.find((text) => text !== description && /^\d{1,3}(?:[.,]\d{1,2})?\s?[x×]?$/.test(text.trim()) && text !== codeCell);
  const name = (ownCode ? rest.join(' ') : bare).replace(/^\d{1,2}\.\d{1,2}\.\d{2,4}\s*/, '').replace(/[\s:;,.–-]+$/u, '');
  if (!/\p{L}{3}/u.test(name)) return [];
  return [{
    description: name, quantity: quantityCell ? parseNumber(quantityCell.replace(/[x×\s]/g, ''))?.value ?? null : null, unit_price: amounts.length > 1 ? amounts.at(-2) ?? null : null, amount,
    currency: currencyOf(line.text) ?? usual, tariff_code: ownCode ?? codeCell?.trim() ?? null, tax_rate: taxOf(line.text), category: null,
    confidence: confidenceOf(line.words) * 0.9, place: placeOf(line.page, line.words),
  }];
}

function taxOf(text: string): number | null {
  const match = /(\d{1,2}(?:[.,]\d{1,2})?)\s?%/.exec(text);
  return match ? parseNumber(match[1] ?? '')?.value ?? null : null;
}
