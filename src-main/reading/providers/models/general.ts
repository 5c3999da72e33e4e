import type { z } from 'zod';
import type { ModelPurpose } from '../../../../src-shared/contract/provider-types.ts';
import type { StageUsage } from '../../../../src-shared/contract/rows.ts';
import { readAnswer, schemaOf } from '../../../../src-shared/medical/model-answer.ts';
import { reachOfEntry, type ProviderEntry, type ProviderLists } from '../entries.ts';
import type { FailedOutcome, Outcome } from '../provider.ts';
import { failedAs } from '../service-call.ts';
import { usageOf } from '../usage.ts';
import type { Services } from '../services.ts';
import type { ModelAnswer } from './model.ts';

/** A task. What comes from documents is in `user`, as data; `system` says so. */
export interface GeneralRequest {
  /** Its cost is counted with this. */
  purpose: ModelPurpose;
  system: string;
  user: string;
  /** Tokens of the answer, at most. */
  maxTokens: number;
}

export interface GeneralOptions {
  signal: AbortSignal;
  /** One of the models that read documents, alone; without it the general model, and after a failure the next. */
  providerId?: string | null;
  /** Where the models are at most that may answer; without it, anywhere. */
  furthest?: Reach;
  /** Called with the reason when the next model had to answer. */
  onPassedOver?: (failure: FailedOutcome) => void;
  /** Called with what an answer used. */
  onUsage?: (usage: StageUsage) => void;
}

/** An answer, and who gave it: `ollama gemma3:4b`, as it is stored with the answer. */
export interface Answered<T> {
  value: T;
  providerId: string;
  model: string;
  tokensIn: number;
  tokensOut: number;
}

export interface Written {
  text: string;
  /** The text ended at the limit of tokens. */
  isCut: boolean;
}

/** The language model for all that is not the reading of a document: questions, translations, suggestions. */
export interface GeneralModel {
  /** Whether a model is set up and may be used; with an id, whether this one may. */
  isAvailable(providerId?: string | null, furthest?: Reach): boolean;
  /** The models that may be used and can be named, in their order. */
  models(): { id: string; name: string; reach: Reach }[];
  /** Asks for an answer of a form; one of another form is asked for once more. */
  ask<S extends z.ZodObject>(
    form: S,
    request: GeneralRequest,
    options: GeneralOptions,
  ): Promise<Outcome<Answered<z.output<S>>>>;
  /** Asks for plain text. `onText` gets the text so far; after a failure it begins again. */
  write(
    request: GeneralRequest,
    options: GeneralOptions & { onText?: (text: string) => void },
  ): Promise<Outcome<Answered<Written>>>;
}

interface Deps {
  services: Pick<Services, 'ask' | 'problemOf'>;
  lists: ProviderLists;
}

const NOT_SET_UP: FailedOutcome = { ok: false, reason: 'unconfigured', code: 'model.not_set_up' };

export function createGeneralModel(deps: Deps): GeneralModel {
  return {
    isAvailable: (providerId = null, furthest = 'internet') =>
      entriesFor(deps, { providerId, furthest }).some((entry) => deps.services.problemOf('llm', entry) === null),
    models: () =>
      readersIn(deps.lists)
        .filter((entry) => deps.services.problemOf('llm', entry) === null)
        .map((entry) => ({ id: entry.id, name: entry.name, reach: reachOfEntry(entry) })),
    ask: (form, request, options) =>
      firstThatCan(deps, options, (entry) => askOne(deps, entry, form, request, options)),
    write: (request, options) => firstThatCan(deps, options, (entry) => writeOne(deps, entry, request, options)),
  };
}

const REACHES = ['this-computer', 'home-network', 'internet'] as const;
/** How far away the answer of a model comes from. */
export type Reach = (typeof REACHES)[number];
const rankOf = (entry: ProviderEntry): number => REACHES.indexOf(reachOfEntry(entry));

/** The models that read documents. */
const readersIn = (lists: ProviderLists): ProviderEntry[] =>
  lists.entries('llm').filter(({ type, enabled }) => enabled && type !== 'builtin');

/**
 * The models to ask, in order: the one chosen for this, then the readers that send nothing further than it does. Without
 * a chosen one, the readers.
 */
function entriesFor(
  { lists }: Deps,
  { providerId = null, furthest = 'internet' }: Pick<GeneralOptions, 'providerId' | 'furthest'>,
): ProviderEntry[] {
  const isNear = (entry: ProviderEntry): boolean => rankOf(entry) <= REACHES.indexOf(furthest);
  const readers = readersIn(lists);
  if (providerId !== null) return readers.filter((entry) => entry.id === providerId && isNear(entry));
  const chosen = lists.general();
  const models = chosen ? [chosen, ...readers.filter((entry) => rankOf(entry) <= rankOf(chosen))] : readers;
  return models.filter(isNear);
}

async function firstThatCan<T>(
  deps: Deps,
  { signal, providerId, furthest, onPassedOver, onUsage }: GeneralOptions,
  attempt: (entry: ProviderEntry) => Promise<Outcome<Answered<T>>>,
): Promise<Outcome<Answered<T>>> {
  let failure: FailedOutcome | null = null;
  for (const entry of entriesFor(deps, { providerId, furthest })) {
    const answer = await attempt(entry);
    if (answer.ok) {
      onUsage?.(usageOf(entry, answer.value));
      return answer;
    }
    if (answer.reason === 'cancelled' || signal.aborted) return answer;
    onPassedOver?.(answer);
    failure ??= answer;
  }
  return failure ?? NOT_SET_UP;
}

const answered = <T>({ id, type, model }: ProviderEntry, value: T, answers: readonly ModelAnswer[]): Answered<T> => ({
  ...{ value, providerId: id, model: `${type} ${model}` },
  tokensIn: answers.reduce((sum, { tokensIn }) => sum + tokensIn, 0),
  tokensOut: answers.reduce((sum, { tokensOut }) => sum + tokensOut, 0),
});

async function askOne<S extends z.ZodObject>(
  { services }: Deps,
  entry: ProviderEntry,
  form: S,
  request: GeneralRequest,
  { signal }: GeneralOptions,
): Promise<Outcome<Answered<z.output<S>>>> {
  const schema = schemaOf(form);
  const answers: ModelAnswer[] = [];
  let note = '';
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const user = request.user + note;
    const reply = await services.ask('llm', entry, { ...request, user, schema, schemaName: 'answer' }, signal);
    if (!reply.ok) return reply;
    answers.push(reply.value);
    const read = readAnswer(form, reply.value.text);
    if (read?.problems.length === 0) return { ok: true, value: answered(entry, read.value as z.output<S>, answers) };
    note = `\n\nYour last answer did not have the required form${placesOf(read?.problems)}. Answer again, with JSON of exactly this form.`;
  }
  return failedAs('provider.bad_answer', entry.name);
}

const placesOf = (problems: readonly string[] = []): string =>
  problems.length > 0 ? ` at ${problems.join(', ')}` : '';

async function writeOne(
  { services }: Deps,
  entry: ProviderEntry,
  request: GeneralRequest,
  { signal, onText }: GeneralOptions & { onText?: (text: string) => void },
): Promise<Outcome<Answered<Written>>> {
  const reply = await services.ask('llm', entry, { ...request, ...(onText && { onText }) }, signal);
  if (!reply.ok) return reply;
  const { text, isCut } = reply.value;
  if (text.trim() === '') return failedAs('provider.bad_answer', entry.name);
  return { ok: true, value: answered(entry, { text, isCut }, [reply.value]) };
}
