import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';
import type { ReportContent, ReportLine } from './report-content.ts';

const { resolve } = createRequire(import.meta.url);
const REGULAR = resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf');
const BOLD = resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf');
/** Points. */
const [MARGIN, INDENT, MAX_INDENT] = [54, 12, 96];
/** A report that is longer is damaged, or made to keep a reader busy. */
const MAX_PAGES = 300;

/** Draws a report as PDF; the same report always has the same bytes. */
export async function drawReport({ title, facts, lines }: ReportContent): Promise<Uint8Array> {
  const at = new Date(0);
  const pdf = new PDFDocument({
    ...{ size: 'A4', margin: MARGIN, font: null as unknown as string, displayTitle: true },
    info: { Title: title, Creator: 'Hearth', Producer: 'Hearth', CreationDate: at, ModDate: at },
  });
  const chunks: Buffer[] = [];
  const end = new Promise<void>((done, reject) => pdf.once('end', done).once('error', reject));
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  let pages = 1;
  pdf.on('pageAdded', () => (pages += 1));
  pdf.registerFont('regular', REGULAR).registerFont('bold', BOLD);
  pdf.font('bold').fontSize(16).text(oneLine(title)).moveDown(0.6);
  for (const [label, value] of facts) writeStatement(pdf, { kind: 'statement', level: 0, label, text: value });
  pdf.moveDown(0.8);
  for (const line of lines) {
    if (pages >= MAX_PAGES) break;
    if (line.kind === 'section') writeSection(pdf, line);
    else writeStatement(pdf, line);
  }
  pdf.end();
  await end;
  return Buffer.concat(chunks);
}

const indentOf = (level: number): number => MARGIN + Math.min(MAX_INDENT, level * INDENT);

function writeSection(pdf: PDFKit.PDFDocument, { level, label }: ReportLine): void {
  pdf
    .moveDown(0.5)
    .font('bold')
    .fontSize(level === 0 ? 12 : 10.5)
    .text(oneLine(label), indentOf(level))
    .moveDown(0.2);
}

function writeStatement(pdf: PDFKit.PDFDocument, { level, label, text }: ReportLine): void {
  pdf.fontSize(10);
  if (label !== '')
    pdf
      .font('bold')
      .text(`${oneLine(label)}: `, indentOf(level), undefined, { continued: true })
      .font('regular')
      .text(printable(text), { lineGap: 2 });
  else pdf.font('regular').text(printable(text), indentOf(level), undefined, { lineGap: 2 });
}

/** Without control characters but line ends. */
// oxlint-disable-next-line no-control-regex
const printable = (text: string): string => text.replace(/\r\n?/g, '\n').replace(/[\0-\x09\x0b-\x1f\x7f]/g, ' ');
const oneLine = (text: string): string => printable(text).replace(/\s+/g, ' ');
