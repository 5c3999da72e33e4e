import { parseNumber } from '../../../../src-shared/medical/number.ts';
import type { FoundInvoiceItem } from '../extraction.ts';
import { createPhraseFinder } from '../languages/phrases.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import type { LayoutPage } from '../layout/layout.ts';
import type { Line } from '../layout/lines.ts';
import { columnAt, findHeaders, type Column } from '../layout/table.ts';
import { currencyOf, moneyOf, withoutMoney } from './money.ts';
import { loadWords } from '../../knowledge/words.ts';

const ITEM_COLUMNS = ['date', 'code', 'description', 'quantity', 'unit_price', 'tax', 'amount', 'other'] as const;
type ItemColumn = (typeof ITEM_COLUMNS)[number];

const findHeadings = createPhraseFinder(loadWords('invoice-columns', ITEM_COLUMNS));
const TARIFF = /^(?:\d{2}\.\d{4}(?:\.\d{2})?|[A-Z]{2}\.\d{2}\.\d{4}|\d{5}|\d{1,4}[a-z]?|[A-Z]{1,4}\d{0,4})$/u;
const DATE = /^\d{1,4}[./-]\d{1,2}[./-]\d{2,4}$/;
const MAX_WORDS = 22;

/** The item columns of an invoice, keyed by the index of the header's last line. */
export function itemTables(page: LayoutPage): Map<number, Column<string>[]> {
  return new Map(
    findHeaders(page, findHeadings)
      .filter(({ columns }) => {
        const has = (role: ItemColumn): boolean => columns.some((column) => column.role === role);
        return (has('description') || has('code')) && (has('amount') || has('unit_price'));
      })
      .map(({ index, columns }) => [index, columns]),
  );
}

/** An invoice item. Its amount is the money in the amount column or, without headings, the last amount of the line. */
export function itemOf(
  line: Line,
  columns: readonly Column<string>[] | null,
  usual: string | null,
): FoundInvoiceItem | null {
  const amounts = moneyOf(line.text);
  if (amounts.length === 0 || line.words.length > MAX_WORDS) return null;
  const cells = columns ? cellsUnder(line, columns) : null;
  const own = cells ? fromCells(cells, amounts) : fromLine(line, amounts);
  if (own === null || !/\p{L}{3}/u.test(own.description)) return null;
  return {
    ...own,
    currency: currencyOf(line.text) ?? usual,
    category: null,
    confidence: confidenceOf(line.words) * (cells ? 0.95 : 0.85),
    place: placeOf(line.page, line.words),
  };
}

type Own = Pick<FoundInvoiceItem, 'description' | 'quantity' | 'unit_price' | 'amount' | 'tariff_code' | 'tax_rate'>;
type Cells = Partial<Record<ItemColumn, string>>;

/** Assigns texts to their column as a whole but numbers one by one, because numbers are often close together. */
function cellsUnder(line: Line, columns: readonly Column<string>[]): Cells {
  const cells: Cells = {};
  // Some forms have no heading above the descriptions.
  const isUnnamed = !columns.some(({ role }) => role === 'description');
  const put = (text: string, from: number, to: number): void => {
    const role = columnAt(columns, from, to)?.role as ItemColumn | undefined;
    if (role) cells[role] = cells[role] ? `${cells[role]} ${text}` : text;
  };
  for (const { text, words, bbox } of line.segments) {
    if (/\p{L}{3}/u.test(withoutMoney(text)) && moneyOf(text).length === 0 && isUnnamed)
      cells.description = cells.description ? `${cells.description} ${text}` : text;
    else if (/\p{L}{3}/u.test(withoutMoney(text)) && moneyOf(text).length === 0) put(text, bbox[0], bbox[0] + bbox[2]);
    else for (const word of words) put(word.text, word.x, word.x + word.w);
  }
  return cells;
}

function fromCells(cells: Cells, amounts: readonly number[]): Own | null {
  const amount = moneyOf(cells.amount ?? '').at(-1) ?? amounts.at(-1) ?? null;
  const code = cells.code?.split(' ').find((text) => TARIFF.test(text) && !DATE.test(text)) ?? null;
  const described = describe(cells.description ?? '');
  return {
    description: described.name,
    quantity: countOf(cells.quantity),
    unit_price: moneyOf(cells.unit_price ?? '').at(-1) ?? null,
    amount,
    tariff_code: code ?? described.code,
    tax_rate: taxOf(cells.tax ?? '') ?? (cells.tax ? countOf(cells.tax) : null),
  };
}

function fromLine(line: Line, amounts: readonly number[]): Own | null {
  const cells = line.segments.map((segment) => segment.text);
  const description = cells.find(
    (text) => /\p{L}{3}/u.test(withoutMoney(text)) && !/^\W*\d+[.,]\d{2}(?![./\d])/.test(text),
  );
  if (description === undefined) return null;
  const { name, code } = describe(description);
  const others = cells.filter((text) => text !== description && !DATE.test(text.trim()));
  const codeCell = others.find(
    (text) => TARIFF.test(text.trim()) && /\d{3}|\./.test(text) && moneyOf(text).length === 0,
  );
  const quantity = others.find(
    (text) => /^\d{1,3}(?:[.,]\d{1,2})?\s?[x×]?$/.test(text.trim()) && text !== codeCell && moneyOf(text).length === 0,
  );
  return {
    description: name,
    quantity: countOf(quantity),
    unit_price: amounts.length > 1 ? (amounts.at(-2) ?? null) : null,
    amount: amounts.at(-1) ?? null,
    tariff_code: code ?? codeCell?.trim() ?? null,
    tax_rate: taxOf(line.text),
  };
}

/** Splits the leading date and code from a description. */
function describe(text: string): { name: string; code: string | null } {
  const words = withoutMoney(text)
    .split(' ')
    .filter((word, i) => !(i < 2 && DATE.test(word)));
  const [first, ...rest] = words;
  const code = first && rest.length > 0 && TARIFF.test(first) && /\d/.test(first) ? first : null;
  return { name: (code ? rest : words).join(' ').replace(/[\s:;,.–…_-]+$/u, ''), code };
}

const countOf = (text: string | undefined): number | null =>
  text === undefined ? null : (parseNumber(text.replace(/[x×%\s]/g, ''))?.value ?? null);

function taxOf(text: string): number | null {
  const match = /(\d{1,2}(?:[.,]\d{1,2})?)\s?%/.exec(text);
  return match ? (parseNumber(match[1] ?? '')?.value ?? null) : null;
}
