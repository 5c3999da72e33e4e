import type { BBox } from '../../../src-shared/medical/page.ts';
import type { MeantPassage } from './meaning/repository.ts';
import { hasForm, padWords, tokensOf, type Term } from './question/terms.ts';
import { boxAround, linesOf, shorten, type PageLine } from './record/quotes.ts';
import type { DocumentFact, Place } from './record/facts.ts';
import type { PatientRecord } from './record/patient-record.ts';

/** A passage of a document that contains words of a question. */
export interface Passage {
  document: DocumentFact;
  place: Place;
  /** As printed. */
  quote: string;
  /** Share of the question that the document covers, 0–1. */
  coverage: number;
}

interface WeighedTerm extends Term {
  /** Rare words of the record weigh more; absent ones most. */
  weight: number;
  documents: ReadonlySet<number>;
}

const MAX_DOCUMENTS = 500;
const MINOR_WEIGHT = 0.4;
/** Letters of a word that is searched as the beginning of others. */
const MIN_BEGINNING = 3;
const MIN_BEGINNING_OF_SYNONYM = 5;
/** A document with less of the question than this doesn't answer it. */
const MIN_COVERAGE = 0.5;
/** A document with less than this has nothing to do with it. */
const MIN_COVERAGE_OF_NEAR = 0.25;
const MAX_NEAR = 2;
const MAX_NEAR_IN_MEANING = 3;
/** The usual constant of reciprocal ranks. */
const RANK_OFFSET = 60;
/** Documents that are much worse than the best are left out. */
const MIN_SHARE_OF_BEST = 0.7;

export interface FoundPassages {
  /** Best first; none if the record doesn't have them. */
  passages: Passage[];
  /** Without passages: those that have only a part of the question. */
  near: Passage[];
  /** What is near was found by its meaning. */
  isNearInMeaning: boolean;
  searched: string[];
}

interface PassageOptions {
  among?: ((document: DocumentFact) => boolean) | undefined;
  limit: number;
  /** Passages that were found by their meaning, the nearest first. */
  meant?: readonly MeantPassage[];
}

/** Searches the words of a question in the papers. */
export function findPassages(
  record: PatientRecord,
  asked: readonly Term[],
  { among = () => true, limit, meant = [] }: PassageOptions,
): FoundPassages {
  const documents = record.documents().filter(among);
  const terms = asked.map((term) => weigh(record, term, documents));
  const total = terms.reduce((sum, { weight }) => sum + weight, 0);
  const byMeaning = passagesByMeaning(record, documents, meant);
  const scored = documents.map((document) => ({ document, score: scoreOf(terms, document.id) / (total || 1) }));
  const best = (least: number, most: number): Passage[] => {
    const found = scored
      .filter(({ score }) => score >= least)
      .map(({ document, score }) => passageOf(record, document, terms, score))
      .sort((a, b) => b.rank - a.rank);
    return found.filter(({ rank }) => rank >= (found[0]?.rank ?? 0) * MIN_SHARE_OF_BEST).slice(0, most);
  };
  const byWords = best(MIN_COVERAGE, limit);
  const isNearInMeaning = byWords.length === 0 && byMeaning.length > 0;
  const partly = (): Passage[] => (byWords.length > 0 ? [] : best(MIN_COVERAGE_OF_NEAR, MAX_NEAR));
  return {
    // What shares no word with the question is never its answer by itself.
    passages: byWords.length === 0 ? [] : mergeByRank(byWords, byMeaning).slice(0, limit),
    near: isNearInMeaning ? byMeaning.slice(0, MAX_NEAR_IN_MEANING) : partly(),
    isNearInMeaning,
    searched: terms.flatMap(({ typed, forms }) => [typed, ...forms.map(({ text }) => text)]),
  };
}

/** The best passage of each document by meaning. */
function passagesByMeaning(
  record: PatientRecord,
  documents: readonly DocumentFact[],
  meant: readonly MeantPassage[],
): Passage[] {
  const byId = new Map(documents.map((document) => [document.id, document]));
  return [...Map.groupBy(meant, ({ documentId }) => documentId)].flatMap(([id, [best]]) => {
    const document = byId.get(id);
    const page = best && record.pagesOf(id).find((candidate) => candidate.page === best.page);
    const lines = page ? linesOf(page).slice(best.firstLine, best.lastLine + 1) : [];
    if (!document || !page || lines.length === 0) return [];
    const place: Place = { documentId: id, page: page.page, bbox: boxOf(lines), value: null };
    return [{ document, place, quote: shorten(lines.map(({ text }) => text).join(' ')), coverage: 0 }];
  });
}

