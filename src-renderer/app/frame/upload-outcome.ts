import type { Sending } from './uploads.tsx';

/** Outcomes of uploads in the order in which the list counts them. */
const OUTCOMES = ['added', 'restored', 'duplicate', 'in_trash', 'kept', 'failed'] as const;
type Outcome = (typeof OUTCOMES)[number];

type Facts = Pick<Sending, 'state' | 'reply'>;

export const isUnderWay = ({ state }: Facts): boolean => state === 'waiting' || state === 'sending';

/** Whether an upload needs no row: the document is in the queue, which shows how it is read. */
const isHandedOver = ({ state, reply }: Facts): boolean =>
  state === 'added' && !(reply?.status === 'extracted' && reply.skipped.length > 0);

/** The uploads that the list shows: those under way, and those of which there is something to say. */
export const rowsToShow = <Item extends Facts>(list: readonly Item[]): Item[] =>
  list.filter((item) => !isHandedOver(item));

/** How many uploads ended in which way; outcomes without any are left out. */
export const outcomesOf = (list: readonly Facts[]): { outcome: Outcome; count: number }[] =>
  OUTCOMES.map((outcome) => ({ outcome, count: list.filter(({ state }) => state === outcome).length })).filter(
    ({ count }) => count > 0,
  );
