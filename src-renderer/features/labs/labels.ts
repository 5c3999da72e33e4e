import { useTranslation } from 'react-i18next';
import type { Comparator, LabPoint } from '../../../src-shared/contract/labs.ts';
import { THIN, useFormats } from '../../client/format.ts';
import { labValueText, rangeText } from '../../client/lab-text.ts';
import type { Messages } from '../../locales/en.ts';

/** A converted number in three digits, or whole: what a conversion adds beyond says nothing. */
const DIGITS = 3;
const WHOLE_FROM = 100;
const shortened = (value: number): number =>
  Math.abs(value) >= WHOLE_FROM ? Math.round(value) : Number(value.toPrecision(DIGITS));

const FLAG_KEYS = { high: 'above', low: 'below', abnormal: 'outside' } as const;

/** Labels and number formats of this page in the user's language. */
export function useLabLabels() {
  const { t, i18n } = useTranslation('labs');
  const { locale, date } = useFormats();
  const digits = new Intl.NumberFormat(locale, { maximumSignificantDigits: 6, useGrouping: 'min2' });
  const short = new Intl.DateTimeFormat(locale, { day: '2-digit', month: '2-digit', year: '2-digit', timeZone: 'UTC' });
  const number = (value: number): string => digits.format(shortened(value));
  const value = (point: { value: number; comparator: Comparator | null }): string =>
    `${point.comparator ? point.comparator + THIN : ''}${number(point.value)}`;
  return {
    t,
    language: i18n.language,
    locale,
    date,
    number,
    value,
    /** A number as it is. */
    axis: (value: number): string => digits.format(value),
    /** "12.11.26", for narrow columns; the title attribute has the full date. */
    dateShort: (civil: string | null): string => (civil === null ? '' : short.format(new Date(`${civil}T00:00:00Z`))),
    /** A result of a series: with its printed decimals where nothing was converted. */
    point: (point: LabPoint): string =>
      point.converted
        ? value(point)
        : labValueText({ value: point.value, value_text: point.original.value_text }, locale),
    /** What the report says where that is not what is shown: its own unit, and a second one. */
    printed: (point: LabPoint): string[] => [
      ...(point.converted ? [t('printed', { text: withUnit(point.original) })] : []),
      ...point.also_printed.map((print) => t('also_printed', { text: withUnit(print) })),
    ],
    range: (low: number | null, high: number | null, isConverted: boolean): string =>
      isConverted
        ? rangeText(low === null ? null : shortened(low), high === null ? null : shortened(high), locale)
        : rangeText(low, high, locale),
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
  [value_text, unit].filter(Boolean).join(THIN);

export type LabLabels = ReturnType<typeof useLabLabels>;
