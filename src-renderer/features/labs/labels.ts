import { useTranslation } from 'react-i18next';
import type { LabPoint } from '../../../src-shared/contract/labs.ts';
import type { Comparator } from '../../../src-shared/contract/wire.ts';
import { NARROW_SPACE } from '../../ui/format/formats.ts';
import { useFormats } from '../../client/format.ts';
import { labValueText, rangeText, type RangeToShow } from '../../client/lab-text.ts';
import type { Messages } from '../../locales/en.ts';

/** Rounds a converted number to three significant digits, or to an integer. */
const SIGNIFICANT_DIGITS = 3;
const WHOLE_FROM = 100;
const roundConverted = (value: number): number =>
  Math.abs(value) >= WHOLE_FROM ? Math.round(value) : Number(value.toPrecision(SIGNIFICANT_DIGITS));

const rounded = (bound: number | null): number | null => (bound === null ? null : roundConverted(bound));

const FLAG_KEYS = { high: 'above', low: 'below', abnormal: 'outside' } as const;

/** Labels and number formats of this page in the user's language. */
export function useLabLabels() {
  const { t, i18n } = useTranslation('labs');
  const { locale, date, day } = useFormats();
  const digits = new Intl.NumberFormat(locale, { maximumSignificantDigits: 6, useGrouping: 'min2' });
  const number = (value: number): string => digits.format(roundConverted(value));
  const value = (point: { value: number; comparator: Comparator | null }): string =>
    `${point.comparator ? point.comparator + NARROW_SPACE : ''}${number(point.value)}`;
  return {
    t,
    language: i18n.language,
    locale,
    date,
    number,
    value,
    /** A number in the local format. */
    axis: (value: number): string => digits.format(value),
    /** "12 Nov" of this year, "12 Nov 2024" of another, for narrow columns; the title attribute has the full date. */
    dateShort: day,
    /** A result with its printed decimals, unless it was converted. */
    point: (point: LabPoint): string =>
      point.converted
        ? value(point)
        : labValueText({ value: point.value, value_text: point.original.value_text }, locale),
    /** The printed values if they differ from the shown one: in the original and in a second unit. */
    printed: (point: LabPoint): string[] => [
      ...(point.converted ? [t('printed', { text: withUnit(point.original) })] : []),
      ...point.also_printed.map((print) => t('also_printed', { text: withUnit(print) })),
    ],
    range: (range: RangeToShow, isConverted: boolean): string =>
      rangeText(isConverted ? { ...range, low: rounded(range.low), high: rounded(range.high) } : range, locale),
    category: (category: string | null): string => {
      if (category === null) return t('other');
      return i18n.exists(`labs:category.${category}`)
        ? t(`category.${category as keyof Messages['labs']['category']}`)
        : category;
    },
    flag: (flag: LabPoint['flag']): string => (flag === null ? '' : t(FLAG_KEYS[flag])),
  };
}
const withUnit = ({ value_text, unit }: { value_text: string | null; unit: string | null }): string =>
  [value_text, unit].filter(Boolean).join(NARROW_SPACE);

export type LabLabels = ReturnType<typeof useLabLabels>;
