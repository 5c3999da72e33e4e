import { useTranslation } from 'react-i18next';
import { useWords, type Message } from '../../client/words.ts';
import { localDay } from './local-day.ts';
import type { Messages } from '../../locales/en.ts';
import { DirectError } from './source/source.ts';

type Problem = keyof Messages['phone_backups']['problem'];
type ProblemHelp = keyof Messages['phone_backups']['problem_help'];
type FhirStatus = keyof Messages['phone_backups']['fhir_status'];
type HealthType = keyof Messages['health']['type'];
type HealthMeaning = keyof Messages['health']['meaning'];
type Resource = keyof Messages['phone_backups']['resource'];

/** `body_mass` → "Body mass". */
const toTitle = (identifier: string): string => {
  const text = identifier.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** What went wrong, and what to do. */
export const phoneErrorText =
  (error: unknown): Message =>
  ({ t, vocabulary }) => {
    if (!(error instanceof DirectError)) return vocabulary.error(error);
    const keys = [`failure.${error.code}` as 'failure.fault', 'failure.fault' as const];
    return String(t(keys, { ns: 'phone_backups', ...error.params }));
  };

/** Labels, dates and numbers of these pages in the user's language. */
export function usePhoneLabels() {
  const { t, i18n } = useTranslation(['phone_backups', 'health']);
  const words = useWords();
  const { formats } = words;
  const clock = new Intl.DateTimeFormat(formats.locale, { hour: '2-digit', minute: '2-digit' });
  const has = (key: string): boolean => i18n.exists(key, { ns: 'phone_backups' });
  return {
    t,
    formats,
    /** An error message that says what to do. */
    error: (error: unknown): string => phoneErrorText(error)(words),
    problem: (code: string): string =>
      has(`problem.${code}`) ? t(`problem.${code as Problem}`) : code.replace(/_/g, ' '),
    /** The consequence of a problem, and what to do. */
    problemHelp: (code: string): string =>
      has(`problem_help.${code}`) ? t(`problem_help.${code as ProblemHelp}`) : t('problem_help.other'),
    /** A kind of FHIR resource: `MedicationRequest` → "Prescription". */
    resource: (type: string | null): string => {
      if (type === null) return t('resource.other');
      return has(`resource.${type}`) ? t(`resource.${type as Resource}`) : type;
    },
    /** State of a clinical record: `final`. */
    fhirStatus: (status: string): string =>
      has(`fhir_status.${status}`) ? t(`fhir_status.${status as FhirStatus}`) : status,
    /** A health type: `body_mass` → "Body mass". */
    healthType: (type: string): string =>
      i18n.exists(`health:type.${type}`) ? t(`health:type.${type as HealthType}`) : toTitle(type),
    /** What a value of a category means: `asleep_deep` → "deep sleep". */
    meaning: (meaning: string | null): string => {
      if (meaning === null) return '';
      return i18n.exists(`health:meaning.${meaning}`)
        ? t(`health:meaning.${meaning as HealthMeaning}`)
        : meaning.replaceAll('_', ' ');
    },
    /** A unit as people write it: `count` has none, and `count/min` is `/min`. */
    unit: (unit: string | null): string | null =>
      unit === null || unit === 'count' ? null : unit.replace(/^count\//, '/'),
    /** "12 Nov 2026" of a UTC timestamp, in the user's time zone. */
    day: (timestamp: string | null): string => (timestamp === null ? '' : formats.date(localDay(timestamp))),
    time: (timestamp: string | null): string => (timestamp === null ? '' : clock.format(new Date(`${timestamp}Z`))),
    /** To the second, for hover. */
    exact: (timestamp: string | null): string | undefined =>
      timestamp === null ? undefined : formats.momentExact(timestamp),
    /** "3:07" of seconds. */
    duration: (seconds: number): string => {
      const whole = Math.round(seconds);
      const hours = Math.floor(whole / 3600);
      const minutes = Math.floor(whole / 60) % 60;
      const twoDigits = (value: number): string => String(value).padStart(2, '0');
      const start = hours > 0 ? `${hours}:${twoDigits(minutes)}` : String(minutes);
      return `${start}:${twoDigits(whole % 60)}`;
    },
  };
}
export type PhoneLabels = ReturnType<typeof usePhoneLabels>;
