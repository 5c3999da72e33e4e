import PDFDocument from 'pdfkit';
import { toRenderableText, type FontSet } from './fonts.ts';
import { breakSigns, type Line } from './lines.ts';
import type { PdfHead } from './blocks.ts';

/** A4 with its margins, in points. */
const PAGE = { width: 595.28, height: 841.89, side: 54, top: 54, foot: 60 } as const;
export const LEFT = PAGE.side;
export const WIDTH = PAGE.width - 2 * PAGE.side;
const BOTTOM = PAGE.height - PAGE.foot;
/** Points of an empty page. */
export const PAGE_HEIGHT = BOTTOM - PAGE.top;
const FOOT_Y = PAGE.height - 40;
/** Colors for print, independent of the theme of the screen. */
export const INK = { text: '#1d2733', quiet: '#55616e', line: '#d3dae1', mine: '#e6f1f4', others: '#f2f4f6' } as const;

/** The style of a text: font size and line height in points. */
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
  /** Points of the widest line. */
  width: number;
}

/** Fills pages from the top and adds a footer to each; writes full pages of a long PDF at once. */
export class PageLayout {
  readonly document: PDFKit.PDFDocument;
  readonly #fonts: FontSet;
  readonly #head: PdfHead;
  y = 0;
  pages = 0;

  constructor(head: PdfHead, fonts: FontSet) {
    this.#head = head;
    this.#fonts = fonts;
    const createdAt = new Date(head.at === null ? 0 : `${head.at}Z`);
    this.document = new PDFDocument({
      size: [PAGE.width, PAGE.height],
      margin: 0,
      autoFirstPage: false,
      bufferPages: !head.isLong,
      font: null as unknown as string,
      lang: head.language,
      displayTitle: true,
      ...{ fontLayoutCache: false },
      // Without the current time, the same content always gives the same bytes.
      info: {
        Title: toRenderableText(head.title),
        Subject: toRenderableText(head.lines.join(' · ')),
        Creator: 'Hearth',
        Producer: 'Hearth',
        CreationDate: createdAt,
        ModDate: createdAt,
      },
    });
    for (const [name, font] of Object.entries(fonts.fonts)) this.document.registerFont(name, font as unknown as string);
  }

  /** Begins a new page unless this many points are left on the current one; an empty page is always used. */
  requireSpace(height: number): void {
    if (this.pages > 0 && (this.y + height <= BOTTOM || this.y === PAGE.top)) return;
    this.addPage();
  }

  /** Points to the bottom of the page. */
  get spaceLeft(): number {
    return BOTTOM - this.y;
  }

  addPage(): void {
    if (this.pages > 0 && this.#head.isLong) this.#drawFooter(this.pages, null);
    this.document.addPage();
    this.pages += 1;
    this.y = PAGE.top;
  }

  /** Adds space before the next block, unless it begins a page. */
  addGap(height: number): void {
    if (this.y > PAGE.top) this.y += height;
  }

  /** Breaks a text into lines of at most `width` points. */
  breakLines(text: string, style: Style, width: number): TextLines {
    const lines = breakSigns(this.#fonts.signsOf(toRenderableText(text), style.weight), width / style.size);
    return { lines, style, width: Math.max(0, ...lines.map((line) => line.width)) * style.size };
  }

  /** Draws one line with its top at `y`. */
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

  /** Draws lines one below the other and continues on the next page. */
  flow({ lines, style }: TextLines, x: number, align: 'left' | 'center' = 'left'): void {
    for (const line of lines) {
      this.requireSpace(style.line);
      this.draw(line, style, align === 'center' ? x + (WIDTH - line.width * style.size) / 2 : x, this.y);
      this.y += style.line;
    }
  }

  /** Prepares an image for drawing; the library documents `openImage`, but its types lack it. */
  image(jpeg: Uint8Array): { width: number; height: number } {
    return (
      this.document as unknown as { openImage: (bytes: Uint8Array) => { width: number; height: number } }
    ).openImage(jpeg);
  }

  end(): void {
    if (this.pages === 0) this.addPage();
    if (this.#head.isLong) this.#drawFooter(this.pages, null);
    else
      for (let page = 0; page < this.pages; page++) {
        this.document.switchToPage(page);
        this.#drawFooter(page + 1, this.pages);
      }
    this.document.end();
  }

  #drawFooter(page: number, pages: number | null): void {
    const { labels, title } = this.#head;
    const number =
      pages === null
        ? labels.page.replace('{page}', String(page))
        : labels.pageOf.replace('{page}', String(page)).replace('{pages}', String(pages));
    const right = this.breakLines(number, STYLES.small, WIDTH).lines[0],
      left = this.breakLines(title.replace(/\s+/g, ' '), STYLES.small, WIDTH - 110).lines[0];
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
