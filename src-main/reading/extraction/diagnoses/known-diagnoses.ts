import { loadEntries } from '../../knowledge/load.ts';
import { fold, foldWords } from '../fold.ts';

let names: Set<string> | null = null;
const MAX_WORDS = 6;
/** Shorter names are also words and abbreviations of something else. */
const MIN_LETTERS = 3;

/** Names of the knowledge base, folded. */
function knownNames(): ReadonlySet<string> {
  names ??= new Set(
    loadEntries('diagnoses').flatMap(({ aliases }) =>
      aliases.flatMap(({ alias, ambiguous }) => (ambiguous || alias.length < MIN_LETTERS ? [] : [fold(alias)])),
    ),
  );
  return names;
}

/** The number of words at a position that name a known diagnosis; 0 if none do. */
export function knownDiagnosisAt(words: readonly string[], from: number): number {
  for (let count = Math.min(MAX_WORDS, words.length - from); count > 0; count -= 1)
    if (knownNames().has(foldWords(words.slice(from, from + count).join(' ')).join(' '))) return count;
  return 0;
}

/** Whether a text begins with a known diagnosis, or with one adjective and a known diagnosis. */
export function isKnownDiagnosis(text: string): boolean {
  const words = text.trim().split(/\s+/);
  return knownDiagnosisAt(words, 0) > 0 || (words.length > 1 && knownDiagnosisAt(words, 1) > 0);
}
