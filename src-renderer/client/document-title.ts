import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import {
  documentCaption,
  documentTitle,
  shownFileName,
  type TitleFacts,
  type TitleWords,
} from '../../src-shared/medical/document-title.ts';
import { useSpecialtyName } from './entry-name.ts';
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
  reportPending: (study, date) =>
    t('title.report_pending', {
      study: [study ?? t('title.imaging'), ...(date === null ? [] : [formats.date(date)])].join(' '),
    }),
  period: formats.period,
  money: formats.money,
});

/** Titles and captions of documents in the language of the reader. */
export function useTitles() {
  const { t } = useTranslation('app');
  const words = titleWords(t, useFormats());
  const specialtyName = useSpecialtyName();
  const inLanguage = (document: TitleFacts): TitleFacts => ({
    ...document,
    specialty_display: specialtyName(document.specialty_display),
  });
  const notable = (document: TitleFacts): string => documentCaption(inLanguage(document), words);
  return {
    title: (document: TitleFacts): string => documentTitle(inLanguage(document), words),
    /** What is notable about a document; the name of its file if nothing is. */
    caption: (document: TitleFacts): string => notable(document) || shownFileName(document.original_filename, words),
    /** The name of a file, for a document without one in words. */
    fileName: (name: string): string => shownFileName(name, words),
    /** What is notable about a document; empty if nothing is. */
    notable,
  };
}
