import type { ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { suggestions as contract } from '../../../src-shared/contract/suggestions.ts';
import { askAboutData, sentenceOf } from '../../reading/providers/models/ask-about-data.ts';
import { lineOf, requireDetails, type SuggestionDeps } from './asking.ts';
import type { EventChoice } from './repository.ts';

const SYSTEM = `You find the medical event of one person to which a document belongs, such as an operation, a stay in hospital or
a disease. You are given the document and the events that exist. Choose an event by its number only if the facts show
that it is the same matter. Otherwise propose a new one with a short title, or none if the document is a routine paper.
Give a reason of one sentence and a confidence from 0 to 1.`;
const SURE = 0.8;
const MAX_TITLE = 120;
type Reply = ReplyInput<typeof contract.event>;
const NONE: Reply = {
  ...{ existing_event_id: null, confidence: null, reason: null, new_event_suggestion: null, matched_event: null },
  usage: null,
};

/** Proposes the event of a document; nothing is stored. A new event begins on the date of the document. */
export async function proposeEvent(deps: SuggestionDeps, id: number, signal: AbortSignal): Promise<Reply> {
  const document = requireDetails(deps, id);
  if (!deps.repository.isInRecord(id)) return NONE;
  const events = deps.repository.events(id);
  const { eventAnswer } = await import('../../../src-shared/contract/model-proposals.ts');
  const { said, usage } = await askAboutData(
    deps,
    eventAnswer,
    {
      system: SYSTEM,
      given: `Document: ${lineOf(document, 0)}\nEvents:\n${events.map(eventLine).join('\n') || 'none'}`,
      request: 'To which event does the document belong?',
    },
    signal,
  );
  const event = said.event_number === null ? undefined : events[said.event_number - 1];
  const reason = said.reason === null ? null : sentenceOf(said.reason);
  if (event) {
    const { id: eventId, title, date_start } = event;
    return {
      ...{ ...NONE, usage },
      ...{ existing_event_id: eventId, reason, confidence: (said.confidence ?? 0) >= SURE ? 'high' : 'review' },
      matched_event: { id: eventId, title, date_start },
    };
  }
  if (!said.new_event) return { ...NONE, reason, usage };
  const { title, event_type, description } = said.new_event;
  return {
    ...{ ...NONE, reason, usage, confidence: 'review' },
    new_event_suggestion: {
      ...{ title: sentenceOf(title).slice(0, MAX_TITLE), event_type, date_start: document.event_date },
      description: description === null ? null : sentenceOf(description),
    },
  };
}

const eventLine = ({ title, event_type, date_start, date_end, diagnosis_text }: EventChoice, index: number): string =>
  `[${index + 1}] ${[title, event_type, date_start, date_end, diagnosis_text].filter(Boolean).join('; ')}`;
