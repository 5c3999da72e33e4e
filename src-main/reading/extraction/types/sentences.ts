import { foldLetters, foldWords } from '../fold.ts';
import type { Layout } from '../layout/layout.ts';
import { REFERRAL_REQUESTS, REFERRAL_TASKS, VISIT_SENTENCES } from './type-titles.ts';

/** The sign for a gap of a few words in a phrase: "i saw … in clinic". */
const GAP = '…';
const MAX_GAP_WORDS = 5;

/** A pattern for phrases with gaps, on folded words that are separated by single spaces. */
const patternOf = (phrases: readonly string[]): RegExp =>
  new RegExp(
    `(?<= )(?:${phrases
      .map((phrase) =>
        phrase
          .split(GAP)
          .map((part) => foldWords(part).join(' '))
          .join(` (?:\\S+ ){0,${String(MAX_GAP_WORDS)}}`),
      )
      .join('|')})(?= )`,
    'u',
  );
const REQUESTS = patternOf(REFERRAL_REQUESTS);
const TASKS = patternOf(REFERRAL_TASKS);
const VISITS = patternOf(VISIT_SENTENCES);

const foldedText = ({ lines }: Layout): string => ` ${foldWords(lines.map(({ text }) => text).join(' ')).join(' ')} `;

/** Whether a letter says that its writer examined the patient: "I reviewed …", "J’ai vu en consultation …". */
export const describesVisit = (layout: Layout): boolean => VISITS.test(foldedText(layout));

/**
 * Whether a letter without a title asks its reader to see the patient. A report of a visit may ask its reader to discuss
 * or to check something.
 */
export const isReferral = (layout: Layout): boolean => {
  const text = foldedText(layout);
  return REQUESTS.test(text) || (TASKS.test(text) && !VISITS.test(text));
};

/** "Si certifica che il sig. …", "Je soussigné, docteur …, certifie", "This is to certify that", "Hiermit wird bestätigt". */
const CERTIFIES = new RegExp(
  [
    String.raw`(?<= )(?:si (?:certifica|attesta|dichiara) che|io sottoscritt[oa]|il sottoscritto|la sottoscritta|`,
    String.raw`je soussignee?|certifie (?:que|avoir|par)|(?:this is|i wish|i write) to (?:certify|confirm) that|`,
    String.raw`(?:hereby|i) certify|i can confirm that|(?:hiermit|hierdurch|hierbei) (?:wird )?(?:bestatig|`,
    String.raw`bescheinig|attestier)\S*|wird (?:hiermit |arztlich |arztlicherseits )?(?:bestatigt|bescheinigt)|`,
    String.raw`(?:bestatige|bescheinige|attestiere) (?:ich )?(?:hiermit|dass)|zur vorlage (?:bei|beim|in)|`,
    String.raw`to whom it (?:may )?concerns?)(?= )`,
  ].join(''),
  'u',
);
/** Whether a sentence certifies something about the patient. */
export const certifies = (layout: Layout): boolean => CERTIFIES.test(foldedText(layout));

const DAY = [
  String.raw`\d{1,4}[./-]\s?(?:\d{1,2}|\p{L}{3,9})[./-]?\s?\d{2,4}|\d{1,2}\.?(?:er)? \p{L}{3,9}\.?,? \d{4}|`,
  String.raw`\p{L}{3,9} \d{1,2},? \d{4}`,
].join('');
const STAY = String.raw`(?:stationar|inpatient|in-patient|hospitalis|hospitaliz|ricover|degen[tz]|admitted|ospedalizz)`;
/** A sentence that describes a hospital stay: "… vom 12.08.20 bis zum 18.08.20 in unserer stationären Behandlung". */
const STAY_SENTENCE = new RegExp(
  [
    String.raw`(?:vom|von|from|du|dal|between|on|le|il) (?:${DAY})[ ,]{1,2}(?:bis|to|au|al|until|till|and|et|`,
    String.raw`e)(?: \p{L}{2,4})? (?:${DAY})[^.;]{0,50}${STAY}|${STAY}[^.;]{0,40} (?:${DAY})[ ,]{1,2}(?:bis|to|au|`,
    String.raw`al|until|till|and|et|e)(?: \p{L}{2,4})? (?:${DAY})`,
  ].join(''),
  'u',
);
/** Such a sentence is within this many lines of the beginning of a letter. */
const STAY_LINES = 45;

/** Whether running text describes a stay with its first and last day. */
export const describesStay = (layout: Layout): boolean =>
  STAY_SENTENCE.test(
    foldLetters(
      layout.lines
        .slice(0, STAY_LINES)
        .map((line) => line.text)
        .join(' ')
        .replace(/\s+/g, ' '),
    ),
  );
