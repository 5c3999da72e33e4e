import type { PageTurn, PageWord } from '../../../../src-shared/medical/page.ts';
import type { GrayscaleImage } from './prepare/grayscale.ts';
import type { Homography } from './prepare/warp.ts';

/** Requests to the page thread. Paths are absolute, pages 1-based. */
export type PageRequest =
  | { op: 'estimate_memory'; path: string; mime: string }
  | { op: 'inspect'; path: string; mime: string }
  | { op: 'layers'; path: string; from: number; to: number }
  | { op: 'prepare'; path: string; mime: string; page: number; turn: PageTurn | null }
  | { op: 'likelihood'; data: Uint8Array }
  | { op: 'picture'; path: string; mime: string; page: number; width: number; turn: PageTurn };

/** Limits that the page thread enforces. */
export interface PageLimits {
  maxPages: number;
  maxPixels: number;
}

/** What a page thread gets at its start. */
export interface PageThreadData extends PageLimits {
  /** Memory of all WebAssembly modules of the thread together. */
  wasmBytes: number;
  /** Whether a task may end with a result although it could not get all the memory that it wanted. */
  isLastResort: boolean;
}

export interface InspectAnswer {
  pages: number;
}
export interface LayerAnswer {
  width: number;
  height: number;
  words: PageWord[] | null;
}
export interface PrepareAnswer {
  grayscale: GrayscaleImage;
  letters: Int32Array;
  turn: PageTurn;
  toDisplay: Homography | null;
}
/** Null when the page does not exist. */
export type PictureAnswer = Uint8Array | null;
