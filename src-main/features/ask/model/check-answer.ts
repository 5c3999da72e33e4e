import { mentions } from '../../../reading/extraction/languages/assertion.ts';
import { namesMore } from './named-things.ts';

/** The facts of one numbered line that a model was given. */
export interface NumberedLine {
  text: string;
  numbers: readonly number[];
}

const CITATION = /\[(\d{1,3})\]/g;
const FIGURE = /\d+(?:[.,]\d+)?/g;

/** The numbers in brackets of a text. */
export const citedIn = (text: string): number[] => [...text.matchAll(CITATION)].map(([, number]) => Number(number));

/** Figures of a text in one spelling: `8,90` and `8.9` are equal. */
const figuresIn = (text: string): string[] =>
  [...text.replaceAll(CITATION, ' ').matchAll(FIGURE)].map(([figure]) => String(Number(figure.replace(',', '.'))));

/** Sentences of a text with what ends them; a citation belongs to the sentence before it. */
const sentencesOf = (text: string): string[] =>
  text
    .replace(/([.!?])((?:\s?\[\d{1,3}\])+)/gu, '$2$1')
    .split(/(?<=[.!?])\s+(?=\S)|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

/** The end of a sentence that cannot get another citation, because the next one has begun. */
const COMPLETE = /[.!?](?:\s?\[\d{1,3}\])*\s+(?=[^\s[])|\n/gu;

/** The beginning of a text that is being written, without the sentence that may still change. */
export const completeSentences = (text: string): string => {
  const last = [...text.matchAll(COMPLETE)].at(-1);
  return last ? text.slice(0, last.index + last[0].length) : '';
};

/** The sentences of an answer that are kept, and how many others there are. */
export interface CheckedAnswer {
  kept: string[];
  dropped: number;
}

/**
 * Makes a check of the answers of a model, which keeps the sentences that the record supports. Each cites only lines
 * that it was given. Each of its figures is in one of those, or in the question, and each disease, medicine and test
 * that it names is in one of those, or was asked about and is denied. Without a citation, it may state no other figure,
 * and name what is in any line. An answer that is being written is checked again and again; each sentence once.
 */
export function createAnswerCheck(lines: readonly NumberedLine[], question: string): (answer: string) => CheckedAnswer {
  const known = new Set(figuresIn(question));
  const findSupport = (sentence: string): boolean => {
    const cited = citedIn(sentence);
    if (!cited.every((number) => lines.some(({ numbers }) => numbers.includes(number)))) return false;
    const sources = lines.filter(({ numbers }) => numbers.some((number) => cited.includes(number)));
    const figures = new Set(sources.flatMap(({ text }) => figuresIn(text)));
    if (!figuresIn(sentence).every((figure) => figures.has(figure) || known.has(figure))) return false;
    const named = (cited.length > 0 ? sources : lines).map(({ text }) => text);
    const asked = isDenial(sentence) ? [question] : [];
    return !namesMore(sentence.replaceAll(CITATION, ' '), [...named, ...asked].join('\n'));
  };
  const checked = new Map<string, boolean>();
  return (answer) => {
    const sentences = sentencesOf(answer);
    for (const sentence of sentences) if (!checked.has(sentence)) checked.set(sentence, findSupport(sentence));
    const kept = sentences.filter((sentence) => checked.get(sentence));
    return { kept, dropped: sentences.length - kept.length };
  };
}

const isDenial = (sentence: string): boolean => mentions('denied_before', sentence);
