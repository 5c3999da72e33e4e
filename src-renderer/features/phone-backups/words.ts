import { useTranslation } from 'react-i18next';
import { useFormats } from '../../app/i18n/format.ts';
import { useVocabulary } from '../../app/i18n/vocabulary.ts';
import { localDay } from './local-day.ts';
import type { phonesEn } from './messages.en.ts';
import { DirectError } from './source/source.ts';

type Failure = keyof (typeof phonesEn)['failure'];
type Problem = keyof (typeof phonesEn)['problem'];

/** Words, dates and numbers of these pages in the reader's language. */
export function usePhoneWords() {
  const { t, i18n } = useTranslation('phones');
  const formats = useFormats();
  const vocabulary = useVocabulary();
  const clock = new Intl.DateTimeFormat(formats.locale, { hour: '2-digit', minute: '2-digit' });
  const has = (key: string): boolean => i18n.exists(key, { ns: 'phones' });
  return {
    t, formats,
    /** A failure in words with what to do. */
    error: (error: unknown): string => {
      if (!(error instanceof DirectError)) return vocabulary.error(error);
      const key = has(`failure.${error.code}`) ? error.code as Failure : 'fault';
      return t(`failure.${key}`, error.params as never) as unknown as string;
    },
    problem: (code: string): string => (has(`problem.${code}`) ? t(`problem.${code as Problem}`) : code.replace(/_/g, ' ')),
    /** "12 Nov 2026" of a UTC timestamp, where the reader is. */
    day: (timestamp: string | null): string => (timestamp === null ? '' : formats.date(localDay(timestamp))),
    time: (timestamp: string | null): string => (timestamp === null ? '' : clock.format(new Date(`${timestamp}Z`))),
    /** To the second, for hover. */
    exact: (timestamp: string | null): string | undefined => (timestamp === null ? undefined : formats.momentExact(timestamp)),
    /** "3:07" of seconds. */
    duration: (seconds: number): string => {
      const whole = Math.round(seconds), hours = Math.floor(whole / 3600);
      return `${hours > 0 ? `${hours}:` : ''}${hours > 0 ? String(Math.floor(whole / 60) % 60).padStart(2, '0') : Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
    },
  };
}
export type PhoneWords = ReturnType<typeof usePhoneWords>;