/**
 * Both lists as one by reciprocal ranks (Cormack et al., SIGIR 2009). A document of both has the passage with its words.
 */
function mergeByRank(byWords: readonly Passage[], byMeaning: readonly Passage[]): Passage[] {
  const scores = new Map<number, { passage: Passage; score: number }>();
  for (const list of [byWords, byMeaning])
    for (const [rank, passage] of list.entries()) {
      const { id } = passage.document;
      const known = scores.get(id);
      const score = (known?.score ?? 0) + 1 / (RANK_OFFSET + rank + 1);
      scores.set(id, { passage: known?.passage ?? passage, score });
    }
  return [...scores.values()].sort((a, b) => b.score - a.score).map(({ passage }) => passage);
}

/** User text appears only inside quotes. */
const matchOf = ({ forms }: Term): string =>
  forms
    .map(({ text, isPrefix }) => ({ words: tokensOf(text).join(' '), isPrefix }))
    .filter(({ words }) => words !== '')
    .map(({ words, isPrefix }) => `"${words}"${isPrefix ? ' *' : ''}`)
    .join(' OR ');

/** A word that no paper has is searched as a beginning: `ski` of `Skiunfall`. */
function weigh(record: PatientRecord, asked: Term, documents: readonly DocumentFact[]): WeighedTerm {
  const hitsOf = (one: Term): number[] => {
    const match = matchOf(one);
    return match === '' ? [] : record.hits(match, MAX_DOCUMENTS);
  };
  const asTyped = hitsOf(asked);
  // Words do not begin with an abbreviation that has other names, such as "ENT".
  const isWord = asked.forms.length === 1 || asked.typed.length > MIN_BEGINNING;
  const [typed, ...synonyms] = asked.forms;
  const beginnings = typed ? [asBeginning(typed, MIN_BEGINNING), ...synonyms.map(longAsBeginning)] : [];
  const term = asTyped.length > 0 || !isWord ? asked : { ...asked, forms: beginnings };
  const hits = new Set(asTyped.length > 0 ? asTyped : hitsOf(term));
  const count = documents.filter(({ id }) => hits.has(id)).length;
  const weight = Math.log(1 + documents.length / (count + 0.5));
  // Papers print a quantity without the word for it.
  const isMinor = term.isMinor || (term.measure !== undefined && count === 0);
  return { ...term, documents: hits, weight: weight * (isMinor ? MINOR_WEIGHT : 1) };
}

const asBeginning = (form: Term['forms'][number], least: number): Term['forms'][number] =>
  form.text.length >= least ? { ...form, isPrefix: true } : form;
/** A short name in another language begins other words: `fer`, iron, the name of Dr Ferrari. */
const longAsBeginning = (form: Term['forms'][number]): Term['forms'][number] =>
  asBeginning(form, MIN_BEGINNING_OF_SYNONYM);

const scoreOf = (terms: readonly WeighedTerm[], documentId: number): number =>
  terms.reduce((sum, { weight, documents }) => sum + (documents.has(documentId) ? weight : 0), 0);

interface RankedPassage extends Passage {
  rank: number;
}

/** The line of a document that has most of the question, with the rest of its sentence. */
function passageOf(
  record: PatientRecord,
  document: DocumentFact,
  terms: readonly WeighedTerm[],
  coverage: number,
): RankedPassage {
  const total = terms.reduce((sum, { weight }) => sum + weight, 0);
  const candidates = record.pagesOf(document.id).flatMap((page) => {
    const lines = linesOf(page);
    const scores = lines.map((line) => scoreOfLine(line, terms) * (isLetterhead(page.page, line) ? 0.5 : 1));
    return lines.map((_line, index) => ({
      page: page.page,
      lines,
      index,
      score: (scores[index] ?? 0) + 0.3 * ((scores[index - 1] ?? 0) + (scores[index + 1] ?? 0)),
      own: scores[index] ?? 0,
    }));
  });
  const ranked = candidates.filter(({ own }) => own > 0).sort((a, b) => b.score - a.score);
  // A line that says something is worth more than a title with the same words.
  const saying = ranked.find(({ lines, index }) => !isHeading(lines[index]!));
  const best = saying && saying.own >= ranked[0]!.own * MIN_SHARE_OF_BEST ? saying : ranked[0];
  if (!best)
    return { document, place: document.place!, quote: record.quote(document.place!) ?? '', coverage, rank: coverage };
  const section = isHeading(best.lines[best.index]!) ? conclusionOf(record, document.id) : null;
  if (section)
    return {
      document,
      place: { documentId: document.id, page: section.page, bbox: boxOf(section.lines), value: null },
      quote: shorten(section.lines.map(({ text }) => text).join(' ')),
      coverage,
      rank: coverage + best.score / total,
    };
  const quoted = sentenceAt(best.lines, best.index, (line) => scoreOfLine(line, terms) >= best.own * MIN_SHARE_OF_BEST);
  return {
    document,
    place: { documentId: document.id, page: best.page, bbox: boxOf(quoted), value: null },
    quote: shorten(quoted.map(({ text }) => text).join(' ')),
    coverage,
    rank: coverage + best.score / total,
  };
}

