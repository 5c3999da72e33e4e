import type { documents as contract } from '../../../../src-shared/contract/documents.ts';
import type { ReplyInput } from '../../../../src-shared/contract/endpoint.ts';
import type { Synonyms } from '../../../reading/knowledge/synonyms.ts';
import { editDistance } from '../../../reading/extraction/fold.ts';
import type { Visibility } from './list-query.ts';
import type { ListRepository } from './list-repository.ts';
import { foldWord, parseSearch, plainWords, SearchSyntaxError } from './search-query.ts';

export interface NearHitDeps {
  list: Pick<ListRepository, 'countHits' | 'wordsWithFirstLetter' | 'printedWord'>;
  synonyms: Synonyms['of'];
}

type NearHits = ReplyInput<typeof contract.nearHits>;

/** Shorter words are near to too many others. */
const MIN_LETTERS = 4;
/** Words with two typing errors have at least six letters. */
const MIN_LETTERS_OF_TWO_ERRORS = 6;
const MAX_NEAR = 3;

/**
 * Finds what a search without hits may have meant: the line with its unknown words replaced by similar ones from the
 * documents that the caller may see, most hits first, and the number of hits for all people. A word that only the
 * documents of others contain is never returned.
 */
export function findNearHits(
  deps: NearHitDeps,
  line: string,
  patientId: number | undefined,
  visibility: Visibility,
): NearHits {
  const count = (text: string, ofPatient: number | undefined): number => countHits(deps, text, ofPatient, visibility);
  const everyone = patientId === undefined ? 0 : count(line, undefined);
  const unknown = plainWords(line).filter(({ text }) => count(text, patientId) === 0);
  const [last, ...others] = unknown.reverse();
  if (!last) return { near: [], everyone };
  // The last unknown word offers several replacements; any other takes its nearest.
  let replaced = line;
  let shift = 0;
  const similar = similarWords(deps, last.text, patientId, visibility);
  for (const word of others.reverse()) {
    const [nearest] = similarWords(deps, word.text, patientId, visibility);
    if (nearest === undefined) return { near: [], everyone };
    replaced = replaceAt(replaced, word.start + shift, word.text, nearest);
    shift += nearest.length - word.text.length;
  }
  const near = similar
    .map((word) => replaceAt(replaced, last.start + shift, last.text, word))
    .map((text) => ({ text, total: count(text, patientId) }))
    .filter(({ total }) => total > 0);
  return { near: near.slice(0, MAX_NEAR), everyone };
}

const replaceAt = (line: string, start: number, old: string, replacement: string): string =>
  line.slice(0, start) + replacement + line.slice(start + old.length);

/** Words of visible documents that are similar to a word, as they are printed there; the most similar first. */
function similarWords(
  { list }: NearHitDeps,
  typed: string,
  patientId: number | undefined,
  visibility: Visibility,
): string[] {
  const word = foldWord(typed);
  if (word.length < MIN_LETTERS) return [];
  const limit = word.length < MIN_LETTERS_OF_TWO_ERRORS ? 1 : 2;
  return list
    .wordsWithFirstLetter(word[0]!)
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate, limit) }))
    .filter(({ distance }) => distance > 0 && distance <= limit)
    .map((near) => ({ ...near, total: list.countHits(visibility, patientId, { match: `"${near.candidate}"` }) }))
    .filter(({ total }) => total > 0)
    .sort((a, b) => a.distance - b.distance || b.total - a.total || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, MAX_NEAR)
    .map(({ candidate }) => list.printedWord(visibility, patientId, candidate));
}

function countHits(
  { list, synonyms }: NearHitDeps,
  text: string,
  patientId: number | undefined,
  visibility: Visibility,
): number {
  try {
    // A misspelled word may begin like another one: `Blutdruk` is not to be taken for blood.
    const query = parseSearch(text, { synonyms: (words) => synonyms(words, { isWhole: true }) });
    return query === null ? 0 : list.countHits(visibility, patientId, query);
  } catch (error) {
    if (error instanceof SearchSyntaxError) return 0;
    throw error;
  }
}
