import type { ShareAction, ShareEvent } from '../../../src-shared/contract/shares.ts';
import { localDay } from '../../client/clock.ts';

/** Actions that tell what a recipient looks at. */
const READING: readonly ShareAction[] = ['view_doc', 'view_file', 'view_text'];
const isReading = ({ action }: Pick<ShareEvent, 'action'>): boolean => READING.includes(action);

/** A line of the story: an event, and how often it happened in a row. */
export interface Line {
  event: ShareEvent;
  count: number;
}

const isSame = (a: ShareEvent, b: ShareEvent): boolean =>
  a.action === b.action &&
  a.document_id === b.document_id &&
  a.session_id === b.session_id &&
  a.client_ip === b.client_ip;

/**
 * The story of events, newest first, by local days. What was repeated is one line, with the time of the last, such as
 * pages of a document that were looked at one after the other.
 */
export function storyOf(events: readonly ShareEvent[]): { day: string; lines: Line[] }[] {
  const days: { day: string; lines: Line[] }[] = [];
  for (const event of events) {
    const day = localDay(event.created_at);
    let last = days.at(-1);
    if (last?.day !== day) days.push((last = { day, lines: [] }));
    const line = last.lines.at(-1);
    if (line && isSame(line.event, event)) line.count += 1;
    else last.lines.push({ event, count: 1 });
  }
  return days;
}

/** The document that a session looked at last; undefined if none. */
export const readNow = (trail: readonly ShareEvent[], session: number): number | undefined =>
  trail.find((event) => event.session_id === session && isReading(event))?.document_id ?? undefined;

/** How often each document was opened: pages that follow each other count as one time. */
export function openedCounts(events: readonly ShareEvent[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  let last: ShareEvent | undefined;
  for (const event of events.filter(isReading)) {
    const { document_id: id, session_id: session } = event;
    const goesOn = last?.document_id === id && last?.session_id === session;
    if (id !== null && !goesOn) counts.set(id, (counts.get(id) ?? 0) + 1);
    last = event;
  }
  return counts;
}
