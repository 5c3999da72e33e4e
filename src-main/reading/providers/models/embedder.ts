import type { Embedded } from '../local/llama-tasks.ts';
import { keyOf, addressOf, type ProviderEntry, type ProviderLists } from '../entries.ts';
import type { FailedOutcome, Outcome } from '../provider.ts';
import type { Services } from '../services.ts';

/** What a text is: models that tell them apart find more. */
export type TextRole = 'passage' | 'question';

/** The model that makes vectors of passages and questions, which are near to each other if their meaning is. */
export interface Embedder {
  /** Names the model, for its vectors; null if none is chosen or it may not be used. */
  model(): string | null;
  /** Changes when anything of its setup changes; null without a model. */
  setup(): string | null;
  /** Why the chosen model may not be used; null if it may, or if none is chosen. */
  problem(): FailedOutcome | null;
  embed(texts: readonly string[], role: TextRole, signal: AbortSignal): Promise<Outcome<Embedded>>;
}

interface Deps {
  services: Pick<Services, 'embed' | 'problemOf'>;
  lists: Pick<ProviderLists, 'embedding'>;
}

const NOT_SET_UP: FailedOutcome = { ok: false, reason: 'unconfigured', code: 'model.not_set_up' };
/** Somebody waits for the vector of a question, whose answer needs none. */
const QUESTION: Pick<ProviderEntry, 'maxRetries' | 'timeoutSeconds'> = { maxRetries: 0, timeoutSeconds: 15 };

/** What widely used models expect before a text, by their model cards. */
const PREFIXES: readonly [name: RegExp, Record<TextRole, string>][] = [
  [/nomic-embed/i, { passage: 'search_document: ', question: 'search_query: ' }],
  [/(?:^|[^a-z])e5(?:[^a-z]|$)/i, { passage: 'passage: ', question: 'query: ' }],
];

export function createEmbedder({ services, lists }: Deps): Embedder {
  const problem = (): FailedOutcome | null => {
    const entry = lists.embedding();
    return entry && services.problemOf('llm', entry);
  };
  return {
    problem,
    model() {
      const entry = lists.embedding();
      return entry && problem() === null ? `${entry.type} ${entry.model}` : null;
    },
    setup() {
      const entry = lists.embedding();
      return entry && problem() === null
        ? JSON.stringify([entry.type, entry.model, addressOf(entry), keyOf(entry), entry.timeoutSeconds])
        : null;
    },
    async embed(texts, role, signal) {
      const entry = lists.embedding();
      if (!entry) return NOT_SET_UP;
      const prefix = PREFIXES.find(([name]) => name.test(entry.model))?.[1][role] ?? '';
      const prefixed = texts.map((text) => prefix + text);
      return services.embed(role === 'question' ? { ...entry, ...QUESTION } : entry, prefixed, signal);
    },
  };
}
