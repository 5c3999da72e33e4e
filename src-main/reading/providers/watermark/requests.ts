import type { PageTurn } from '../../../../src-shared/medical/page.ts';
import type { PageLimits } from '../page/requests.ts';

/** Who receives a file, and when: what is stamped on each page. */
export interface Stamp {
  /** The name of the recipient, in any script. */
  label: string;
  /** Milliseconds since the epoch; stamped in UTC to the minute. */
  at: number;
}

/** What a stamp says of its time: `2026-11-26 01:58 UTC` */
export const stampTime = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

interface PageOfFile {
  /** Absolute. */
  path: string;
  mime: string;
  /** 1-based. */
  page: number;
}

/** Requests to the watermark thread. */
export type WatermarkRequest =
  | { op: 'inspect'; path: string; mime: string }
  | ({
      op: 'page';
      turn: PageTurn;
      stamp: Stamp;
      format: 'jpeg' | 'png';
      /** Whether the file may have fewer pages. */
      mayBeMissing: boolean;
    } & PageOfFile)
  | { op: 'notice'; text: string; stamp: Stamp }
  | { op: 'picture'; picture: Uint8Array; stamp: Stamp }
  | { op: 'try_stamp'; stamp: Stamp }
  | { op: 'visible_layer'; path: string; page: number }
  | ({ op: 'prepare'; turn: PageTurn | null } & PageOfFile);

/** A stamped page. */
export interface StampedPage {
  /** The encoded image. */
  data: Uint8Array;
  /** In pixels. */
  width: number;
  height: number;
  isGray: boolean;
  /** Width and height on paper, in points (1/72 inch). */
  points: readonly [width: number, height: number];
}

/** What a watermark thread gets at its start. */
export interface WatermarkThreadData extends PageLimits {
  /** Memory of all WebAssembly modules of the thread together. */
  wasmBytes: number;
}
