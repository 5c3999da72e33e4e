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

/**
 * Keeps the sentences of a model that the record supports: each cites only lines that it was given, and each of its
 * figures is in one of those, or in the question. A sentence without a citation may state no figure.
 */
export function checkAnswer(
  answer: string,
  lines: readonly NumberedLine[],
  question: string,
): { kept: string[]; dropped: number } {
  const known = new Set(figuresIn(question));
  const isSupported = (sentence: string): boolean => {
    const cited = citedIn(sentence);
    const sources = lines.filter(({ numbers }) => numbers.some((number) => cited.includes(number)));
    const isKnown = cited.every((number) => lines.some(({ numbers }) => numbers.includes(number)));
    const figures = new Set(sources.flatMap(({ text }) => figuresIn(text)));
    return isKnown && figuresIn(sentence).every((figure) => figures.has(figure) || known.has(figure));
  };
  const sentences = sentencesOf(answer);
  const kept = sentences.filter(isSupported);
  return { kept, dropped: sentences.length - kept.length };
}
