import type { LanguageFacts, RecipientTexts } from '../locales/en.ts';

const languageOf = (file: string): string => /(\w+)\.ts$/.exec(file)?.[1] ?? '';
const byLanguage = <T>(files: Record<string, T>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(files).map(([file, texts]) => [languageOf(file), texts]));

/** A language is one file; the query makes Vite take a copy of it, of which the build keeps what is named here. */
export const RECIPIENT_FACTS = byLanguage(
  import.meta.glob<LanguageFacts>(['../locales/*.ts', '!../locales/index.ts'], {
    query: '?facts',
    import: 'facts',
    eager: true,
  }),
);
/** The texts of the recipient's page by language, without those of the household. */
export const RECIPIENT_TEXTS = byLanguage(
  import.meta.glob<RecipientTexts>(['../locales/*.ts', '!../locales/index.ts'], {
    query: '?recipient',
    import: 'recipient',
    eager: true,
  }),
);
/** The language of a browser that prefers none of these. */
export const RECIPIENT_FALLBACK = 'en';
