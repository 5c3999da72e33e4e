/** Where a block goes on the page: on the other person's side, on one's own, or across the whole width. */
export type Side = 'left' | 'right' | 'wide';

/** One block of the PDF, in reading order; the writer decides its appearance. */
export type Block =
  | { kind: 'heading'; text: string }
  /** A day between messages, or an event of the conversation. */
  | { kind: 'middle'; text: string; isDay: boolean }
  | { kind: 'text'; text: string }
  | { kind: 'facts'; rows: readonly (readonly [name: string, value: string])[] }
  | {
      kind: 'table';
      rows: readonly (readonly string[])[];
      /** Of the width, for each column; else as wide as what is in it. */ shares?: readonly number[];
      isHead?: boolean;
    }
  | {
      kind: 'message';
      side: Side;
      head: string;
      /** What it answers. */ quote: string | null;
      subject: string | null;
      text: string;
      /** Small lines under it: edits, reactions, names of files. */ notes: readonly string[];
    }
  /** `fileId` identifies the picture among those sent with the block. */
  | { kind: 'picture'; side: Side; fileId: string; name: string };

/** The heading above all blocks, and the metadata of the file. */
export interface PdfHead {
  title: string;
  /** Who, when, from which phone. */
  lines: readonly string[];
  /** BCP 47. */
  language: string;
  /** UTC; the date of making in the file, which must not change when it is made again. Null of what has no time. */
  at: string | null;
  /** `Page {page} of {pages}`, `Page {page}`, and why the name of a script may replace a text. */
  labels: { pageOf: string; page: string; missing: string; noPicture: string };
  /** Pages of a long PDF are written as they fill up, so their total is unknown. */
  isLong: boolean;
}

/** Characters that no font could render: their number by script (ISO 15924). */
export type Missing = Readonly<Record<string, number>>;
