import { findDoctors } from '../fields/doctor-names.ts';
import { fold } from '../fold.ts';
import { INSURER_WORDS } from '../languages/facility-words.ts';
import type { Layout } from '../layout/layout.ts';

/** The sender is named in the first lines of a page, in few words. */
const LINES_OF_SENDER = 3;
const MAX_WORDS_OF_SENDER = 6;

const namesInsurer = (text: string): boolean => {
  const folded = ` ${fold(text)} `;
  return !text.includes(':') && INSURER_WORDS.some((word) => folded.includes(` ${word}`));
};

const isHeadedByInsurer = ({ pages }: Layout): boolean =>
  (pages[0]?.lines ?? [])
    .slice(0, LINES_OF_SENDER)
    .some(({ segments }) =>
      segments.some(({ text, words }) => words.length <= MAX_WORDS_OF_SENDER && namesInsurer(text)),
    );

/** Whether an insurer sent a paper: its name is in the letterhead, and no doctor is named anywhere. */
export const isFromInsurer = (layout: Layout): boolean =>
  isHeadedByInsurer(layout) && !layout.lines.some(({ text }) => findDoctors(text).length > 0);

/** What an insurer pays back of the bills of doctors, whom it names. */
const SETTLEMENT = new RegExp(
  [
    String.raw`(?<!\p{L})(?:leistungsabrechnung|abrechnung|d[ée]compte|relev[ée]|remboursements?|conteggio|`,
    String.raw`prestazioni|benefits?)(?!\p{L})`,
  ].join(''),
  'iu',
);
/** Whether a title is that of the settlement of an insurer, not of a bill. */
export const isSettlement = (layout: Layout, title: string): boolean =>
  SETTLEMENT.test(title) && isHeadedByInsurer(layout);
