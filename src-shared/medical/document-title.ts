import type { DocumentType } from './document-type.ts';

/** What a document holds that can name it; each list in the order of the page, tests outside their range first. */
export interface TitleFacts {
  type: DocumentType | null;
  tests: readonly string[];
  medicines: readonly string[];
  vaccines: readonly string[];
  diagnoses: readonly string[];
  /** Descriptions of studies, else parts of the body. */
  studies: readonly string[];
  /** In English; the built-in reader writes "Examination: MRI right knee." */
  summary: string | null;
  /** What was found, in sentences. */
  findings: string | null;
  invoiced: readonly string[];
  /** "145.00 GBP". */
  total: string | null;
}

const LONGEST = 72;
const NAMED = 3;

/**
 * What the document is about, for lists: "Ferritin, LDL cholesterol +4", "Apixaban 5 mg"; null where nothing names
 * it.
 */
export function documentTitle(facts: TitleFacts): string | null {
  const title = listed(subjectsOf(facts));
  if (facts.type === 'invoice') return [title, facts.total].filter((part) => part !== null).join(' · ') || null;
  return title ?? examinedIn(facts.summary) ?? firstSentence(facts.findings);
}

function subjectsOf({ type, tests, medicines, vaccines, diagnoses, studies, invoiced }: TitleFacts): readonly string[] {
  const byType: Record<DocumentType, readonly string[]> = {
    lab_test: tests,
    prescription: medicines,
    vaccination: vaccines,
    imaging_report: studies,
    invoice: invoiced,
    specialist_report: [],
    surgical_report: [],
    discharge: [],
    medical_certificate: [],
    other: [],
  };
  const own = type ? byType[type] : [];
  if (own.length > 0 || type === 'invoice') return own;
  // An imaging report is named by what was looked at or found; who sent the patient, and why, says less.
  return type === 'imaging_report'
    ? []
    : ([diagnoses, tests, medicines, vaccines, studies].find((names) => names.length > 0) ?? []);
}

/** The first names that fit, and how many more there are. */
function listed(names: readonly string[]): string | null {
  const all = [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))];
  if (all.length === 0) return null;
  const shown = all.slice(0, NAMED);
  while (shown.length > 1 && shown.join(', ').length > LONGEST) shown.pop();
  const rest = all.length - shown.length;
  return `${shortened(shown.join(', '))}${rest > 0 ? ` +${rest}` : ''}`;
}

/** What a report says that was examined, or what a paper of no known type calls itself. */
const examinedIn = (summary: string | null): string | null =>
  /(?:Examination|Subject): (.{2,90}?)\.(?=\s|$)/u.exec(summary ?? '')?.[1] ?? null;

/** Up to the first full stop that ends a sentence, not one inside "z.B." or "3.4 cm". */
function firstSentence(text: string | null): string | null {
  const [sentence = ''] = (text ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .split(/(?<=\p{L}{3})\.(?=\s|$)/u);
  return sentence === '' ? null : shortened(sentence);
}

const shortened = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST).replace(/\s+\S*$/, '')}…`;
