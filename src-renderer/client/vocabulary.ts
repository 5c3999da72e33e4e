import type { DocumentType } from '../../src-shared/medical/document-type.ts';
import { useTranslation } from 'react-i18next';
import type { AnyErrorParams, ErrorBody } from '../../src-shared/contract/errors.ts';
import type { DocumentListItem } from '../../src-shared/contract/rows.ts';
import { ApiError, type FailureCode } from './api.ts';
import type { Messages } from '../locales/en.ts';
import { useFormats } from './format.ts';

type Keys<S extends keyof Messages['app']> = keyof Messages['app'][S] & string;

type Reason = DocumentListItem['review_reasons'][number];

/** Words for what travels as a code: errors, reasons for review, stages, types, states. */
export function useVocabulary() {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const has = (key: string) => i18n.exists(key, { ns: 'app' });
  /** A code that the catalogue does not know is shown as plain words. */
  const plain = (code: string) => code.replace(/_/g, ' ');
  const paramText = (value: unknown): unknown => {
    if (/^\d{4}-\d\d-\d\d$/.test(String(value))) return formats.dateFull(String(value));
    return typeof value === 'number' ? formats.number(value) : value;
  };
  const paramsOf = (params: Reason['params']) =>
    Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, paramText(value)]));
  const field = (name: string): string =>
    has(`field.${name}`) ? String(t(`field.${name as Keys<'field'>}`)) : plain(name);
  const worded = (code: FailureCode, params: AnyErrorParams = {}): string =>
    String(t(code as 'server.internal_error', { ns: 'errors', ...params }));
  return {
    /** What happened and what to do, of a failed call. */
    error: (error: unknown): string =>
      error instanceof ApiError ? worded(error.code, error.params) : worded('server.internal_error'),
    /** The same of a failure that came inside a reply. */
    failure: ({ code, params }: Pick<ErrorBody, 'code' | 'params'>): string => worded(code, params),
    documentType: (type: DocumentType | null): string => (type === null ? '' : t(`type.${type}`)),
    status: (status: string): string =>
      has(`status.${status}`) ? t(`status.${status as Keys<'status'>}`) : plain(status),
    stage: (stage: string | null): string => {
      if (stage === null) return t('stage.waiting');
      return has(`stage.${stage}`) ? t(`stage.${stage as Keys<'stage'>}`) : plain(stage);
    },
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
