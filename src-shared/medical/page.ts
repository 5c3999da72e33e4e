/** A box on a page in fractions (0–1) of its width and height, from the top left corner. */
export type BBox = readonly [x: number, y: number, w: number, h: number];

export type PageTurn = 0 | 90 | 180 | 270;

/** The languages whose OCR models and vocabularies are included (ISO 639-1). */
export const LANGUAGES = ['en', 'de', 'fr', 'it'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A word as read. Its box is in fractions of the corrected page (see `PageText.toDisplay`). */
export interface PageWord {
  text: string;
  x: number;
  y: number;
  w: number;
  h: number;
  /** 0–1; 1 for words of a PDF's text layer. */
  confidence: number;
  /** A second look at this number alone that read other digits. */
  secondReading?: string;
}

/**
 * A page after reading: plain data, which the pipeline caches as JSON.
 *
 * Words have positions on the *corrected* page: turned upright, deskewed and without perspective, so that text lines
 * are horizontal. Users see the page only turned upright. `toDisplay` maps from the former to the latter.
 */
export interface PageText {
  /** 1-based. */
  page: number;
  /**
   * Size of the corrected page in points (1/72 inch); for images without a known resolution the size of an A4 page.
   */
  width: number;
  height: number;
  /** The clockwise rotation that turns the stored page upright. */
  turn: PageTurn;
  /**
   * Row-major 3×3 homography from fractions of the corrected page to fractions of the upright page; null if both are
   * the same.
   */
  toDisplay: readonly number[] | null;
  source: 'text_layer' | 'ocr';
  /** In reading order. */
  words: PageWord[];
  /** Lines are separated by \n, columns of a line by at least two spaces. */
  text: string;
  /** Mean word confidence 0–1, weighted by length; 0 for a page without text. */
  confidence: number;
  /** OCR took too long, so the page has no words yet. */
  isUnread?: true;
}
