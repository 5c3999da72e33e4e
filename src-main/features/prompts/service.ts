import { readFileSync } from 'node:fs';
import type { Prompt, PromptKey } from '../../../src-shared/contract/prompts.ts';
import { PROMPT_KEYS } from '../../../src-shared/contract/prompt-keys.ts';
import type { Database } from '../../platform/database/connection.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { createPromptRepository } from './repository.ts';

const FOLDER = new URL('../../../resources/prompts/', import.meta.url);

const DESCRIPTIONS: Record<PromptKey, string> = {
  classification: 'Tells which kind of document it is, with its dates and names.',
  vision_extraction: 'Reads pages from their pictures.',
  extraction_lab_test: 'Reads laboratory results.',
  extraction_specialist_report: 'Reads letters and reports of physicians.',
  extraction_prescription: 'Reads prescriptions.',
  extraction_invoice: 'Reads bills and statements of insurers.',
  extraction_discharge: 'Reads discharge letters.',
  extraction_imaging_report: 'Reads the findings of imaging.',
  extraction_surgical_report: 'Reads reports of operations.',
  extraction_vaccination: 'Reads vaccination records.',
  document_edit: 'Changes the details of a document as asked in plain words.',
  sql_generation: 'Has no effect: questions are answered by functions, never by SQL of a model.',
  chat_system: 'Answers questions about a record, with sources.',
  link_suggestion: 'Finds documents that belong together.',
  page_classification: 'Sorts the pages of a long document into sections, where no title does.',
  translation_en: 'Translates documents and parts of their pages.',
};

export interface Prompts {
  list(): Prompt[];
  /** Throws `prompt.not_found` for an unknown key. Saving the default text resets the prompt. */
  save(key: string, text: string): Prompt;
  reset(key: string): Prompt;
  /** The text in use. */
  text(key: PromptKey): string;
}

/** Prompts of language models: the default texts and those that administrators changed. */
export function createPrompts({ db, clock }: { db: Database; clock: Clock }): Prompts {
  const repository = createPromptRepository(db);
  const defaults = new Map<PromptKey, string>();
  function defaultText(key: PromptKey): string {
    const text = defaults.get(key) ?? readFileSync(new URL(`${key}.md`, FOLDER), 'utf8').trim();
    defaults.set(key, text);
    return text;
  }
  type Custom = { text: string; updated_at: string } | undefined;
  const toPrompt = (key: PromptKey, custom: Custom): Prompt => ({
    key,
    description: DESCRIPTIONS[key],
    text: custom?.text ?? defaultText(key),
    default_text: defaultText(key),
    is_custom: custom !== undefined,
    updated_at: custom?.updated_at ?? null,
  });
  function list(): Prompt[] {
    const custom = new Map(repository.all().map((row) => [row.key, row]));
    return PROMPT_KEYS.map((key) => toPrompt(key, custom.get(key)));
  }
  function requireKey(key: string): PromptKey {
    const found = PROMPT_KEYS.find((candidate) => candidate === key);
    if (!found) throw fail('prompt.not_found');
    return found;
  }
  return {
    list,
    text: (key) =>
      toPrompt(
        key,
        repository.all().find((row) => row.key === key),
      ).text,
    save(requestedKey, text) {
      const key = requireKey(requestedKey);
      if (text.trim() === defaultText(key)) return this.reset(key);
      const custom = { text: text.trim(), updated_at: toTimestamp(clock.now()) };
      repository.put(key, custom.text, custom.updated_at);
      return toPrompt(key, custom);
    },
    reset(requestedKey) {
      const key = requireKey(requestedKey);
      repository.remove(key);
      return toPrompt(key, undefined);
    },
  };
}
