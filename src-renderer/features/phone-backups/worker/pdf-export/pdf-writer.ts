import type { Block, Missing, PdfHead, Side } from './blocks.ts';
import { FontSet, type FontFiles } from './fonts.ts';
import type { RawPicture } from './protocol.ts';
import { INK, LEFT, PageLayout, STYLES, PAGE_HEIGHT, WIDTH, type TextLines } from './page-layout.ts';

/** Pixels of the longer side of an image. */
const MAX_IMAGE_PIXELS = 1200;
/** Points that an image may take. */
const MAX_IMAGE_SIZE = {
  message: { width: 230, height: 230 },
  wide: { width: WIDTH, height: PAGE_HEIGHT * 0.72 },
} as const;
const MAX_BUBBLE_WIDTH = WIDTH * 0.76;
const PADDING = 7;
const GAP = 5;
/** Rows lower than this are not broken across pages. */
const MIN_BROKEN_HEIGHT = 40;
const FACT_NAME_WIDTH = 120;
const CELL_PADDING = 6;
/** Rows from which the widths of columns are computed. */
const MEASURED_ROWS = 200;
const MIN_COLUMN_WIDTH = 24;

/** Converts an image to JPEG, its longer side at most `maxSide` pixels; null if it can't be decoded. */
export type ToJpeg = (picture: RawPicture, maxSide: number) => Promise<Uint8Array | null>;

