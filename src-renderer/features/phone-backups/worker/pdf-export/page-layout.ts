import PDFDocument from 'pdfkit';
import { toRenderableText, type FontSet } from './fonts.ts';
import { linesOf, type Line } from './lines.ts';
import type { PdfHead } from './blocks.ts';

/** A4 with its margins, in points. */
const PAGE = { width: 595.28, height: 841.89, side: 54, top: 54, foot: 60 } as const;
export const LEFT = PAGE.side,
  WIDTH = PAGE.width - 2 * PAGE.side;
const BOTTOM = PAGE.height - PAGE.foot;
export const TALLEST = BOTTOM - PAGE.top;
const FOOT_Y = PAGE.height - 40;
/** Colors for paper, independent of the screen's theme. */
export const INK = { text: '#1d2733', quiet: '#55616e', line: '#d3dae1', mine: '#e6f1f4', others: '#f2f4f6' } as const;

/** How a text is set: size and height of its lines in points. */
export interface Style {
  size: number;
  line: number;
  weight: 'regular' | 'bold';
  color: string;
}
export const STYLES = {
  title: { size: 18, line: 23, weight: 'bold', color: INK.text },
  heading: { size: 12, line: 16, weight: 'bold', color: INK.text },
  body: { size: 10, line: 14, weight: 'regular', color: INK.text },
  strong: { size: 10, line: 14, weight: 'bold', color: INK.text },
  small: { size: 8, line: 11, weight: 'regular', color: INK.quiet },
  name: { size: 8, line: 11, weight: 'bold', color: INK.quiet },
  day: { size: 8.5, line: 12, weight: 'bold', color: INK.quiet },
} as const satisfies Record<string, Style>;

/** The lines of one text, from top to bottom. */
export interface TextLines {
  lines: Line[];
  style: Style;
  /** In points. */ width: number;
}

/** Fills pages from the top and adds a footer to each; writes full pages of a long PDF at once. */
export class PageLayout {
  readonly document: PDFKit.PDFDocument;
  readonly #faces: FontSet;
  readonly #head: PdfHead;
  y = 0;
  pages = 0;

  constructor(head: PdfHead, faces: FontSet) {
    this.#head = head;
    this.#faces = faces;
    const made = new Date(head.at === null ? 0 : `${head.at}Z`);
    this.document = new PDFDocument({
      size: [PAGE.width, PAGE.height],
      margin: 0,
      autoFirstPage: false,
      bufferPages: !head.isLong,
      font: null as unknown as string,
      lang: head.language,
      displayTitle: true,
      ...{ fontLayoutCache: false },
      // Nothing of when or where it was made: the same content gives the same bytes.
      info: {
        Title: toRenderableText(head.title),
        Subject: toRenderableText(head.lines.join(' · ')),
        Creator: 'Hearth',
        Producer: 'Hearth',
        CreationDate: made,
        ModDate: made,
      },
    });
    for (const [name, font] of Object.entries(faces.fonts)) this.document.registerFont(name, font as unknown as string);
  }

  /** Begins a page where less than so many points are left; a page that is empty stays. */
  room(height: number): void {
    if (this.pages > 0 && (this.y + height <= BOTTOM || this.y === PAGE.top)) return;
    this.turn();
  }

  get left(): number {
    return BOTTOM - this.y;
  }

  turn(): void {
    if (this.pages > 0 && this.#head.isLong) this.#foot(this.pages, null);
    this.document.addPage();
    this.pages += 1;
    this.y = PAGE.top;
  }

  /** Space before the next thing, unless it begins a page. */
  gap(height: number): void {
    if (this.y > PAGE.top) this.y += height;
  }

  set(text: string, style: Style, width: number): TextLines {
    const lines = linesOf(this.#faces.signsOf(toRenderableText(text), style.weight), width / style.size);
    return { lines, style, width: Math.max(0, ...lines.map((line) => line.width)) * style.size };
  }

  /** One line, its top at `y`. */
  draw(line: Line, { size, line: height, color }: Style, x: number, y: number): void {
    for (const run of line.runs) {
      this.document.font(run.face).fontSize(size).fillColor(color);
      this.document.text(run.text, x + run.x * size, y + (height - size) / 2 + size * 0.8, {
        lineBreak: false,
        baseline: 'alphabetic',
        features: [],
        ...{ textWidth: run.width * size, wordCount: 1 },
      });
    }
  }

  /** Lines under each other, going on to the next page where they have to. */
  flow({ lines, style }: TextLines, x: number, align: 'left' | 'center' = 'left'): void {
    for (const line of lines) {
      this.room(style.line);
      this.draw(line, style, align === 'center' ? x + (WIDTH - line.width * style.size) / 2 : x, this.y);
      this.y += style.line;
    }
  }

  /** A picture that can be drawn; the types of the library leave out what its documentation has. */
  image(jpeg: Uint8Array): { width: number; height: number } {
    return (
      this.document as unknown as { openImage: (bytes: Uint8Array) => { width: number; height: number } }
    ).openImage(jpeg);
  }

  end(): void {
    if (this.pages === 0) this.turn();
    if (this.#head.isLong) this.#foot(this.pages, null);
    else
      for (let page = 0; page < this.pages; page++) {
        this.document.switchToPage(page);
        this.#foot(page + 1, this.pages);
      }
    this.document.end();
  }

  #foot(page: number, pages: number | null): void {
    const { labels, title } = this.#head;
    const number =
      pages === null
        ? labels.page.replace('{page}', String(page))
        : labels.pageOf.replace('{page}', String(page)).replace('{pages}', String(pages));
    const right = this.set(number, STYLES.small, WIDTH).lines[0],
      left = this.set(title.replace(/\s+/g, ' '), STYLES.small, WIDTH - 110).lines[0];
    this.document
      .moveTo(LEFT, FOOT_Y - 6)
      .lineTo(LEFT + WIDTH, FOOT_Y - 6)
      .lineWidth(0.5)
      .strokeColor(INK.line)
      .stroke();
    if (left) this.draw(left, STYLES.small, LEFT, FOOT_Y);
    if (right) this.draw(right, STYLES.small, LEFT + WIDTH - right.width * STYLES.small.size, FOOT_Y);
  }
}
