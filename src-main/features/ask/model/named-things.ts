import { atOnce, inSlices, type Steps } from '../../../platform/kernel/in-slices.ts';
import type { KnowledgeEntry } from '../../../reading/knowledge/entry.ts';
import { loadEntries } from '../../../reading/knowledge/load.ts';
import { createNameIndex, type NameIndex } from '../question/name-index.ts';
import { wordsOf } from '../question/question.ts';

const KINDS = ['diagnoses', 'medications', 'lab_tests'] as const;
/** Shorter names are words of every sentence as well: `lead`, `iron`. */
const MIN_NAME = 5;

const ENTRIES_PER_SLICE = 200;

let index: NameIndex<string> | undefined;
let preparing: Promise<void> | undefined;

/** Reads the names in slices, so that the first answer of a model does not block others. */
export function prepareNames(): Promise<void> {
  preparing ??= inSlices(readingNames()).then((read) => void (index ??= read));
  return preparing;
}

/** Diagnoses, substances with their brands, and laboratory tests by their names in four languages. */
function* readingNames(): Steps<NameIndex<string>> {
  const names = createNameIndex<string>();
  for (const kind of KINDS)
    for (const [position, { canonicalCode, aliases }] of (loadEntries(kind) as KnowledgeEntry[]).entries()) {
      if (position % ENTRIES_PER_SLICE === 0) yield;
      const certain = aliases.filter(({ alias, ambiguous }) => !ambiguous && alias.length >= MIN_NAME);
      names.add(
        `${kind} ${canonicalCode}`,
        certain.map(({ alias }) => alias),
      );
    }
  return names;
}

const things = (): NameIndex<string> => (index ??= atOnce(readingNames()));

const wordsIn = (text: string): string[] => wordsOf(text).map(({ folded }) => folded);

/**
 * Whether a sentence names a disease, medicine or laboratory test that a text has neither under this nor under another
 * name.
 */
export function namesMore(sentence: string, text: string): boolean {
  const named = things().find(wordsIn(sentence));
  const words = wordsIn(text);
  const known = new Set(words);
  if ([...named.used].every((word) => known.has(word))) return false;
  const there = new Set(things().find(words).keys);
  return !named.keys.every((key) => there.has(key));
}
