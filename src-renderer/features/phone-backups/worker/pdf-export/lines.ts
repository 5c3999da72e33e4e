import type { FaceName, Sign } from './fonts.ts';

/** Adjacent signs of one font, at `x` em from the start of the line. */
export interface Run {
  face: FaceName;
  text: string;
  x: number;
  width: number;
}
export interface Line {
  runs: Run[];
  /** In em. */
  width: number;
}

/** A line may end after these characters. */
const BREAKS_AFTER = /[\s\-\u2010\u2012-\u2014/]$/;
const SPACE = /^[^\S\u00a0\u202f]+$/;

/** Breaks signs into lines of at most `width` em; a word wider than a line is broken inside. */
export function breakSigns(signs: readonly Sign[], width: number): Line[] {
  const lines: Line[] = [];
  let start = 0,
    end = 0,
    used = 0;
  const close = (to: number, next: number): void => {
    lines.push(lineOf(signs.slice(start, to)));
    start = end = next;
    used = 0;
  };
  for (let at = 0; at < signs.length; at++) {
    const sign = signs[at];
    if (!sign) continue;
    if (sign.text === '\n') {
      close(at, at + 1);
      continue;
    }
    used += sign.width;
    if (used > width && !SPACE.test(sign.text) && at > start) {
      close(end > start ? end : at, end > start ? end : at);
      // The part after the break moved to the new line.
      for (let index = start; index <= at; index++) used += signs[index]?.width ?? 0;
    }
    if (BREAKS_AFTER.test(sign.text)) end = at + 1;
  }
  close(signs.length, signs.length);
  return lines;
}

function lineOf(signs: readonly Sign[]): Line {
  let last = signs.length;
  while (last > 0 && SPACE.test(signs[last - 1]?.text ?? '')) last -= 1;
  const runs: Run[] = [];
  let width = 0;
  for (const sign of signs.slice(0, last)) {
    const before = runs.at(-1);
    if (before && before.face === sign.face) {
      before.text += sign.text;
      before.width += sign.width;
    } else runs.push({ face: sign.face, text: sign.text, x: width, width: sign.width });
    width += sign.width;
  }
  return { runs, width };
}
