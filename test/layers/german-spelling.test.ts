import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/lint.ts';

/** What the core itself writes in German: answers, mails, the file beside exported studies, types of documents. */
const WRITTEN_BY_CORE = [
  'src-main/features/ask/wording/de.ts',
  'src-main/features/ask/wording/suggestions.ts',
  'src-main/features/imaging/export-readme.ts',
  'src-shared/contract/document-type-names.ts',
  'src-main/platform/mail/messages.ts',
  'src-main/app/demo/event-titles.ts',
];

/** The pages write `ss` for readers in Switzerland; the core knows only the language of its reader. */
it.each(WRITTEN_BY_CORE)('%s is spelled alike in Germany and in Switzerland', (file) => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  expect(text).toMatch(/\bde\b/);
  expect(text.split('\n').filter((line) => line.includes('ß'))).toEqual([]);
});
