import { boxAround } from '../layout/geometry.ts';
import type { LayoutPage } from '../layout/layout.ts';
import { partOf } from '../layout/line-parts.ts';
import type { Line } from '../layout/lines.ts';
import { isKnownTest } from './lab-words.ts';
import { isNameOfTest } from './plausible-limits.ts';

/** A bullet, and how a scan reads one: "»", "+", "es". */
const BULLET = /^(?:[^\p{L}\d\s]|\p{Ll}{1,2})$/u;
const MAX_NAME_WORDS = 4;

/** Leaves out the bullets of a scan before the names of a list: "»   D-Dimere: 0,42 mg/l", "+ HDL-Cholesterin: 71". */
export const withoutBullets = (page: LayoutPage): LayoutPage =>
  page.source === 'ocr' ? { ...page, lines: page.lines.map(withoutBullet) } : page;

function withoutBullet(line: Line): Line {
  const [bullet, ...words] = line.words;
  const colon = words.slice(0, MAX_NAME_WORDS).findIndex(({ text }) => text.endsWith(':'));
  const name = words
    .slice(0, colon + 1)
    .map(({ text }) => text)
    .join(' ')
    .slice(0, -1);
  if (!bullet || !BULLET.test(bullet.text) || colon < 0 || !(isKnownTest(name) || isNameOfTest(name))) return line;
  const segments = line.segments.flatMap((segment) => {
    const own = segment.words.filter((word) => word !== bullet);
    return own.length === 0
      ? []
      : [{ ...segment, words: own, text: own.map(({ text }) => text).join(' '), bbox: boxAround(own) }];
  });
  return partOf(line, segments);
}
