/** A point of a page as a share (0–1) of its width and height, from the top left corner. */
export type BBox = readonly [x: number, y: number, w: number, h: number];

export type PageTurn = 0 | 90 | 180 | 270;

/** The four languages whose OCR models and vocabularies are shipped (ISO 639-1). */
export const LANGUAGES = ['en', 'de', 'fr', 'it'] as const;
export type Language = (typeof LANGUAGES)[number];

/** One word as it was read. The box is in shares of the corrected page (see `PageText.toDisplay`). */
export interface PageWord {
  text: string;
  x: number;
  y: number;
  w: number;
  h: number;
  /** 0–1; 1 for words of a PDF's text layer. */
  confidence: number;
}

/**
 * One page after reading. Plain data: it is a pipeline artifact, cached as JSON.
 *
 * Words have positions on the *corrected* page: turned upright, deskewed, perspective removed, so that text lines are
 * horizontal. People see the page turned upright only. `toDisplay` maps from the former to the latter.
 */
export interface PageText {
  /** 1-based. */
  page: number;
  /**
   * Size of the corrected page in points (1/72 inch); for images without a known resolution the size that an A4 page
   * would have.
   */
  width: number;
  height: number;
  /** Clockwise turn, in degrees, that makes the stored page upright. */
  turn: PageTurn;
  /**
   * Row-major 3×3 homography from shares of the corrected page to shares of the upright page; null when both are the
   * same.
   */
  toDisplay: readonly number[] | null;
  source: 'text_layer' | 'ocr';
  /** Reading order. */
  words: PageWord[];
  /** Lines separated by \n, columns of a line by at least two spaces. */
  text: string;
  /** Mean word confidence 0–1, weighted by length; 0 for a page without text. */
  confidence: number;
}
