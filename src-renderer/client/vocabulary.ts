import type { DocumentType } from '../../src-shared/medical/document-type.ts';
import { useTranslation } from 'react-i18next';
import { ERRORS } from '../../src-shared/contract/errors.ts';
import type { DocumentListItem } from '../../src-shared/contract/rows.ts';
import { ApiError } from './api.ts';
import type { Messages } from '../locales/en.ts';
import { useFormats } from './format.ts';
import { FALLBACK_LANGUAGE } from './language.ts';

type Keys<S extends keyof Messages['app']> = keyof Messages['app'][S] & string;

/** Data that the server put into an English sentence, found again by its pattern ("{limit}" → "1 GB"). */
export function dataOf(pattern: string, sentence: string): Record<string, string> {
  const escaped = pattern.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>.+?)');
  return { ...new RegExp(`^${escaped}$`, 's').exec(sentence)?.groups };
}

type Reason = DocumentListItem['review_reasons'][number];

/** Words for what travels as a code: errors, reasons for review, stages, types, states. */
export function useVocabulary() {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const has = (key: string) => i18n.exists(key, { ns: 'app' });
  /** A code that the catalogue does not know is shown as plain words. */
  const plain = (code: string) => code.replace(/_/g, ' ');
  const paramsOf = (params: Reason['params']) =>
    Object.fromEntries(
      Object.entries(params ?? {}).map(([name, value]) => [
        name,
        /^\d{4}-\d\d-\d\d$/.test(String(value))
          ? formats.dateFull(String(value))
          : typeof value === 'number'
            ? formats.number(value)
            : value,
      ]),
    );
  const field = (name: string): string =>
    has(`field.${name}`) ? String(t(`field.${name as Keys<'field'>}`)) : plain(name);
  return {
    /** A failure in words with what to do. */
    error: (error: unknown): string => {
      if (!(error instanceof ApiError)) return t('error.server_fault');
      if (i18n.language === FALLBACK_LANGUAGE && error.code !== 'network') return error.detail;
      const key = error.code.replace('.', '_') as Keys<'error'>;
      const data = error.code === 'network' ? {} : dataOf(ERRORS[error.code].detail, error.detail);
      return has(`error.${key}`) ? String(t(`error.${key}`, data as never) as unknown) : error.detail;
    },
    documentType: (type: DocumentType | null): string => (type === null ? '' : t(`type.${type}`)),
    status: (status: string): string =>
      has(`status.${status}`) ? t(`status.${status as Keys<'status'>}`) : plain(status),
    stage: (stage: string | null): string =>
      stage === null ? t('stage.waiting') : has(`stage.${stage}`) ? t(`stage.${stage as Keys<'stage'>}`) : plain(stage),
    field,
    /** Why a person should look, as a sentence. */
    review: (reason: Reason): string => {
      if (!has(`review.${reason.code}`)) return reason.detail;
      const text = t(`review.${reason.code as Keys<'review'>}`, {
        ...paramsOf(reason.params),
        field: reason.field ? field(reason.field) : t('review_short.field'),
      } as never) as unknown as string;
      return text.includes('{{') ? reason.detail : text;
    },
    /** The same in two or three words, for a tag. */
    reviewShort: (reason: Reason): string =>
      has(`review_short.${reason.code}`)
        ? t(`review_short.${reason.code as Keys<'review_short'>}`)
        : plain(reason.code),
    /** What to press for it. */
    reviewAction: (reason: Reason): string =>
      has(`review_action.${reason.code}`)
        ? t(`review_action.${reason.code as Keys<'review_action'>}`)
        : t('review_action.look'),
  };
}
