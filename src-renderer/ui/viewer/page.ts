import type { BBox } from '../../../src-shared/medical/page.ts';

/** A word as the API sends it: text and box in shares of the upright page. */
export type Word = readonly [text: string, x: number, y: number, w: number, h: number];

/** A page of the viewer: size in points (1/72 inch), upright; words in reading order. */
export interface ViewerPage {
  page: number;
  width: number;
  height: number;
  words: readonly Word[];
}

/** A part of a page, in shares of the upright page. */
export interface PagePlace {
  page: number;
  bbox: BBox;
}

/** Size in points of a page that is not measured yet: A4. */
export const UNKNOWN_PAGE = { width: 595, height: 842 } as const;

/**
 * The measured pages, followed by A4 pages up to `count` while a document is still being read. The ratio (height /
 * width) of loaded images corrects pages that are not measured.
 */
export function completePages(
  measured: readonly ViewerPage[],
  count: number,
  ratios: ReadonlyMap<number, number> = new Map(),
): ViewerPage[] {
  const measuredPages = new Map(measured.map((page) => [page.page, page]));
  const last = Math.max(count, ...measuredPages.keys(), 1);
  return Array.from({ length: last }, (_, index) => {
    const page = index + 1;
    const ratio = ratios.get(page);
    return (
      measuredPages.get(page) ?? {
        page,
        width: UNKNOWN_PAGE.width,
        height: ratio === undefined ? UNKNOWN_PAGE.height : UNKNOWN_PAGE.width * ratio,
        words: [],
      }
    );
  });
}
