import type { ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { suggestions as contract } from '../../../src-shared/contract/suggestions.ts';
import { askAboutData, sentenceOf } from '../../reading/providers/models/ask-about-data.ts';
import { lineOf, requireDetails, type SuggestionDeps } from './asking.ts';

const MAX_LINKS = 5;
/** Below, the model is not sure. */
const SURE = 0.8;
type Reply = ReplyInput<typeof contract.links>;

/** Proposes links of a document to others of the record of its patient; nothing is linked. */
export async function proposeLinks(deps: SuggestionDeps, id: number, signal: AbortSignal): Promise<Reply> {
  const document = requireDetails(deps, id);
  const others = deps.repository.others(id);
  if (others.length === 0) return { suggestions: [], usage: null };
  const { linkAnswer } = await import('../../../src-shared/contract/model-proposals.ts');
  const { said, usage } = await askAboutData(
    deps,
    linkAnswer,
    {
      system: `${deps.prompt('link_suggestion')}\nName candidates by their numbers.`,
      given: `Document: ${lineOf(document, 0)}\nCandidates:\n${others.map((one, index) => lineOf(one, index + 1)).join('\n')}`,
      request: 'Which candidates belong to document [0]?',
    },
    signal,
  );
  const proposed = new Map<number, Reply['suggestions'][number]>();
  for (const { number, link_type, reason, confidence } of said.links) {
    const other = others[number - 1];
    if (!other || proposed.has(other.id)) continue;
    const { original_filename, title, doc_type, event_date } = other;
    proposed.set(other.id, {
      ...{
        document_id: other.id,
        link_type,
        reason: sentenceOf(reason),
        confidence: confidence >= SURE ? 'high' : 'review',
      },
      ...{ original_filename, title, doc_type, event_date },
    });
  }
  return { suggestions: [...proposed.values()].slice(0, MAX_LINKS), usage };
}
