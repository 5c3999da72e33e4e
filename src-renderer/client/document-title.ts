import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import {
  documentCaption,
  documentTitle,
  type TitleFacts,
  type TitleWords,
} from '../../src-shared/medical/document-title.ts';
import { useFormats, type Formats } from './format.ts';

export type { TitleFacts };

/** The words of titles in a language. */
export const titleWords = (t: TFunction<'app'>, formats: Formats): TitleWords => ({
  type: (type) => t(`type.${type}`),
  documentOf: (date) => (date === null ? t('title.document') : t('title.document_of', { date: formats.date(date) })),
  outOfRange: (count) => t('title.out_of_range', { count }),
  toCheck: (count) => t('title.to_check', { count }),
  allInRange: (count) => t('title.all_in_range', { count }),
  results: (count) => t('title.results', { count }),
  more: (count) => t('title.more', { count }),
  period: formats.period,
  money: formats.money,
});

/** Titles and captions of documents in the language of the reader. */
export function useTitles() {
  const { t } = useTranslation('app');
  const words = titleWords(t, useFormats());
  const title = (document: TitleFacts): string => documentTitle(document, words);
  return {
    title,
    /** What is notable about a document; the name of its file if nothing is. */
    caption: (document: TitleFacts): string => documentCaption(document, words) || document.original_filename,
    /** What is notable about a document; empty if nothing is. */
    notable: (document: TitleFacts): string => documentCaption(document, words),
  };
}
