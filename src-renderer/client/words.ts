import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useTitles } from './document-title.ts';
import { useFormats, type Formats } from './format.ts';
import { useTestName } from './test-name.ts';
import { useVocabulary } from './vocabulary.ts';

/** What a text is worded with in the language of the reader. */
export interface Words {
  /** Code of the language: `en`, `de`. */
  language: string;
  t: TFunction<'app'>;
  formats: Formats;
  vocabulary: ReturnType<typeof useVocabulary>;
  titles: ReturnType<typeof useTitles>;
  testName: ReturnType<typeof useTestName>;
}

/** A text for people by its keys and values. It is worded when it is shown, so it follows a change of the language. */
export type Message = (words: Words) => string;

/** The words of the current language. */
export function useWords(): Words {
  const { t, i18n } = useTranslation('app');
  return {
    language: i18n.language,
    t,
    formats: useFormats(),
    vocabulary: useVocabulary(),
    titles: useTitles(),
    testName: useTestName(),
  };
}
