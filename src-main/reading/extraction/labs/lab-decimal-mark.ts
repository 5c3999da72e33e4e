import type { LayoutPage } from '../layout/layout.ts';

/** The decimal separator of the pages; null if they use both or neither. */
export function decimalMark(pages: readonly LayoutPage[]): '.' | ',' | null {
  const count = { '.': 0, ',': 0 };
  for (const page of pages)
    for (const line of page.lines)
      for (const { text } of line.words) {
        const mark = /^[<>([]?\d{1,4}([.,])\d{1,2}[)\],;]?$/.exec(text)?.[1];
        if (mark === '.' || mark === ',') count[mark] += 1;
      }
  const [point, comma] = [count['.'], count[',']];
  if (point > 4 * comma) return '.';
  return comma > 4 * point ? ',' : null;
}