const boxOf = (lines: readonly PageLine[]): BBox => boxAround(lines.map(({ bbox }) => bbox));

function scoreOfLine({ text }: PageLine, terms: readonly WeighedTerm[]): number {
  const padded = padWords(text);
  const has = ({ forms, measure }: Term): boolean =>
    forms.some((form) => hasForm(padded, form)) || (measure?.test(text) ?? false);
  // A question for a quantity is answered by the line that has one.
  const worth = ({ measure, weight }: WeighedTerm): number => (measure?.test(text) ? 3 * weight : weight);
  return terms.reduce((sum, term) => sum + (has(term) ? worth(term) : 0), 0);
}

const MAX_LINES = 4;
const ENDS_SENTENCE = /[.!?:]$/u;

/** The name and address of who wrote a paper, at the top of its first page, say little about the patient. */
const isLetterhead = (page: number, { bbox: [, top] }: PageLine): boolean => page === 1 && top < 0.12;

/** Titles and headings, which name a subject and say nothing about it. */
const isHeading = ({ text }: PageLine): boolean => tokensOf(text).length <= 4 && !/[\d.]/u.test(text);

/** Headings in four languages under which a paper says what was found, the most telling first. */
const CONCLUSIONS = [
  /^(?:conclusi|beurteilung|impression|assessment|opinion|valutazione)/iu,
  /^(?:diagnos|befund|findings|reperto|résultat|result)/iu,
];

/** The lines below the heading of the conclusion of a document. */
function conclusionOf(record: PatientRecord, documentId: number): { page: number; lines: PageLine[] } | null {
  const pages = record.pagesOf(documentId).map((page) => ({ page: page.page, lines: linesOf(page) }));
  for (const heading of CONCLUSIONS)
    for (const { page, lines } of pages) {
      const at = lines.findIndex((line) => isHeading(line) && heading.test(line.text));
      if (at < 0 || !lines[at + 1]) continue;
      const rest = lines.slice(at + 1, at + MAX_LINES);
      const end = rest.findIndex((line, index) => index > 0 && isHeading(line));
      return { page, lines: end < 0 ? rest : rest.slice(0, end) };
    }
  return null;
}

/** The line with its sentence, and its neighbours that answer as well. */
function sentenceAt(lines: readonly PageLine[], index: number, isAsGood: (line: PageLine) => boolean): PageLine[] {
  let first = index,
    last = index;
  const isFull = (): boolean => last - first + 1 >= MAX_LINES;
  // A line that begins in lower case continues the one before.
  if (lines[index - 1] && /^\p{Ll}/u.test(lines[index]!.text)) first -= 1;
  while (!isFull() && lines[first - 1] && isAsGood(lines[first - 1]!)) first -= 1;
  while (!isFull() && lines[last + 1] && (isAsGood(lines[last + 1]!) || isContinued(lines[last]!, lines[last + 1]!)))
    last += 1;
  return lines.slice(first, last + 1);
}

/** A full line without an end of a sentence goes on in the next one at the same margin. */
const isContinued = (line: PageLine, next: PageLine): boolean =>
  !ENDS_SENTENCE.test(line.text) &&
  line.bbox[2] > 0.5 &&
  Math.abs(next.bbox[0] - line.bbox[0]) < 0.02 &&
  next.bbox[1] - line.bbox[1] < 3 * line.bbox[3];
