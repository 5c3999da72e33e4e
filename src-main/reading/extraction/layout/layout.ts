import type { PageText } from '../../../../src-shared/medical/page.ts';
import { median } from './geometry.ts';
import { separateSideColumn } from './side-column.ts';
import { linesOfPage, type Line } from './lines.ts';

/** The lines of a document (or of some pages), built once and used by every rule. Plain data. */
export interface Layout {
  /** All lines in page order, top to bottom. */
  lines: Line[];
  pages: LayoutPage[];
}

export interface LayoutPage {
  page: number;
  /** In points. */
  width: number;
  height: number;
  lines: Line[];
  /** Usual height of a line on this page, as a fraction of the page height. */
  lineHeight: number;
  /** Mean confidence of the page's words, 0–1. */
  confidence: number;
  source: PageText['source'];
}

/**
 * Joins the words of each page to lines and segments, and takes a column beside the text apart. Boxes stay shares of a
 * page.
 */
export function buildLayout(pages: readonly PageText[]): Layout {
  const built = pages.map((page): LayoutPage => {
    const lines = separateSideColumn(linesOfPage(page));
    return {
      page: page.page,
      width: page.width,
      height: page.height,
      lines,
      source: page.source,
      confidence: page.confidence,
      lineHeight: median(lines.map((l) => median(l.words.map((w) => w.h)))),
    };
  });
  return { pages: built, lines: built.flatMap((p) => p.lines) };
}

/** The same layout reduced to a range of pages (1-based, both included). */
export function pagesOf(layout: Layout, from: number, to: number): Layout {
  const pages = layout.pages.filter((p) => p.page >= from && p.page <= to);
  return { pages, lines: pages.flatMap((p) => p.lines) };
}
