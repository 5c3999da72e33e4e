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

/** Whether an insurer sent a paper: its name is in the letterhead, and no doctor is named anywhere. */
export const isFromInsurer = ({ pages, lines }: Layout): boolean =>
  (pages[0]?.lines ?? [])
    .slice(0, LINES_OF_SENDER)
    .some(({ segments }) =>
      segments.some(({ text, words }) => words.length <= MAX_WORDS_OF_SENDER && namesInsurer(text)),
    ) && !lines.some(({ text }) => findDoctors(text).length > 0);
