import type { LanguageFacts, Messages } from './en.ts';

/**
 * The languages by their code, which is the name of their file. The query makes Vite take a copy of each file of which
 * the build keeps the facts only, so that the first script has no messages.
 */
export const LANGUAGE_FACTS: Readonly<Record<string, LanguageFacts>> = Object.fromEntries(
  Object.entries(
    import.meta.glob<LanguageFacts>(['./*.ts', '!./index.ts'], { query: '?facts', import: 'facts', eager: true }),
  ).map(([file, facts]) => [file.slice('./'.length, -'.ts'.length), facts]),
);

const files = import.meta.glob<Messages>(['./*.ts', '!./index.ts'], { import: 'messages' });

/** Loads the messages of a language. The page loads those of one language only. */
export async function loadMessages(language: string): Promise<Messages> {
  const load = files[`./${language}.ts`];
  if (!load) throw new Error(`there are no messages in "${language}"`);
  return load();
}
