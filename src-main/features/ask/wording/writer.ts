import type { CoreLanguage } from '../../../../src-shared/contract/core-languages.ts';
import type { DocumentFact, MedicineFact, Place, ResultFact } from '../record/facts.ts';
import type { PatientRecord } from '../record/patient-record.ts';
import type { Period } from '../question/dates.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import type { Phrases } from './phrases.ts';

/** A place that an answer cites as `[number]`. */
export interface CitedPlace {
  number: number;
  place: Place;
  /** The words of the page; null if the place is a whole document. */
  quote: string | null;
}

/** An answer of lines: those that begin with `- ` are items of a list, and `[2]` cites the second place. */
export interface Answer {
  text: string;
  cited: CitedPlace[];
}

const PHRASES: Record<CoreLanguage, Phrases> = { en, de };
const PRINTED_NUMBER = /^([<>≤≥]?\s?\d+)[.,](\d+)$/u;

/** Words facts in one language and collects the places that the words cite. */
export type Writer = ReturnType<typeof createWriter>;

export function createWriter(record: PatientRecord, language: CoreLanguage) {
  const phrases = PHRASES[language];
  const cited: CitedPlace[] = [];
  const dates = new Intl.DateTimeFormat(phrases.locale, { dateStyle: 'long', timeZone: 'UTC' });
  const date = (civil: string | null): string => (civil === null ? phrases.undated : dates.format(Date.parse(civil)));
  const decimal = (text: string): string => text.replace(PRINTED_NUMBER, `$1${phrases.decimal}$2`);
  const cite = (place: Place | null, quote?: string): string => {
    if (place === null) return '';
    const known = cited.find((one) => isSame(one.place, place));
    const number = known?.number ?? cited.length + 1;
    if (!known) cited.push({ number, place, quote: quote ?? record.quote(place) });
    return ` [${number}]`;
  };
  const bound = (value: number): string => decimal(String(value));
  const range = ({ low, high }: ResultFact): string | null => {
    if (low !== null && high !== null) return `${bound(low)}–${bound(high)}`;
    if (high !== null) return `< ${bound(high)}`;
    return low === null ? null : `> ${bound(low)}`;
  };
  return {
    phrases,
    cited,
    date,
    cite,
    range,
    /** Two decimals at most, as on an invoice. */
    money: (amount: number, currency: string): string => `${currency} ${decimal(amount.toFixed(2))}`.trim(),
    value: ({ text, unit, outside, isDoubtful }: ResultFact): string => {
      const flag = isDoubtful ? phrases.uncertain : outside && phrases.flags[outside];
      return `${decimal(text)}${unit ? ` ${unit}` : ''}${flag ? ` (${flag})` : ''}`;
    },
    medicine: ({ name, substance, dosage, form, frequency, duration }: MedicineFact): string => {
      const called = substance && substance.toLowerCase() !== name.toLowerCase() ? ` (${substance})` : '';
      return [`${name}${dosage ? ` ${dosage}` : ''}${called}`, form, frequency, duration].filter(Boolean).join(', ');
    },
    document: ({ type, title, facility, filename }: DocumentFact): string =>
      title ?? [phrases.types[type ?? 'unknown'], facility ?? filename].join(' · '),
    /** The name of a test: in the language of the answer, with the printed one if it differs. */
    test: (key: string, printed: string): string => {
      const known = record.nameIn('lab_tests', key, language);
      return known === null || known.toLowerCase() === printed.toLowerCase() ? printed : `${known} (${printed})`;
    },
    period: ({ from, to }: Period): string => phrases.period(from && date(from), to && date(to)),
    done: (lines: readonly string[]): Answer => ({ text: lines.join('\n'), cited }),
  };
}

const isSame = (a: Place, b: Place): boolean =>
  a.documentId === b.documentId && a.page === b.page && a.value === b.value && String(a.bbox) === String(b.bbox);
