import { atOnce, inSlices, type Steps } from '../../platform/kernel/in-slices.ts';
import { LANGUAGES, KNOWLEDGE_KINDS, type KnowledgeEntry } from './entry.ts';
import { loadEntries, readResource } from './load.ts';
import { listed, readTable } from './table.ts';

/** Another name of a thing; with `isPrefix` it also finds words that begin with it (`Knie`: Kniegelenk). */
export interface Synonym {
  text: string;
  isPrefix: boolean;
}

/** A word that the knowledge base has for something. */
export interface KnownWord {
  folded: string;
  text: string;
}

/** Other names of what a user typed, in any language. */
export interface Synonyms {
  /**
   * Names in the other languages and other names of one or several words; empty for unknown words. A compound has the
   * names of its beginning (`Kniegelenk`: knee), unless `isWhole`.
   */
  of(words: string, options?: { isWhole?: boolean }): readonly Synonym[];
  /** Names of one word that begin with the folded letter, folded and as they are written. */
  words(letter: string): readonly KnownWord[];
  /** Reads the tables in slices, so that the first search does not block. */
  prepare(): Promise<void>;
}

/** More names than this would find half of the vault. */
const MAX_SYNONYMS = 12;
const MIN_LETTERS = 3;

const ENTRIES_PER_SLICE = 200;

/** Ignores case and accents, as the text index does. */
function fold(text: string): string {
  const lower = /^[ -~]*$/.test(text) ? text : text.normalize('NFD').replace(/\p{M}/gu, '');
  return lower
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/**
 * Looks words up in the everyday vocabulary (`resources/knowledge/search-terms.tsv`) and in the knowledge base: tests,
 * diagnoses, substances and specialties by their names in four languages. A brand finds its substance, a substance does
 * not find all its brands. Reads the tables on the first call.
 */
export function createSynonyms(): Synonyms {
  let tables: Tables | undefined;
  let preparing: Promise<void> | undefined;
  return {
    prepare() {
      preparing ??= inSlices(readingTables()).then((read) => void (tables ??= read));
      return preparing;
    },
    of(words, { isWhole = false } = {}) {
      tables ??= atOnce(readingTables());
      const key = fold(words);
      const typed = key.split(' ');
      const seen = new Set<string>();
      const beginning = isWhole ? undefined : beginningOf(key, tables.beginnings);
      const groups = tables.byName.get(key) ?? tables.byName.get(beginning ?? '') ?? [];
      const found = groups.flat().filter(({ text, isPrefix }) => {
        const folded = fold(text);
        const findsItself = !(folded === key && isPrefix) && containsWords(folded, typed);
        if (seen.has(folded) || folded.length < MIN_LETTERS || findsItself) return false;
        seen.add(folded);
        return true;
      });
      return found.slice(0, MAX_SYNONYMS);
    },
    words(letter) {
      tables ??= atOnce(readingTables());
      return [...tables.byName]
        .filter(([folded]) => folded.startsWith(letter) && !folded.includes(' '))
        .map(([folded, groups]) => ({ folded, text: writtenAs(folded, groups) }));
    },
  };
}

const writtenAs = (folded: string, groups: readonly Synonym[][]): string =>
  groups.flat().find(({ text }) => fold(text) === folded)?.text ?? folded;

/** Whether a name holds all typed words, so that those find it themselves. */
const containsWords = (folded: string, typed: readonly string[]): boolean => {
  const words = folded.split(' ');
  return typed.every((word) => words.includes(word));
};

/** The longest beginning of the table with which the word begins: `knie` of `kniegelenk`. */
const beginningOf = (word: string, beginnings: readonly string[]): string | undefined =>
  beginnings.find((beginning) => word.startsWith(beginning));

interface Tables {
  /** Synonyms by each of their folded names. */
  byName: Map<string, Synonym[][]>;
  /** Folded names that also find words that begin with them, longest first. */
  beginnings: string[];
}

function* readingTables(): Steps<Tables> {
  const groups = new Map<string, Synonym[][]>();
  const beginnings: string[] = [];
  const add = (names: readonly string[], group: Synonym[]): void => {
    for (const key of new Set(names.map(fold))) {
      const known = groups.get(key);
      if (known) known.push(group);
      else groups.set(key, [group]);
    }
  };
  for (const row of readTable(readResource('search-terms.tsv'), LANGUAGES)) {
    const group = LANGUAGES.flatMap((language) => listed(row[language])).map((item) => ({
      text: item.replace(/\*$/, ''),
      isPrefix: item.endsWith('*'),
    }));
    beginnings.push(...group.filter(({ isPrefix }) => isPrefix).map(({ text }) => fold(text)));
    add(
      group.map(({ text }) => text),
      group,
    );
  }
  for (const kind of KNOWLEDGE_KINDS) {
    yield;
    for (const [position, entry] of (loadEntries(kind) as KnowledgeEntry[]).entries()) {
      if (position % ENTRIES_PER_SLICE === ENTRIES_PER_SLICE - 1) yield;
      // Tests of urine share most names with those of blood; theirs would add words such as "test strip".
      if (entry.kind === 'lab_tests' && entry.specimen !== 'blood') continue;
      const certain = entry.aliases.filter(({ ambiguous }) => !ambiguous);
      // The names first, so that they remain if there are too many spellings.
      const spellings = [...LANGUAGES.map((language) => entry.names[language]), ...certain.flatMap(spellingOfLanguage)];
      add(
        certain.map(({ alias }) => alias),
        [...new Set(spellings)].map((text) => ({ text, isPrefix: false })),
      );
    }
  }
  return { byName: groups, beginnings: beginnings.sort((a, b) => b.length - a.length) };
}

const spellingOfLanguage = ({ alias, language }: { alias: string; language: string | null }): string[] =>
  language === null ? [] : [alias];
