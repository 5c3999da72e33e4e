import { PDFDocument, rgb, StandardFonts } from '@cantoo/pdf-lib';
import sharp from 'sharp';

export interface Line {
  text: string;
  x?: number;
  size?: number;
  /** White on white. */
  isHidden?: boolean;
}

/** A born-digital letter: each line at its height, from the top. Columns are several lines with the same `y`. */
export async function letter(pages: readonly (readonly (Line & { y: number })[])[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  // The same letter has the same bytes at any time.
  document.setCreationDate(new Date(0));
  document.setModificationDate(new Date(0));
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const lines of pages) {
    const page = document.addPage([595, 842]);
    for (const { text, x = 60, y, size = 11, isHidden = false } of lines)
      page.drawText(text, { x, y: 842 - y, size, font, ...(isHidden && { color: rgb(1, 1, 1) }) });
  }
  return document.save();
}

/** A laboratory report for one patient, different for each `seed`. */
export function labReport({
  patient = 'Elena Keller',
  born = '09.05.1979',
  seed = 1,
  collected = '12.11.2025',
} = {}): Promise<Uint8Array> {
  const row = (y: number, test: string, value: string, unit: string, range: string) => [
    { text: test, y },
    { text: value, x: 260, y },
    { text: unit, x: 340, y },
    { text: range, x: 430, y },
  ];
  return letter([
    [
      { text: 'Synlabor Mittelland AG', y: 60, size: 14 },
      { text: 'Hauptstrasse 12, 5000 Aarau', y: 78, size: 9 },
      { text: 'Laborbefund', y: 120, size: 18 },
      { text: `Patient: ${patient}`, y: 160 },
      { text: `Geburtsdatum: ${born}`, y: 176 },
      { text: `Probenentnahme: ${collected}`, y: 192 },
      { text: 'Zuweiser: Dr. med. Regula Aebischer', y: 208 },
      { text: 'Test', y: 250 },
      { text: 'Resultat', x: 260, y: 250 },
      { text: 'Einheit', x: 340, y: 250 },
      { text: 'Referenzbereich', x: 430, y: 250 },
      ...row(272, 'Hämoglobin', `13.${seed % 10}`, 'g/dL', '12.0 - 16.0'),
      ...row(292, 'Ferritin', `${20 + (seed % 9)}`, 'µg/L', '30 - 300'),
      ...row(312, 'Natrium', `${136 + (seed % 8)}`, 'mmol/L', '136 - 145'),
      ...row(332, 'CRP', `${seed}.5`, 'mg/L', '< 5.0'),
    ],
  ]);
}

/** The first page of a letter as a scanner gives it: a picture without text. */
export async function scanned(lines: readonly string[]): Promise<Buffer> {
  const text = lines
    .map(
      (line, i) =>
        `<text x="160" y="${220 + i * 70}" font-family="DejaVu Sans, Liberation Sans, sans-serif" ` +
        `font-size="40">${line}</text>`,
    )
    .join('');
  return sharp(
    Buffer.from(
      '<svg width="1654" height="2339" xmlns="http://www.w3.org/2000/svg"><rect width="100%" ' +
        `height="100%" fill="#fff"/>${text}</svg>`,
    ),
  )
    .grayscale()
    .png()
    .toBuffer();
}

const photographedLine = (y: number): string =>
  `<text x="20" y="${y}" font-size="12">Laborbefund Ferritin 23 Norm 30</text>`;

/** A photographed page as the Photos library stores it. */
export const photographedPage = (): Promise<Buffer> =>
  sharp(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="400"><rect width="300" ' +
        `height="400" fill="#f4f4f2"/>${Array.from({ length: 20 }, (_, i) => photographedLine(30 + i * 18)).join('')}</svg>`,
    ),
  )
    .jpeg()
    .toBuffer();
