import type { PageWord } from '../../../../src-shared/medical/page.ts';
import { isUnit } from '../../../../src-shared/medical/unit.ts';
import type { LayoutPage } from '../layout/layout.ts';
import { partOf, segmentOf } from '../layout/line-parts.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { tokensOf } from '../languages/phrases.ts';
import { findLabHeadings } from './lab-columns.ts';

/** The first and the last number of a range in brackets: "[0,85" and "1,15]", where a scan lost what is between them. */
const OPENS = /^[[(](\d+(?:[.,]\d+)?)[;:,.]?$/;
const CLOSES = /^(\d+(?:[.,]\d+)?)[\])]+[.,]?$/;
const NUMBER = /^\d+(?:[.,]\d+)?$/;

/**
 * Writes limits as ranges that the rest of the reader knows: "[1,8   7,5]" of a scan that lost the semicolon, and
 * "Min. 35   Max. 52" alone in its line.
 */
export function joinLimits(page: LayoutPage): LayoutPage {
  const isScanned = page.source === 'ocr';
  const lines = page.lines.map((line) => joinLeastAndMost(isScanned ? joinBrackets(joinDigits(line)) : line));
  return lines.every((line, i) => line === page.lines[i]) ? page : { ...page, lines };
}

const numberOf = (text: string): number => Number(text.replace(',', '.'));

/** Whether two words are the lower and the upper limit in brackets that have nothing between them. */
function areLimits(low: string, high: string): boolean {
  const [from, to] = [OPENS.exec(low)?.[1], CLOSES.exec(high)?.[1]];
  return from !== undefined && to !== undefined && numberOf(from) < numberOf(to);
}

function joinBrackets(line: Line): Line {
  const { words } = line;
  const at = words.findIndex(({ text }, i) => areLimits(text, words[i + 1]?.text ?? ''));
  const [low, high] = words.slice(at, at + 2);
  if (at < 0 || !low || !high) return withoutSecondBracket(line);
  const dash = { ...low, text: '-', x: low.x + low.w, w: 0 };
  const opened = { ...low, text: low.text.replace(/[;:,.]$/, '') };
  const closed = { ...high, text: high.text.replace(/([\])])[\])]+$/, '$1') };
  const segments: Segment[] = [];
  for (const segment of line.segments) {
    const own = segment.words.flatMap((word) => (word === low ? [opened, dash] : wordsFor(word, high, dash, closed)));
    const last = segments.at(-1);
    // The blank between the limits divided them.
    if (last && own[0] === closed) segments[segments.length - 1] = segmentOf([...last.words, ...own]);
    else segments.push(segmentOf(own));
  }
  return { ...partOf(line, segments), bbox: line.bbox };
}

/** A digit is about as high as the number before it; an arrow is lower, and read as "1" with little confidence. */
const MIN_HEIGHT = 0.75,
  MIN_CONFIDENCE = 0.5;
const isArrow = (digit: PageWord, number: PageWord): boolean =>
  /^[147]$/.test(digit.text) && (digit.h < MIN_HEIGHT * number.h || (digit.confidence ?? 1) < MIN_CONFIDENCE);

/** Digits of one number between which a scan has a blank, before the unit: "0.1 6 mU/L". */
function joinDigits(line: Line): Line {
  const { words } = line;
  const at = words.findIndex(
    ({ text }, i) =>
      /^\d+[.,]\d+$/.test(text) && /^\d$/.test(words[i + 1]?.text ?? '') && isUnit(words[i + 2]?.text ?? ''),
  );
  const [begin, end] = words.slice(at, at + 2);
  if (at < 0 || !begin || !end || isArrow(end, begin)) return line;
  const joined = { ...begin, text: `${begin.text}${end.text}`, w: end.x + end.w - begin.x };
  const segments = line.segments.flatMap((segment) => {
    const own = segment.words.flatMap((word) => wordsFor(word, begin, end, joined));
    return own.length > 0 ? [segmentOf(own)] : [];
  });
  return { ...partOf(line, segments), bbox: line.bbox };
}

const wordsFor = (word: PageWord, begin: PageWord, end: PageWord, joined: PageWord): PageWord[] => {
  if (word === end) return [];
  return [word === begin ? joined : word];
};

/** "(Referenz: [unter 50])" */
function withoutSecondBracket(line: Line): Line {
  const last = line.words.at(-1);
  if (!last || !/^\(\p{L}/u.test(line.text) || !last.text.endsWith('])')) return line;
  const segments = line.segments.map(({ words }) =>
    segmentOf(words.map((word) => (word === last ? { ...word, text: word.text.slice(0, -1) } : word))),
  );
  return { ...partOf(line, segments), bbox: line.bbox };
}

/** "Min. 35   Max. 52" is "35 - 52". */
function joinLeastAndMost(line: Line): Line {
  const [least, low, most, high, ...others] = line.words;
  if (!least || !low || !most || !high || others.length > 0) return line;
  const roles = [least, most].map((word) => findLabHeadings(tokensOf([word]))[0]?.role);
  const areNumbers = NUMBER.test(low.text) && NUMBER.test(high.text) && numberOf(low.text) < numberOf(high.text);
  if (roles[0] !== 'low' || roles[1] !== 'high' || !areNumbers) return line;
  return { ...partOf(line, [segmentOf([low, { ...low, text: '-', x: low.x + low.w, w: 0 }, high])]), bbox: line.bbox };
}
