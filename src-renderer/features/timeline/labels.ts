import { useTranslation } from 'react-i18next';
import type { EventType } from '../../../src-shared/contract/events.ts';
import { useFormats } from '../../client/format.ts';

interface Dated {
  date_start: string | null;
  date_end: string | null;
  is_ongoing: boolean;
}

/** Texts for the types and dates of events. */
export function useEventLabels() {
  const { t } = useTranslation('timeline');
  const formats = useFormats();
  return {
    type: (type: EventType): string => t(`type_${type}`),
    when({ date_start, date_end, is_ongoing }: Dated): string {
      if (date_start === null) return date_end ? t('until', { date: formats.date(date_end) }) : t('undated');
      if (is_ongoing) return t('since', { date: formats.date(date_start) });
      return date_end && date_end !== date_start
        ? `${formats.date(date_start)} – ${formats.date(date_end)}`
        : formats.date(date_start);
    },
  };
}
