import { CODE_MINUTES, IDLE_MINUTES } from '../../../src-shared/contract/share-limits.ts';

/** The numbers of a share (ADR on shares). Times in milliseconds. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
export const DAY_MS = 24 * HOUR;

/** One-time codes. */
export const CODE_DIGITS = 6;
export const CODE_MS = CODE_MINUTES * MINUTE;
export const MAX_ATTEMPTS = 5;

/**
 * Wrong codes in a row that lock a share: those of three codes. An attacker hits one of 10^6 codes with a probability
 * of 15 in a million until then.
 */
export const MAX_WRONG_IN_A_ROW = 3 * MAX_ATTEMPTS;
/** Wrong codes that lock a share although right ones were between them: a hit stays under 1 in 10,000. */
export const MAX_WRONG = 60;

/** Sessions of recipients. */
export const SESSION_MS = 120 * MINUTE;
export const IDLE_MS = IDLE_MINUTES * MINUTE;
/** `last_seen_at` is written at most this often, so that most requests do not write. */
export const MIN_TOUCH_MS = 5 * SECOND;

/** A place in the queue ends this long after the last question; a waiter asks every 5 seconds. */
export const PLACE_MS = 5 * MINUTE;
/** A waiter who did not ask for this long does not hold up those behind. */
export const ABSENT_MS = 20 * SECOND;

/** Translations of parts of pages for recipients. */
export const TRANSLATIONS_PER_HOUR = 20;

/** What is limited: at most so many in this time. */
export interface Limit {
  kind: string;
  max: number;
  windowMs: number;
}
export const LIMITS = {
  /** Requests for codes. */
  requestsOfAddress: { kind: 'request_address', max: 10, windowMs: HOUR },
  requestsOfLink: { kind: 'request_link', max: 6, windowMs: HOUR },
  /** One address never gets far enough to lock a share: others lock it, or nobody. */
  wrongOfPair: { kind: 'wrong_pair', max: MAX_ATTEMPTS, windowMs: DAY_MS },
  wrongOfAddress: { kind: 'wrong_address', max: 20, windowMs: HOUR },
  /** Many addresses together get no further than two codes an hour. */
  wrongOfLink: { kind: 'wrong_link', max: 2 * MAX_ATTEMPTS, windowMs: HOUR },
  /** Programs that open SMART Health Links. Wrong passcodes also count for the life-time of a link. */
  openingsOfAddress: { kind: 'health_address', max: 120, windowMs: HOUR },
  openingsOfLink: { kind: 'health_link', max: 60, windowMs: HOUR },
  passcodesOfPair: { kind: 'health_passcode', max: MAX_ATTEMPTS, windowMs: DAY_MS },
  filesOfAddress: { kind: 'health_file', max: 600, windowMs: HOUR },
  /** Translations of parts of pages. */
  translationPause: { kind: 'translate_session', max: 1, windowMs: 30 * SECOND },
  translationsOfShare: { kind: 'translate_share', max: TRANSLATIONS_PER_HOUR, windowMs: HOUR },
  /** E-mails with codes. */
  mailPause: { kind: 'mail', max: 1, windowMs: 30 * SECOND },
  mailsOfDay: { kind: 'mail', max: 20, windowMs: DAY_MS },
} as const satisfies Record<string, Limit>;
