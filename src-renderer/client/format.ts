import { useTranslation } from 'react-i18next';
import { formatsOf, type Formats } from '../ui/format/formats.ts';
import { today } from './clock.ts';
import { localeOf } from './language.ts';

export type { Formats };

const cache = new Map<string, Formats>();

/** The formatters of the current language. */
export function useFormats(): Formats {
  const { i18n } = useTranslation();
  const locale = localeOf(i18n.language);
  let formats = cache.get(locale);
  if (!formats) cache.set(locale, (formats = formatsOf(locale, () => Number(today().slice(0, 4)))));
  return formats;
}
