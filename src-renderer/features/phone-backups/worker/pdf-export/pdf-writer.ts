import type { Block, Missing, PdfHead, Side } from './blocks.ts';
import { FontSet, type FontFiles } from './fonts.ts';
import type { RawPicture } from './protocol.ts';
import { INK, LEFT, PageLayout, STYLES, TALLEST, WIDTH, type TextLines } from './page-layout.ts';

/** Pixels of the longer side of a picture that is set, and points that it may take. */
const PICTURE_PIXELS = 1200;
const PICTURE_ROOM = { message: { width: 230, height: 230 }, wide: { width: WIDTH, height: TALLEST * 0.72 } } as const;
/** A bubble's largest width. */
const BUBBLE = WIDTH * 0.76;
const PADDING = 7,
  GAP = 5;
/** The smallest part of a bubble before a page break. */
const LEAST = 40;
const FACTS_NAME = 120,
  CELL = 6;

/** Converts a picture to JPEG no larger than requested; null if it can't be decoded. */
export type ToJpeg = (picture: RawPicture, longest: number) => Promise<Uint8Array | null>;

/** Sets blocks as a PDF, page after page. The same head, blocks and pictures give the same bytes. */
export class PdfWriter {
  readonly #sheets: PageLayout;
  readonly #faces: FontSet;
  readonly #head: PdfHead;
  readonly #toJpeg: ToJpeg;

  constructor(
    head: PdfHead,
    fonts: FontFiles,
    toJpeg: ToJpeg,
    { onBytes, onEnd }: { onBytes: (bytes: Uint8Array<ArrayBuffer>) => void; onEnd: () => void },
  ) {
    this.#head = head;
    this.#toJpeg = toJpeg;
    this.#faces = new FontSet(fonts, head.language);
    this.#sheets = new PageLayout(head, this.#faces);
    this.#sheets.document.on('data', onBytes).on('end', onEnd);
    this.#sheets.turn();
    this.#flow(head.title, STYLES.title);
    for (const line of head.lines) this.#flow(line, STYLES.small);
    this.#sheets.y += 8;
  }

  /** `pictures`: those that the block names, by file. */
  async add(block: Block, pictures: ReadonlyMap<string, RawPicture>): Promise<void> {
    const sheets = this.#sheets;
    switch (block.kind) {
      case 'heading':
        sheets.gap(10);
        sheets.room(60);
        this.#flow(block.text, STYLES.heading);
        sheets.y += 2;
        return;
      case 'middle':
        sheets.gap(block.isDay ? 10 : 4);
        sheets.room(block.isDay ? 70 : 20);
        sheets.flow(sheets.set(block.text, block.isDay ? STYLES.day : STYLES.small, WIDTH), LEFT, 'center');
        sheets.y += 4;
        return;
      case 'text':
        this.#flow(block.text, STYLES.body);
        sheets.y += 4;
        return;
      case 'facts':
        for (const row of block.rows) this.#fact(row);
        sheets.y += 4;
        return;
      case 'table':
        return this.#table(block);
      case 'message':
        return this.#message(block);
      case 'picture':
        return this.#picture(block.side, block.name, pictures.get(block.fileId) ?? null);
    }
  }

