import { foldedForms, removeSpaces } from '../../../../src-shared/medical/name-fold.ts';

/** Names have at most this many words. */
const MAX_WORDS = 6;
/** Shorter parts of a compound would be in too many words. */
const MIN_PART = 6;
/** Ends of German compounds and plurals that say nothing about the subject. */
const ENDINGS = [
  'werten',
  'werte',
  'wert',
  'spiegel',
  'funktion',
  'impfungen',
  'impfung',
  'tabletten',
  'en',
  'e',
  'n',
  's',
] as const;

/** Finds names of things in the words of a question. */
export interface NameIndex<Key> {
  /** Adds the names of a thing. */
  add(key: Key, names: readonly string[]): void;
  /** The things whose whole name is in the question, longest names first, and the words of it. */
  find(words: readonly string[]): { keys: Key[]; used: Set<string> };
  /** The things of which a name has one of these words, or a compound with it. */
  findParts(words: readonly string[]): Key[];
}

export function createNameIndex<Key>(): NameIndex<Key> {
  const byName = new Map<string, Set<Key>>();
  const parts: { key: Key; words: Set<string> }[] = [];
  return {
    add(key, names) {
      const forms = names.flatMap(foldedForms).filter((form) => form !== '');
      for (const form of forms) {
        const compact = removeSpaces(form);
        const keys = byName.get(compact) ?? new Set<Key>();
        byName.set(compact, keys.add(key));
      }
      parts.push({ key, words: new Set(forms.flatMap((form) => form.split(' '))) });
    },
    find: (words) => findWhole(byName, words),
    findParts: (words) => parts.filter((part) => words.some((word) => hasPart(part.words, word))).map(({ key }) => key),
  };
}

function findWhole<Key>(
  byName: ReadonlyMap<string, Set<Key>>,
  words: readonly string[],
): { keys: Key[]; used: Set<string> } {
  const keys = new Set<Key>();
  const used = new Set<number>();
  for (let count = MAX_WORDS; count > 0; count -= 1)
    for (let at = 0; at + count <= words.length; at += 1) {
      const places = Array.from({ length: count }, (_, index) => at + index);
      if (places.some((place) => used.has(place))) continue;
      const found = keysOf(byName, words.slice(at, at + count).join(''));
      if (!found) continue;
      for (const place of places) used.add(place);
      for (const key of found) keys.add(key);
    }
  return { keys: [...keys], used: new Set([...used].map((place) => words[place]!)) };
}

/** A name also without an ending, or with an `s` that the question lacks. */
function keysOf<Key>(byName: ReadonlyMap<string, Set<Key>>, phrase: string): Set<Key> | undefined {
  const stems = ENDINGS.filter((ending) => phrase.endsWith(ending)).map((ending) => phrase.slice(0, -ending.length));
  return [phrase, ...stems.filter((stem) => stem.length > 2), `${phrase}s`, `${phrase}e`]
    .map((form) => byName.get(form))
    .find((keys) => keys !== undefined);
}

const hasPart = (words: ReadonlySet<string>, word: string): boolean =>
  words.has(word) ||
  (word.length >= MIN_PART && [...words].some((other) => other.includes(word))) ||
  [...words].some((other) => other.length >= MIN_PART && word.includes(other));
