import type { Place } from '../extraction.ts';
import type { DateRole } from '../languages/date-labels.ts';
import type { DateInText } from './date-text.ts';

/** A date on a page with the role that the surrounding text gives it. */
export interface DateMention extends DateInText {
  page: number;
  place: Place;
  /** Null if no printed text states what the date is. */
  role: DateRole | null;
  label: string | undefined;
  /** How certainly the label belongs to the date, 0–1. */
  strength: number;
  /** Mean confidence of the date's words, 0–1. */
  confidence: number;
  /** Whether the date is printed within a sentence, not in a field or a letterhead. */
  inProse: boolean;
  /** Whether the date begins its segment. */
  isCell: boolean;
  /** Whether the date is part of a column of dates (rows of a table). */
  inColumn: boolean;
  /** Top of the line as a fraction of the page. */
  y: number;
}

/** A printed label of a date, with the certainty that it belongs to it, 0–1. */
export interface DateLabel {
  role: DateRole;
  text: string;
  strength: number;
}

/** Whether no label says more of a date than that it is one. */
export const isFree = ({ role }: DateMention): boolean => role === null || role === 'letter';
