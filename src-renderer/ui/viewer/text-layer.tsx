import { memo, type CSSProperties } from 'react';
import type { Word } from './page.ts';
import { linesOf, startsColumn } from './text-lines.ts';

/** The layer is laid out once at this width and scaled to the page, so that zooming does not lay out words again. */
const BASE_WIDTH = 1000;
const PROBE_SIZE = 100;
const FONT = 'Inter, system-ui, sans-serif';

let probe: CanvasRenderingContext2D | null | undefined;
const measured = new Map<string, number>();

/** Measures the width of a text at 1 px font size; estimates it without a canvas. */
function naturalWidth(text: string): number {
  const cachedWidth = measured.get(text);
  if (cachedWidth !== undefined) return cachedWidth;
  probe ??= document.createElement('canvas').getContext('2d');
  if (probe) probe.font = `${PROBE_SIZE}px ${FONT}`;
  const width = (probe?.measureText(text).width ?? text.length * PROBE_SIZE * 0.5) / PROBE_SIZE;
  if (measured.size > 20_000) measured.clear();
  measured.set(text, width);
  return width;
}

function wordStyle(word: Word, text: string, width: number, ratio: number): CSSProperties {
  const height = word[4] * BASE_WIDTH * ratio;
  const size = Math.max(height * 0.8, 1);
  return {
    left: word[1] * BASE_WIDTH,
    top: word[2] * BASE_WIDTH * ratio,
    fontSize: size,
    lineHeight: `${height}px`,
    height,
    transform: `scaleX(${((width * BASE_WIDTH) / Math.max(naturalWidth(text) * size, 0.01)).toFixed(4)})`,
  };
}

interface Props {
  page: number;
  words: readonly Word[];
  /** Height / width of the page. */
  ratio: number;
  /** Width of the page in CSS pixels. */
  width: number;
  label: string;
}

/** The transparent words of a page in place, for selecting, copying and screen readers. */
export const TextLayer = memo(function TextLayer({ page, words, ratio, width, label }: Props) {
  return (
    <div
      className="vw-text"
      role="region"
      aria-label={label}
      data-page={page}
      style={{ width: BASE_WIDTH, height: BASE_WIDTH * ratio, transform: `scale(${width / BASE_WIDTH})` }}
    >
      <Lines words={words} ratio={ratio} />
    </div>
  );
});

const Lines = memo(function Lines({ words, ratio }: { words: readonly Word[]; ratio: number }) {
  return linesOf(words).map((line) => (
    <p key={line.words[0]} className="vw-line">
      {line.words.map((index, position) => {
        const word = words[index] as Word;
        const next = words[line.words[position + 1] ?? -1];
        // Words include the space up to the next word, so that selections have no gaps.
        const joined = next !== undefined && !startsColumn(word, next);
        const text = next === undefined ? word[0] : `${word[0]} `;
        const width = joined ? Math.max(next[1] - word[1], word[3]) : word[3];
        return (
          <span key={index} data-word={index} style={wordStyle(word, joined ? text : word[0], width, ratio)}>
            {text}
          </span>
        );
      })}
    </p>
  ));
});
