import type { DocumentType } from './document-type.ts';

/** The content that can form a title; each list is in the order of the page, with abnormal tests first. */
export interface TitleFacts {
  type: DocumentType | null;
  tests: readonly string[];
  medicines: readonly string[];
  vaccines: readonly string[];
  diagnoses: readonly string[];
  /** Descriptions of studies, otherwise parts of the body. */
  studies: readonly string[];
  /** In English; the built-in rules write "Examination: MRI right knee." */
  summary: string | null;
  /** Findings in sentences. */
  findings: string | null;
  /** Items of an invoice. */
  invoiced: readonly string[];
  /** Total of an invoice: "145.00 GBP". */
  total: string | null;
}

const MAX_LENGTH = 72;
const MAX_NAMES = 3;

/**
 * Composes a title for lists: "Ferritin, LDL cholesterol +4", "Apixaban 5 mg"; null without any describing content.
 */
export function documentTitle(facts: TitleFacts): string | null {
  const title = listNames(subjectsOf(facts));
  if (facts.type === 'invoice') return [title, facts.total].filter((part) => part !== null).join(' · ') || null;
  return title ?? examinationIn(facts.summary) ?? firstSentence(facts.findings);
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
  // The examination or the findings describe an imaging report better than its diagnoses.
  return type === 'imaging_report'
    ? []
    : ([diagnoses, tests, medicines, vaccines, studies].find((names) => names.length > 0) ?? []);
}

/** Lists the first names that fit, and the number of the remaining ones. */
function listNames(names: readonly string[]): string | null {
  const all = [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))];
  if (all.length === 0) return null;
  const shownNames = all.slice(0, MAX_NAMES);
  while (shownNames.length > 1 && shownNames.join(', ').length > MAX_LENGTH) shownNames.pop();
  const rest = all.length - shownNames.length;
  return `${shorten(shownNames.join(', '))}${rest > 0 ? ` +${rest}` : ''}`;
}

/** Returns the examination that a summary names, or the subject of a document of unknown type. */
const examinationIn = (summary: string | null): string | null =>
  /(?:Examination|Subject): (.{2,90}?)\.(?=\s|$)/u.exec(summary ?? '')?.[1] ?? null;

/** Returns the text up to the first period that ends a sentence, unlike those in "z.B." and "3.4 cm". */
function firstSentence(text: string | null): string | null {
  const [sentence = ''] = (text ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .split(/(?<=\p{L}{3})\.(?=\s|$)/u);
  return sentence === '' ? null : shorten(sentence);
}

const shorten = (text: string): string =>
  text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH).replace(/\s+\S*$/, '')}…`;
