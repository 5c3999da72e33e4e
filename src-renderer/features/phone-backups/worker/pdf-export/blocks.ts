/** The position of a block: left for received messages, right for sent ones, wide across the page. */
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
      /** The share of each column of the width; if omitted, columns fit their content. */
      shares?: readonly number[];
      isHead?: boolean;
    }
  | {
      kind: 'message';
      side: Side;
      head: string;
      /** The message that it replies to. */
      quote: string | null;
      subject: string | null;
      text: string;
      /** Small lines below it: edits, reactions, file names. */
      notes: readonly string[];
    }
  /** `fileId` identifies the image among those sent with the block. */
  | { kind: 'picture'; side: Side; fileId: string; name: string };

/** The heading above all blocks, and the metadata of the file. */
export interface PdfHead {
  title: string;
  /** Who, when, from which phone. */
  lines: readonly string[];
  /** BCP 47. */
  language: string;
  /** The creation date of the file in UTC: the date of its content, so that it is always the same. Null if unknown. */
  at: string | null;
  /** Texts with placeholders: `Page {page} of {pages}`, `Page {page}`, and notes about missing scripts and images. */
  labels: { pageOf: string; page: string; missing: string; noPicture: string };
  /** Pages of a long PDF are written as they fill up, so their total is unknown. */
  isLong: boolean;
}

/** Characters that no font could render: their number by script (ISO 15924). */
export type Missing = Readonly<Record<string, number>>;
