import type { BBox } from '../../../src-shared/medical/page.ts';
import { boxAround } from './geometry.ts';
import type { Word } from './page.ts';

/** One printed line: indexes of its words in reading order, and their box. */
export interface TextLine {
  words: number[];
  bbox: BBox;
}

const boxOf = (word: Word): BBox => [word[1], word[2], word[3], word[4]];

/** Whether a word continues the line: its middle is within the height of the previous word, and it is further right. */
function continues(before: Word, word: Word): boolean {
  const middle = word[2] + word[4] / 2;
  const sameHeight = middle > before[2] && middle < before[2] + before[4];
  return sameHeight && word[1] >= before[1] + before[3] / 2;
}

/** Groups words in reading order into lines. */
export function linesOf(words: readonly Word[]): TextLine[] {
  const lines: number[][] = [];
  words.forEach((word, index) => {
    const line = lines.at(-1);
    const before = line === undefined ? undefined : words[line.at(-1) ?? 0];
    if (line && before && continues(before, word)) line.push(index);
    else lines.push([index]);
  });
  return lines.map((line) => ({ words: line, bbox: boxAround(line.map((index) => boxOf(words[index] as Word))) }));
}

/** Whether the gap before a word separates columns: it is wider than two and a half letters. */
export function startsColumn(before: Word, word: Word): boolean {
  const letter = before[3] / Math.max(before[0].length, 1);
  return word[1] - (before[1] + before[3]) > 2.5 * letter;
}

/** Plain text of words with line breaks, and tabs between columns so that tables paste as tables. */
export function textOf(words: readonly Word[]): string {
  return linesOf(words)
    .map((line) =>
      line.words
        .map((index, position) => {
          const word = words[index] as Word;
          const before = position === 0 ? undefined : words[line.words[position - 1] as number];
          if (before === undefined) return word[0];
          return (startsColumn(before, word) ? '\t' : ' ') + word[0];
        })
        .join(''),
    )
    .join('\n');
}

/** Returns the words whose middle is inside a box, in reading order. */
export function wordsIn(words: readonly Word[], [x, y, w, h]: BBox): Word[] {
  return words.filter((word) => {
    const acrossMiddle = word[1] + word[3] / 2;
    const downMiddle = word[2] + word[4] / 2;
    return acrossMiddle >= x && acrossMiddle <= x + w && downMiddle >= y && downMiddle <= y + h;
  });
}
