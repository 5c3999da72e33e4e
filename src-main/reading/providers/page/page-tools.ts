import type { PageTurn } from '../../../../src-shared/medical/page.ts';

/** An encoded image of a page. */
export interface Picture {
  data: Uint8Array;
  type: string;
}

/** Inspects files and renders their pages in worker threads. Paths are absolute. */
export interface PageTools {
  /**
   * Opens the file and returns its number of pages. Throws `upload.damaged`, `upload.encrypted`,
   * `upload.too_many_pages`, `upload.too_many_pixels` or `upload.empty`.
   */
  inspect(path: string, mime: string): Promise<{ pages: number }>;
  /**
   * Renders a page upright, rotated clockwise by `turn`, at most `width` pixels wide. Returns null if the page does not
   * exist.
   */
  pageImage(path: string, mime: string, page: number, width: number, turn: PageTurn): Promise<Picture | null>;
  /** The first page, 320 pixels wide. */
  thumbnail(path: string, mime: string, turn: PageTurn): Promise<Picture>;
}
