import { safeName } from '../export/file-name.ts';
import { localDay } from '../local-day.ts';
import type { Device } from '../source/source.ts';
import type { PhoneLabels } from '../labels.ts';
import type { PdfContent } from './make-pdf.ts';

export type PdfLabels = Pick<PhoneLabels, 't' | 'time' | 'day' | 'exact' | 'formats'>;
export type PdfDevice = Pick<Device, 'name' | 'backedUpAt'>;

/** The content of a PDF with its file name, date and origin: it can be saved, or sent to the vault as a document. */
export interface PdfExport {
  content: PdfContent;
  filename: string;
  /** Civil date. */
  date: string | null;
  origin: string;
}

/** Both ends of a period, or one text where they are equal. */
export const spanText = (first: string, last: string): string => (first === last ? first : `${first} – ${last}`);

const fromOf = (device: PdfDevice, { t, day }: Pick<PdfLabels, 't' | 'day'>): string =>
  t('origin_device', { name: device.name ?? t('unnamed'), date: day(device.backedUpAt) || t('date_unknown') });

/**
 * Adds the title page data and the origin (phone and backup) to the blocks of a PDF.
 * `at` is the time of the item in UTC, `day` its civil day if it has one of its own; `what` names it: `Note “Befunde”`.
 */
export function createPdfExport(
  {
    title,
    lines,
    at,
    day = null,
    what,
    blocks,
  }: {
    title: string;
    lines: readonly string[];
    at: string | null;
    day?: string | null;
    what: string;
    blocks: PdfContent['blocks'];
  },
  device: PdfDevice,
  labels: PdfLabels,
): PdfExport {
  const { t, formats } = labels,
    from = fromOf(device, labels);
  return {
    content: {
      head: {
        title,
        lines: [...lines.filter((line) => line !== ''), from],
        language: formats.locale,
        at,
        labels: {
          pageOf: t('pdf_export.page_of'),
          page: t('pdf_export.page'),
          missing: t('pdf_export.missing'),
          noPicture: t('pdf_export.no_picture'),
        },
      },
      blocks,
    },
    filename: `${safeName(title)}.pdf`,
    date: day ?? (at === null ? null : localDay(at)),
    origin: [what, from].filter(Boolean).join(' · ').slice(0, 500),
  };
}
