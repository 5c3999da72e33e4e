import type { LabSummaryItem } from '../../../src-shared/contract/labs.ts';

export type Show = 'all' | 'out' | 'latest';
export interface Group {
  category: string | null;
  items: LabSummaryItem[];
}

/** Categories in the usual order of reports; others follow by name. */
const CATEGORY_ORDER = [
  'Blood count',
  'Differential count',
  'Haemoglobin variants',
  'Iron',
  'Vitamins and trace elements',
  'Glucose metabolism',
  'Lipids',
  'Electrolytes',
  'Kidney',
  'Liver',
  'Pancreas',
  'Muscle and heart',
  'Inflammation',
  'Thyroid',
  'Hormones',
  'Parathyroid and bone',
  'Coagulation',
  'Blood gases',
];
const placeOf = (category: string | null): number => {
  const at = category === null ? -1 : CATEGORY_ORDER.indexOf(category);
  return at < 0 ? CATEGORY_ORDER.length : at;
};

/** The name of a test in the user's language, if it has one. */
export const nameOf = ({ name, names }: Pick<LabSummaryItem, 'name' | 'names'>, language: string): string =>
  names?.[language] ?? name;

/** Variants for searching: lower case without accents, and with umlauts spelled out. */
const fold = (text: string): string => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
const spelledOut = (text: string): string =>
  fold(text.toLowerCase().replace(/ä/g, 'ae').replace(/ö/g, 'oe').replace(/ü/g, 'ue').replace(/ß/g, 'ss'));

/** Whether a test passes the filter: all, currently out of range, or in the latest report. */
export const isShown = ({ last }: Pick<LabSummaryItem, 'last'>, show: Show, latestDocumentId: number | null): boolean =>
  show === 'all' ||
  (show === 'out' ? last.flag !== null : last.document_id !== null && last.document_id === latestDocumentId);

/** Filters tests and groups them by category, sorted by name. `labelOf` translates a category. */
export function groupsOf(
  items: readonly LabSummaryItem[],
  {
    show,
    text,
    latestDocumentId,
    language,
    labelOf,
  }: {
    show: Show;
    text: string;
    latestDocumentId: number | null;
    language: string;
    labelOf: (category: string) => string;
  },
): Group[] {
  const needle = fold(text.trim()),
    spelledNeedle = spelledOut(text.trim());
  const has = (item: LabSummaryItem): boolean =>
    [nameOf(item, language), item.name].some(
      (name) => fold(name).includes(needle) || spelledOut(name).includes(spelledNeedle),
    );
  const shown = items.filter((item) => isShown(item, show, latestDocumentId) && (needle === '' || has(item)));
  const groups = [...Map.groupBy(shown, (item) => item.category)].map(([category, own]): Group => ({
    category,
    items: own.sort((a, b) => nameOf(a, language).localeCompare(nameOf(b, language), language)),
  }));
  // Panels with different spellings stay separate; tests without a panel come last.
  return groups.sort(
    (a, b) =>
      Number(a.category === null) - Number(b.category === null) ||
      placeOf(a.category) - placeOf(b.category) ||
      labelOf(a.category ?? '').localeCompare(labelOf(b.category ?? ''), language),
  );
}

/** The test to show first: the first one whose last value is out of range, otherwise the first of all. */
export function firstTest(groups: readonly Group[]): string | undefined {
  const items = groups.flatMap((group) => group.items);
  return (items.find(({ last }) => last.flag !== null) ?? items[0])?.key;
}
