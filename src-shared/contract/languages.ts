import { z } from 'zod';
import { languageCode, LANGUAGES, type LanguageCode } from './language-names.ts';

/** A code, or the English name of the language. */
export const language = z
  .string()
  .max(40)
  .transform((text) => languageCode(text) ?? text)
  .pipe(z.enum(Object.keys(LANGUAGES) as LanguageCode[]));
