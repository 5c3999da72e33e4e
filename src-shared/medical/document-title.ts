import type { DocumentType } from './document-type.ts';

/** What names a document. */
export interface TitleFacts {
  /** The user's own title, which is preferred to any other. */
  title: string | null;
  doc_type: DocumentType | null;
  facility_name: string | null;
  doctor_name: string | null;
  specialty_display: string | null;
  event_date: string | null;
  original_filename: string;
  /** Null if only the document itself is known, not its rows. */
  highlights: {
    results: number;
    in_range: number;
    out_of_range: number;
    doubtful: number;
    subjects: readonly string[];
    more: number;
    stay: { from: string; to: string } | null;
    total: { amount: number; currency: string } | null;
  } | null;
}

/** The words of a language that titles and captions need. Dates are civil dates. */
export interface TitleWords {
  type: (type: DocumentType) => string;
  /** "Document of 12 Nov 2026", or "Document" without a date. */
  documentOf: (date: string | null) => string;
  /** "3 out of range" */
  outOfRange: (count: number) => string;
  /** "1 to check" */
  toCheck: (count: number) => string;
  /** "All 12 in range" */
  allInRange: (count: number) => string;
  /** "12 results", of which some have no range. */
  results: (count: number) => string;
  /** "and 2 more" */
  more: (count: number) => string;
  /** "CT CHEST 29 Feb 2024 (report pending)"; without a study, "Imaging …"; without a date, "CT CHEST …". */
  reportPending: (study: string | null, date: string | null) => string;
  /** "12–21 Oct 2026" */
  period: (from: string, to: string) => string;
  /** "214.60 CHF" */
  money: (amount: number, currency: string) => string;
}

/**
 * Ends the file name of a document that waits for the report of an imaging study. Names of files have an extension, so
 * none of them ends like this.
 */
const WAITING_END = ' (report pending)';

/** The file name of a document that waits for the report of a study: "CT CHEST 2024-02-29 (report pending)". */
export const waitingName = (parts: readonly (string | null)[]): string =>
  `${parts.filter((part) => part !== null && part !== '').join(' ') || 'Imaging'}${WAITING_END}`;

/** The name of a file, which is shown as it is; that of a document without one is worded. */
export function shownFileName(name: string, words: Pick<TitleWords, 'reportPending'>): string {
  if (!name.endsWith(WAITING_END)) return name;
  const [, study = '', date = null] = /^(.*?)\s*(\d{4}-\d{2}-\d{2})?$/.exec(name.slice(0, -WAITING_END.length)) ?? [];
  return words.reportPending(study === 'Imaging' || study === '' ? null : study, date);
}

/** The separator of the parts of a title. */
const BESIDE = ' · ';

/**
 * Legal forms, which a title leaves out: "Synlabor Mittelland AG". Sources: Swiss Code of Obligations (art. 950 and
 * the German, French and Italian names in it), GmbHG, AktG, Companies Act 2006.
 */
const LEGAL_FORM =
  /[\s,]+(?:AG|GmbH|gGmbH|KG|SE|eG|e\.\s?V\.|SA|S\.A\.|Sàrl|Sagl|SpA|S\.p\.A\.|Srl|S\.r\.l\.|Ltd\.?|Limited|LLP|LLC|Inc\.?)$/u;

const shortFacility = (name: string): string => name.replace(LEGAL_FORM, '') || name;

/**
 * The title of a document: the user's own, otherwise "Lab report · Synlabor" from its type and where it comes from,
 * otherwise what it is about. The name of its file is never a title.
 */
export function documentTitle(facts: TitleFacts, words: TitleWords): string {
  const { title, doc_type: type, event_date: date } = facts;
  if (title !== null) return title;
  const place = placeOf(facts);
  const subject = subjectInTitle(facts);
  const kind = isKnown(type) ? words.type(type) : null;
  const parts = [kind, subject, place].filter((part) => part !== null);
  if (parts.length === 0) return words.documentOf(date);
  return (parts.length === 1 && parts[0] === place ? [words.documentOf(null), place] : parts).join(BESIDE);
}

/**
 * What is notable about a document, for the line beside its title: "3 out of range, 1 to check", "MRI right knee",
 * "214.60 CHF"; empty if nothing is.
 */
export function documentCaption(facts: TitleFacts, words: TitleWords): string {
  const { highlights: noted, doc_type: type } = facts;
  if (noted === null) return '';
  const subjects = facts.title === null && subjectInTitle(facts) !== null ? noted.subjects.slice(1) : noted.subjects;
  const more = noted.more > 0 && subjects.length > 0 ? [words.more(noted.more)] : [];
  const listed = [...subjects, ...more].join(', ');
  const results = resultsCaption(noted, words);
  if (type === 'lab_test') return results || listed;
  const period = noted.stay ? words.period(noted.stay.from, noted.stay.to) : '';
  const total = noted.total ? words.money(noted.total.amount, noted.total.currency) : '';
  return [listed || results, period, total].filter((part) => part !== '').join(', ');
}

const isKnown = (type: DocumentType | null): type is DocumentType => type !== null && type !== 'other';

const placeOf = ({ facility_name, doctor_name, specialty_display }: TitleFacts): string | null =>
  facility_name !== null ? shortFacility(facility_name) : (doctor_name ?? specialty_display);

/** The subject names a document of unknown type, and completes the title of one from an unknown place. */
const subjectInTitle = (facts: TitleFacts): string | null =>
  isKnown(facts.doc_type) && placeOf(facts) !== null ? null : (facts.highlights?.subjects[0] ?? null);

function resultsCaption(noted: NonNullable<TitleFacts['highlights']>, words: TitleWords): string {
  const { results, in_range: inside, out_of_range: outside, doubtful } = noted;
  const sure = results - doubtful;
  const parts = [
    ...(outside > 0 ? [words.outOfRange(outside)] : []),
    ...(outside === 0 && sure > 0 ? [inside === sure ? words.allInRange(sure) : words.results(sure)] : []),
    ...(doubtful > 0 ? [words.toCheck(doubtful)] : []),
  ];
  return parts.join(', ');
}
