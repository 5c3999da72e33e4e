import type { documents as contract } from '../../../../src-shared/contract/documents.ts';
import type { ReplyInput } from '../../../../src-shared/contract/endpoint.ts';
import type { Synonyms } from '../../../reading/knowledge/synonyms.ts';
import { editDistance } from '../../../reading/extraction/fold.ts';
import type { SearchedDocuments, Visibility } from './list-query.ts';
import type { ListRepository } from './list-repository.ts';
import { foldWord, parseSearch, plainWords, SearchSyntaxError } from './search-query.ts';

export interface NearHitDeps {
  list: Pick<ListRepository, 'countHits' | 'wordsWithFirstLetter' | 'printedWord'>;
  synonyms: Synonyms['of'];
  /** Words of the knowledge base by their first letter. */
  words: Synonyms['words'];
}

type NearHits = ReplyInput<typeof contract.nearHits>;

/** Shorter words are near to too many others. */
const MIN_LETTERS = 4;
/** Words with two typing errors have at least six letters. */
const MIN_LETTERS_OF_TWO_ERRORS = 6;
const MAX_NEAR = 3;

/**
 * Finds what a search without hits may have meant: the line with its unknown words replaced by similar ones from the
 * documents that the caller may see, or else from the knowledge base, whose other names these documents may have; most
 * hits first. For a chosen patient also the number of hits for all people, and what would find some of those. A word
 * that only the documents of others contain is never returned.
 */
export function findNearHits(
  deps: NearHitDeps,
  line: string,
  patientId: number | undefined,
  visibility: Visibility,
): NearHits {
  const near = findSimilarLines(deps, line, patientId, visibility);
  if (patientId === undefined) return { near, everyone: 0, near_everyone: [] };
  const everyone = countHits(deps, line, undefined, visibility);
  const isLost = near.length === 0 && everyone === 0;
  return { near, everyone, near_everyone: isLost ? findSimilarLines(deps, line, 'decided', visibility) : [] };
}

/** The line with its unknown words replaced. The last one offers several replacements; any other takes its nearest. */
function findSimilarLines(
  deps: NearHitDeps,
  line: string,
  of: SearchedDocuments,
  visibility: Visibility,
): NearHits['near'] {
  const count = (text: string): number => countHits(deps, text, of, visibility);
  const unknown = plainWords(line).filter(({ text }) => count(text) === 0);
  const [last, ...others] = unknown.reverse();
  if (!last) return [];
  let replaced = line;
  let shift = 0;
  const similar = similarWords(deps, last.text, of, visibility);
  for (const word of others.reverse()) {
    const [nearest] = similarWords(deps, word.text, of, visibility);
    if (nearest === undefined) return [];
    replaced = replaceAt(replaced, word.start + shift, word.text, nearest);
    shift += nearest.length - word.text.length;
  }
  return similar
    .map((word) => replaceAt(replaced, last.start + shift, last.text, word))
    .map((text) => ({ text, total: count(text) }))
    .filter(({ total }) => total > 0)
    .slice(0, MAX_NEAR);
}

const replaceAt = (line: string, start: number, old: string, replacement: string): string =>
  line.slice(0, start) + replacement + line.slice(start + old.length);

/** Words similar to a word: of visible documents as they are printed there, or of the knowledge base. */
function similarWords(deps: NearHitDeps, typed: string, of: SearchedDocuments, visibility: Visibility): string[] {
  const word = foldWord(typed);
  if (word.length < MIN_LETTERS) return [];
  const letter = word[0]!;
  const { list } = deps;
  const printed = nearest(word, list.wordsWithFirstLetter(letter), (candidate) => ({
    text: candidate,
    total: list.countHits(visibility, of, { match: `"${candidate}"` }),
  })).map(({ text }) => list.printedWord(visibility, of, text));
  if (printed.length > 0) return printed;
  const known = new Map(deps.words(letter).map(({ folded, text }) => [folded, text]));
  return nearest(word, [...known.keys()], (candidate) => {
    const text = known.get(candidate) ?? candidate;
    return { text, total: countHits(deps, text, of, visibility) };
  }).map(({ text }) => text);
}

interface Candidate {
  text: string;
  total: number;
}

/** Candidates that differ from a word by typing errors and have hits, the most similar first. */
function nearest(word: string, candidates: readonly string[], hitsOf: (candidate: string) => Candidate): Candidate[] {
  const limit = word.length < MIN_LETTERS_OF_TWO_ERRORS ? 1 : 2;
  return candidates
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate, limit) }))
    .filter(({ distance }) => distance > 0 && distance <= limit)
    .map(({ candidate, distance }) => ({ ...hitsOf(candidate), distance }))
    .filter(({ total }) => total > 0)
    .sort((a, b) => a.distance - b.distance || b.total - a.total || (a.text < b.text ? -1 : 1))
    .slice(0, MAX_NEAR);
}

function countHits(
  { list, synonyms }: NearHitDeps,
  text: string,
  of: SearchedDocuments,
  visibility: Visibility,
): number {
  try {
    // A misspelled word may begin like another one: `Blutdruk` is not to be taken for blood.
    const query = parseSearch(text, { synonyms: (words) => synonyms(words, { isWhole: true }) });
    return query === null ? 0 : list.countHits(visibility, of, query);
  } catch (error) {
    if (error instanceof SearchSyntaxError) return 0;
    throw error;
  }
}