  /** Ends the last page; reports the text that no font could render, also at the end of the PDF. */
  end(): Missing {
    const missing = Object.entries(this.#faces.missing);
    if (missing.length > 0) {
      this.#sheets.gap(10);
      this.#flow(
        this.#head.labels.missing.replace(
          '{scripts}',
          missing.map(([script, count]) => `${this.#faces.scriptName(script)} (${count})`).join(', '),
        ),
        STYLES.small,
      );
    }
    this.#sheets.end();
    return this.#faces.missing;
  }

  #flow(text: string, style: Parameters<PageLayout['set']>[1]): void {
    this.#sheets.flow(this.#sheets.set(text, style, WIDTH), LEFT);
  }

  #fact([name, value]: readonly [string, string]): void {
    this.#row(
      [
        this.#sheets.set(name, { ...STYLES.small, line: STYLES.body.line }, FACTS_NAME - CELL),
        this.#sheets.set(value, STYLES.body, WIDTH - FACTS_NAME),
      ],
      [0, FACTS_NAME],
    );
  }

  /** Columns fit their content; where that is too wide, the widest columns share the space that the others leave. */
  #table({ rows, shares, isHead = false }: Extract<Block, { kind: 'table' }>): void {
    const sheets = this.#sheets,
      columns = Math.max(0, ...rows.map((row) => row.length));
    if (columns === 0) return;
    const style = isHead ? STYLES.strong : STYLES.body;
    const widths = shares
      ? shares.map((share) => share * WIDTH)
      : shared(
          Array.from({ length: columns }, (_, column) =>
            Math.min(
              WIDTH,
              Math.max(
                24,
                ...rows.slice(0, 200).map((row) => sheets.set(row[column] ?? '', STYLES.body, WIDTH).width + 2 * CELL),
              ),
            ),
          ),
          WIDTH,
        );
    const starts = widths.map((_, column) => widths.slice(0, column).reduce((total, width) => total + width, CELL));
    const full = widths.reduce((total, width) => total + width, 0);
    if (!shares) sheets.gap(4);
    for (const row of rows) {
      sheets.y += 3;
      this.#row(
        widths.map((width, column) => sheets.set(row[column] ?? '', style, Math.max(8, width - 2 * CELL))),
        starts,
      );
      sheets.y += 3;
      sheets.document
        .moveTo(LEFT, sheets.y)
        .lineTo(LEFT + full, sheets.y)
        .lineWidth(0.5)
        .strokeColor(INK.line)
        .stroke();
    }
    if (!shares) sheets.y += 8;
  }

  /** Sets cells next to each other line by line, so that a cell may be longer than a page. */
  #row(cells: readonly TextLines[], starts: readonly number[]): void {
    const sheets = this.#sheets,
      height = Math.max(...cells.map(({ style }) => style.line));
    const count = Math.max(...cells.map(({ lines }) => lines.length));
    if (count * height < LEAST) sheets.room(count * height);
    for (let index = 0; index < count; index++) {
      sheets.room(height);
      for (const [column, { lines, style }] of cells.entries()) {
        const line = lines[index];
        if (line) sheets.draw(line, style, LEFT + (starts[column] ?? 0), sheets.y);
      }
      sheets.y += height;
    }
  }

  #message({ side, head, quote, subject, text, notes }: Extract<Block, { kind: 'message' }>): void {
    const sheets = this.#sheets,
      inner = BUBBLE - 2 * PADDING;
    const parts = [
      sheets.set(head, STYLES.name, inner),
      ...(quote === null ? [] : [sheets.set(`› ${quote}`, STYLES.small, inner)]),
      ...(subject ? [sheets.set(subject, STYLES.strong, inner)] : []),
      ...(text === '' ? [] : [sheets.set(text, STYLES.body, inner)]),
      ...notes.map((note) => sheets.set(note, STYLES.small, inner)),
    ];
    const width = Math.max(...parts.map((part) => part.width)) + 2 * PADDING,
      x = side === 'right' ? LEFT + WIDTH - width : LEFT;
    const lines = parts.flatMap(({ lines: own, style }) => own.map((line) => ({ line, style })));
    const height = lines.reduce((sum, { style }) => sum + style.line, 2 * PADDING);
    // A short message stays on one page; a longer one starts only where at least some of its lines fit.
    sheets.room(Math.min(height, TALLEST / 3));
    for (let at = 0; at < lines.length;) {
      let end = at,
        box = 2 * PADDING;
      while (end < lines.length && (end === at || box + (lines[end]?.style.line ?? 0) <= sheets.left))
        box += lines[end++]?.style.line ?? 0;
      sheets.document.roundedRect(x, sheets.y, width, box, 6).fill(side === 'right' ? INK.mine : INK.others);
      sheets.y += PADDING;
      for (const { line, style } of lines.slice(at, end)) {
        sheets.draw(line, style, x + PADDING, sheets.y);
        sheets.y += style.line;
      }
      sheets.y += PADDING;
      at = end;
      if (at < lines.length) sheets.turn();
    }
    sheets.y += GAP;
  }

  async #picture(side: Side, name: string, picture: RawPicture | null): Promise<void> {
    const sheets = this.#sheets,
      jpeg = picture && (await this.#toJpeg(picture, PICTURE_PIXELS));
    if (!jpeg) return this.#caption(this.#head.labels.noPicture.replace('{name}', name), side);
    const most = side === 'wide' ? PICTURE_ROOM.wide : PICTURE_ROOM.message;
    const image = sheets.image(jpeg);
    // A small picture is not enlarged beyond its size at 96 dpi.
    const scale = Math.min(most.width / image.width, most.height / image.height, 0.75);
    const width = image.width * scale,
      height = image.height * scale;
    sheets.room(height + STYLES.small.line + 4);
    sheets.document.image(image as unknown as ArrayBuffer, side === 'right' ? LEFT + WIDTH - width : LEFT, sheets.y, {
      width,
      height,
    });
    sheets.y += height + 2;
    this.#caption(name, side);
  }

  #caption(text: string, side: Side): void {
    const sheets = this.#sheets,
      { lines, style, width } = sheets.set(text, STYLES.small, BUBBLE);
    sheets.flow({ lines, style, width }, side === 'right' ? LEFT + WIDTH - width : LEFT);
    sheets.y += GAP;
  }
}

/** Widths that fit together: narrow columns keep theirs, the others get equal parts of the rest. */
function shared(natural: readonly number[], room: number): number[] {
  let left = room,
    waiting = natural.map((_, index) => index);
  const widths = [...natural];
  for (;;) {
    const part = left / waiting.length,
      narrow = waiting.filter((index) => (natural[index] ?? 0) <= part);
    if (narrow.length === 0) {
      for (const index of waiting) widths[index] = part;
      return widths;
    }
    for (const index of narrow) left -= natural[index] ?? 0;
    waiting = waiting.filter((index) => !narrow.includes(index));
    if (waiting.length === 0) return widths;
  }
}
