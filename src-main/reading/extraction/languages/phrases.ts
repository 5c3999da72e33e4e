import type { PageWord } from '../../../../src-shared/medical/page.ts';
import { editDistance, foldWords } from '../fold.ts';

/** A folded word and the index of the printed word that it is part of. */
export interface Token {
  text: string;
  word: number;
}

/** A phrase found in tokens: `[from, to)` are token positions. */
export interface PhraseMatch<R extends string> {
  role: R;
  from: number;
  to: number;
}

export type PhraseFinder<R extends string> = (tokens: readonly Token[]) => PhraseMatch<R>[];

/** Folded words with the index of the word that each comes from; one word can give several. */
export function tokensOf(words: readonly Pick<PageWord, 'text'>[]): Token[] {
  return words.flatMap((w, word) => foldWords(w.text).map((text) => ({ text, word })));
}

interface Phrase<R> {
  role: R;
  parts: string[];
}

/**
 * Creates a finder of phrases by role. Phrases are compared folded, and a part may end in `*` (`entnahme*` matches
 * "Entnahmezeit"). To tolerate OCR errors, words of six or more letters may differ by one letter, and words of ten or
 * more by two. If several phrases begin at the same word, the longest wins; matches do not overlap.
 */
export function createPhraseFinder<R extends string>(table: Readonly<Record<R, readonly string[]>>): PhraseFinder<R> {
  const phrases: Phrase<R>[] = (Object.keys(table) as R[]).flatMap((role) =>
    table[role].map((text) => ({ role, parts: partsOf(text) })),
  );
  phrases.sort((a, b) => b.parts.length - a.parts.length);
  const vocabulary = new Set(phrases.flatMap((p) => p.parts.filter((part) => !part.endsWith('*'))));
  const byFirst = new Map<string, Phrase<R>[]>();
  const open: Phrase<R>[] = [];
  for (const phrase of phrases) {
    const first = phrase.parts[0] ?? '';
    if (first.endsWith('*')) open.push(phrase);
    else byFirst.set(first, [...(byFirst.get(first) ?? []), phrase]);
  }
  const spelled = new Map<string, string>();
  const canonical = (text: string): string => {
    const cached = spelled.get(text);
    if (cached !== undefined) return cached;
    const nearest = vocabulary.has(text) ? text : nearestWord(text, vocabulary);
    if (spelled.size < 20_000) spelled.set(text, nearest);
    return nearest;
  };
  return (tokens) => {
    const words = tokens.map((t) => canonical(t.text));
    const matches: PhraseMatch<R>[] = [];
    for (let from = 0; from < words.length; from++) {
      const candidates = [...(byFirst.get(words[from] ?? '') ?? []), ...open];
      const hit = candidates
        .filter((p) => matchesAt(p.parts, words, tokens, from))
        .sort((a, b) => b.parts.length - a.parts.length)[0];
      if (!hit) continue;
      matches.push({ role: hit.role, from, to: from + hit.parts.length });
      from += hit.parts.length - 1;
    }
    return matches;
  };
}

function partsOf(text: string): string[] {
  return text.split(' ').flatMap((word) => (word.endsWith('*') ? [`${foldWords(word)[0] ?? ''}*`] : foldWords(word)));
}

function matchesAt(
  parts: readonly string[],
  words: readonly string[],
  tokens: readonly Token[],
  from: number,
): boolean {
  return parts.every((part, i) => {
    const word = words[from + i];
    if (word === undefined) return false;
    return part.endsWith('*') ? (tokens[from + i]?.text ?? '').startsWith(part.slice(0, -1)) : word === part;
  });
}

/** "Fracture" is not a misread "facture". */
const IS_NO_MISPRINT = /^fractures?$/;

function nearestWord(text: string, vocabulary: ReadonlySet<string>): string {
  if (text.length < 6 || /\d/.test(text) || IS_NO_MISPRINT.test(text)) return text;
  const limit = text.length >= 10 ? 2 : 1;
  let best = text,
    bestDistance = limit + 1;
  for (const word of vocabulary) {
    if (word.length < 6 || Math.abs(word.length - text.length) > limit) continue;
    const distance = editDistance(text, word, limit);
    // "Description" is not a misread "Prescription".
    if (distance > 1 && word[0] !== text[0]) continue;
    if (distance < bestDistance) {
      best = word;
      bestDistance = distance;
    }
  }
  return best;
}
