import type { PromptKey } from '../../../src-shared/contract/prompts.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { orNotFound } from '../../platform/kernel/or-not-found.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { GeneralModel } from '../../reading/providers/models/general.ts';
import type { Details, SuggestionRepository } from './repository.ts';

export interface SuggestionDeps {
  clock: Clock;
  repository: SuggestionRepository;
  model: Pick<GeneralModel, 'ask' | 'isAvailable'>;
  prompt: (key: PromptKey) => string;
}

/** @throws `document.not_found`, `model.not_set_up` */
export function requireDetails(
  { repository, model }: SuggestionDeps,
  id: number,
  providerId: string | null = null,
): Details {
  const details = orNotFound(repository.details(id), 'document.not_found');
  if (!model.isAvailable(providerId)) throw fail('model.not_set_up');
  return details;
}

const LISTED = ['doc_type', 'event_date', 'doctor_name', 'facility_name', 'title', 'summary_en'] as const;
const MAX_SUMMARY = 300;

/** A document in one line: `[3] invoice; event_date 2026-04-11; Dr. Frisch`. */
export const lineOf = (document: Details, number: number): string =>
  `[${number}] ${LISTED.map((name) => document[name])
    .filter((value) => value !== null && value !== '')
    .map((value) => value?.replace(/\s+/g, ' ').slice(0, MAX_SUMMARY))
    .join('; ')}`;
