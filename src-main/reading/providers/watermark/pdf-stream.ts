import type { StampedPage } from './requests.ts';

/**
 * Writes a PDF whose pages are JPEG images, page by page: only the positions of its objects stay in memory. Libraries
 * keep the whole file until it is finished. The file has no metadata.
 * @see ISO 32000-1, 7.5 (file structure), 7.7.3 (page tree), 8.9.5 (images), 7.4.8 (DCTDecode)
 */
export interface PdfStream {
  /** The bytes of one more page; those of the first one begin with the head of the file. */
  addPage(page: StampedPage): Uint8Array[];
  /** The rest of the file. */
  finish(): Uint8Array[];
}

const CATALOG = 1,
  PAGE_TREE = 2;

/** Starts a file. */
export function createPdfStream(): PdfStream {
  /** Position of each object; objects are counted from 1. */
  const positions: number[] = [0, 0];
  const pages: number[] = [];
  let length = 0;
  let parts: Uint8Array[] = [];
  const put = (part: string | Uint8Array): void => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part;
    length += bytes.length;
    parts.push(bytes);
  };
  const take = (): Uint8Array[] => {
    const taken = parts;
    parts = [];
    return taken;
  };
  const beginObject = (number: number): void => {
    positions[number - 1] = length;
    put(`${number} 0 obj\n`);
  };
  const putObject = (number: number, content: string): void => {
    beginObject(number);
    put(`${content}\nendobj\n`);
  };
  const putStream = (number: number, fields: string, bytes: Uint8Array): void => {
    beginObject(number);
    put(`<< ${fields} /Length ${bytes.length} >>\nstream\n`);
    put(bytes);
    put('\nendstream\nendobj\n');
  };
  // The second line tells programs that the file is binary (7.5.2).
  put('%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n');
  return {
    addPage({ data, width, height, isGray, points }) {
      const image = positions.length + 1;
      const [content, page] = [image + 1, image + 2];
      const [across, high] = points.map((value) => value.toFixed(2)) as [string, string];
      putStream(
        image,
        `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 ` +
          `/ColorSpace /Device${isGray ? 'Gray' : 'RGB'} /Filter /DCTDecode`,
        data,
      );
      putStream(content, '', Buffer.from(`q ${across} 0 0 ${high} 0 0 cm /I Do Q`, 'latin1'));
      putObject(
        page,
        `<< /Type /Page /Parent ${PAGE_TREE} 0 R /MediaBox [0 0 ${across} ${high}] ` +
          `/Resources << /XObject << /I ${image} 0 R >> >> /Contents ${content} 0 R >>`,
      );
      pages.push(page);
      return take();
    },
    finish() {
      putObject(CATALOG, `<< /Type /Catalog /Pages ${PAGE_TREE} 0 R >>`);
      const kids = pages.map((page) => `${page} 0 R`).join(' ');
      putObject(PAGE_TREE, `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`);
      const start = length;
      const rows = positions.map((position) => `${String(position).padStart(10, '0')} 00000 n \n`);
      put(`xref\n0 ${positions.length + 1}\n0000000000 65535 f \n${rows.join('')}`);
      put(`trailer\n<< /Size ${positions.length + 1} /Root ${CATALOG} 0 R >>\nstartxref\n${start}\n%%EOF\n`);
      return take();
    },
  };
}
