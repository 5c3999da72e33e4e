import type { DocumentType } from '../../src-shared/medical/document-type.ts';
import { useTranslation } from 'react-i18next';
import type { AnyErrorParams } from '../../src-shared/contract/error-text.ts';
import type { ErrorBody, ErrorReference } from '../../src-shared/contract/errors.ts';
import type { DocumentListItem, StageEvent } from '../../src-shared/contract/rows.ts';
import { ApiError, type FailureCode } from './api.ts';
import type { Messages } from '../locales/en.ts';
import { useFormats } from './format.ts';
import { paramText } from './param-text.ts';

type Keys<S extends keyof Messages['app']> = keyof Messages['app'][S] & string;

type Reason = DocumentListItem['review_reasons'][number];

/** Returns the texts for codes of the API: errors, review reasons, stages, types, states. */
export function useVocabulary() {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const has = (key: string) => i18n.exists(key, { ns: 'app' });
  /** Codes without a message are shown with spaces instead of underscores. */
  const plainText = (code: string) => code.replace(/_/g, ' ');
  const paramsOf = (params: Reason['params']) =>
    Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, paramText(value, formats)]));
  const field = (name: string): string =>
    has(`field.${name}`) ? String(t(`field.${name as Keys<'field'>}`)) : plainText(name);
  const errorText = (code: FailureCode, params: AnyErrorParams = {}): string =>
    String(t(code as 'server.internal_error', { ns: 'errors', ...params }));
  /** Errors of older versions have only their English text. */
  const storedErrorText = (error: ErrorReference | null, english: string | null): string | undefined =>
    error === null ? (english ?? undefined) : errorText(error.code, error.params);
  return {
    /** The text of a failed call: what happened and what to do. */
    error: (error: unknown): string =>
      error instanceof ApiError ? errorText(error.code, error.params) : errorText('server.internal_error'),
    /** The text of an error inside a successful reply. */
    failure: ({ code, params }: Pick<ErrorBody, 'code' | 'params'>): string => errorText(code, params),
    /** The text for an invalid field of a refused request; undefined if `issues` do not name the field. */
    fieldError: (error: unknown, ...fields: string[]): string | undefined => {
      const issues = error instanceof ApiError ? error.issues : [];
      const issue = issues.find(({ path }) => fields.some((field) => path === `body.${field}`));
      return issue && String(t(issue.code, { ns: 'errors', ...issue.params }));
    },
    /** Why a document could not be read; undefined if it could. */
    readingError: ({ error, error_message }: Pick<DocumentListItem, 'error' | 'error_message'>): string | undefined =>
      storedErrorText(error, error_message),
    /** Why a stage did not complete; undefined if it did. */
    stageError: ({ error, message }: Pick<StageEvent, 'error' | 'message'>): string | undefined =>
      storedErrorText(error, message),
    documentType: (type: DocumentType | null): string => (type === null ? '' : t(`type.${type}`)),
    status: (status: string): string =>
      has(`status.${status}`) ? t(`status.${status as Keys<'status'>}`) : plainText(status),
    stage: (stage: string | null): string => {
      if (stage === null) return t('stage.waiting');
      return has(`stage.${stage}`) ? t(`stage.${stage as Keys<'stage'>}`) : plainText(stage);
    },
    field,
    /** A review reason as a sentence. */
    review: (reason: Reason): string => {
      if (!has(`review.${reason.code}`)) return reason.detail;
      const text = t(`review.${reason.code as Keys<'review'>}`, {
        ...paramsOf(reason.params),
        field: reason.field ? field(reason.field) : t('review_short.field'),
      } as never) as unknown as string;
      return text.includes('{{') ? reason.detail : text;
    },
    /** A review reason in two or three words, for a tag. */
    reviewShort: (reason: Reason): string =>
      has(`review_short.${reason.code}`)
        ? t(`review_short.${reason.code as Keys<'review_short'>}`)
        : plainText(reason.code),
    /** The button label that resolves a review reason. */
    reviewAction: (reason: Reason): string =>
      has(`review_action.${reason.code}`)
        ? t(`review_action.${reason.code as Keys<'review_action'>}`)
        : t('review_action.look'),
  };
}