/** Writes blocks as a PDF, page after page. The same head, blocks and images give the same bytes. */
export class PdfWriter {
  readonly #layout: PageLayout;
  readonly #fonts: FontSet;
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
    this.#fonts = new FontSet(fonts, head.language);
    this.#layout = new PageLayout(head, this.#fonts);
    this.#layout.document.on('data', onBytes).on('end', onEnd);
    this.#layout.addPage();
    this.#flow(head.title, STYLES.title);
    for (const line of head.lines) this.#flow(line, STYLES.small);
    this.#layout.y += 8;
  }

  /** `pictures`: the images that the block names, by file id. */
  async add(block: Block, pictures: ReadonlyMap<string, RawPicture>): Promise<void> {
    const layout = this.#layout;
    switch (block.kind) {
      case 'heading':
        layout.addGap(10);
        layout.requireSpace(60);
        this.#flow(block.text, STYLES.heading);
        layout.y += 2;
        return;
      case 'middle':
        layout.addGap(block.isDay ? 10 : 4);
        layout.requireSpace(block.isDay ? 70 : 20);
        layout.flow(layout.breakLines(block.text, block.isDay ? STYLES.day : STYLES.small, WIDTH), LEFT, 'center');
        layout.y += 4;
        return;
      case 'text':
        this.#flow(block.text, STYLES.body);
        layout.y += 4;
        return;
      case 'facts':
        for (const row of block.rows) this.#fact(row);
        layout.y += 4;
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
    const missing = Object.entries(this.#fonts.missing);
    if (missing.length > 0) {
      this.#layout.addGap(10);
      this.#flow(
        this.#head.labels.missing.replace(
          '{scripts}',
          missing.map(([script, count]) => `${this.#fonts.scriptName(script)} (${count})`).join(', '),
        ),
        STYLES.small,
      );
    }
    this.#layout.end();
    return this.#fonts.missing;
  }

  #flow(text: string, style: Parameters<PageLayout['breakLines']>[1]): void {
    this.#layout.flow(this.#layout.breakLines(text, style, WIDTH), LEFT);
  }

  #fact([name, value]: readonly [string, string]): void {
    this.#row(
      [
        this.#layout.breakLines(name, { ...STYLES.small, line: STYLES.body.line }, FACT_NAME_WIDTH - CELL_PADDING),
        this.#layout.breakLines(value, STYLES.body, WIDTH - FACT_NAME_WIDTH),
      ],
      [0, FACT_NAME_WIDTH],
    );
  }

  /** Columns fit their content; if that is too wide, the widest columns share the remaining space. */
  #table({ rows, shares, isHead = false }: Extract<Block, { kind: 'table' }>): void {
    const layout = this.#layout,
      columns = Math.max(0, ...rows.map((row) => row.length));
    if (columns === 0) return;
    const style = isHead ? STYLES.strong : STYLES.body;
    const widths = shares
      ? shares.map((share) => share * WIDTH)
      : fitWidths(
          Array.from({ length: columns }, (_, column) =>
            Math.min(
              WIDTH,
              Math.max(
                MIN_COLUMN_WIDTH,
                ...rows
                  .slice(0, MEASURED_ROWS)
                  .map((row) => layout.breakLines(row[column] ?? '', STYLES.body, WIDTH).width + 2 * CELL_PADDING),
              ),
            ),
          ),
          WIDTH,
        );
    const starts = widths.map((_, column) =>
      widths.slice(0, column).reduce((total, width) => total + width, CELL_PADDING),
    );
    const full = widths.reduce((total, width) => total + width, 0);
    if (!shares) layout.addGap(4);
    for (const row of rows) {
      layout.y += 3;
      this.#row(
        widths.map((width, column) =>
          layout.breakLines(row[column] ?? '', style, Math.max(8, width - 2 * CELL_PADDING)),
        ),
        starts,
      );
      layout.y += 3;
      layout.document
        .moveTo(LEFT, layout.y)
        .lineTo(LEFT + full, layout.y)
        .lineWidth(0.5)
        .strokeColor(INK.line)
        .stroke();
    }
    if (!shares) layout.y += 8;
  }

  /** Sets cells next to each other line by line, so that a cell may be longer than a page. */
  #row(cells: readonly TextLines[], starts: readonly number[]): void {
    const layout = this.#layout,
      height = Math.max(...cells.map(({ style }) => style.line));
    const count = Math.max(...cells.map(({ lines }) => lines.length));
    if (count * height < MIN_BROKEN_HEIGHT) layout.requireSpace(count * height);
    for (let index = 0; index < count; index++) {
      layout.requireSpace(height);
      for (const [column, { lines, style }] of cells.entries()) {
        const line = lines[index];
        if (line) layout.draw(line, style, LEFT + (starts[column] ?? 0), layout.y);
      }
      layout.y += height;
    }
  }

  #message({ side, head, quote, subject, text, notes }: Extract<Block, { kind: 'message' }>): void {
    const layout = this.#layout,
      inner = MAX_BUBBLE_WIDTH - 2 * PADDING;
    const parts = [
      layout.breakLines(head, STYLES.name, inner),
      ...(quote === null ? [] : [layout.breakLines(`› ${quote}`, STYLES.small, inner)]),
      ...(subject ? [layout.breakLines(subject, STYLES.strong, inner)] : []),
      ...(text === '' ? [] : [layout.breakLines(text, STYLES.body, inner)]),
      ...notes.map((note) => layout.breakLines(note, STYLES.small, inner)),
    ];
    const width = Math.max(...parts.map((part) => part.width)) + 2 * PADDING,
      x = side === 'right' ? LEFT + WIDTH - width : LEFT;
    const lines = parts.flatMap(({ lines: partLines, style }) => partLines.map((line) => ({ line, style })));
    const height = lines.reduce((sum, { style }) => sum + style.line, 2 * PADDING);
    // A short message stays on one page; a longer one starts only where at least some of its lines fit.
    layout.requireSpace(Math.min(height, PAGE_HEIGHT / 3));
    for (let at = 0; at < lines.length;) {
      let end = at,
        box = 2 * PADDING;
      while (end < lines.length && (end === at || box + (lines[end]?.style.line ?? 0) <= layout.spaceLeft))
        box += lines[end++]?.style.line ?? 0;
      layout.document.roundedRect(x, layout.y, width, box, 6).fill(side === 'right' ? INK.mine : INK.others);
      layout.y += PADDING;
      for (const { line, style } of lines.slice(at, end)) {
        layout.draw(line, style, x + PADDING, layout.y);
        layout.y += style.line;
      }
      layout.y += PADDING;
      at = end;
      if (at < lines.length) layout.addPage();
    }
    layout.y += GAP;
  }

  async #picture(side: Side, name: string, picture: RawPicture | null): Promise<void> {
    const layout = this.#layout,
      jpeg = picture && (await this.#toJpeg(picture, MAX_IMAGE_PIXELS));
    if (!jpeg) return this.#caption(this.#head.labels.noPicture.replace('{name}', name), side);
    const maxSize = side === 'wide' ? MAX_IMAGE_SIZE.wide : MAX_IMAGE_SIZE.message;
    const image = layout.image(jpeg);
    // A small image is not enlarged beyond its size at 96 dpi.
    const scale = Math.min(maxSize.width / image.width, maxSize.height / image.height, 0.75);
    const width = image.width * scale,
      height = image.height * scale;
    layout.requireSpace(height + STYLES.small.line + 4);
    layout.document.image(image as unknown as ArrayBuffer, side === 'right' ? LEFT + WIDTH - width : LEFT, layout.y, {
      width,
      height,
    });
    layout.y += height + 2;
    this.#caption(name, side);
  }

  #caption(text: string, side: Side): void {
    const layout = this.#layout,
      { lines, style, width } = layout.breakLines(text, STYLES.small, MAX_BUBBLE_WIDTH);
    layout.flow({ lines, style, width }, side === 'right' ? LEFT + WIDTH - width : LEFT);
    layout.y += GAP;
  }
}

/** Fits columns to a width: narrow columns keep their width, the others share the rest equally. */
function fitWidths(natural: readonly number[], width: number): number[] {
  let left = width,
    wide = natural.map((_, index) => index);
  const widths = [...natural];
  for (;;) {
    const part = left / wide.length,
      narrow = wide.filter((index) => (natural[index] ?? 0) <= part);
    if (narrow.length === 0) {
      for (const index of wide) widths[index] = part;
      return widths;
    }
    for (const index of narrow) left -= natural[index] ?? 0;
    wide = wide.filter((index) => !narrow.includes(index));
    if (wide.length === 0) return widths;
  }
}
