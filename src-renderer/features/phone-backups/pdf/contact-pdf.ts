import type { ContactRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import type { Block } from '../worker/pdf-export/blocks.ts';
import { birthdayText } from '../birthday.ts';
import { contactLabel } from '../contact-label.ts';
import { createPdfExport, type PdfDevice, type PdfLabels, type PdfExport } from './pdf-head.ts';

/** A contact as a PDF. */
export function contactPdf(name: string, contact: ContactRow, device: PdfDevice, labels: PdfLabels): PdfExport {
  const { t } = labels;
  const labelledValues = new Set(contact.labelled.map(({ value }) => value));
  const rows: [string, string | null][] = [
    ...contact.labelled.map(({ kind, label, value }): [string, string] => [contactLabel(t, kind, label), value]),
    ...contact.phones
      .filter((value) => !labelledValues.has(value))
      .map((value): [string, string] => [t('labelled.phone'), value]),
    ...contact.emails
      .filter((value) => !labelledValues.has(value))
      .map((value): [string, string] => [t('labelled.email'), value]),
    [t('birthday'), contact.birthday && birthdayText(contact.birthday, labels.formats.locale)],
    [t('nickname'), contact.nickname],
    [t('note'), contact.note],
  ];
  const blocks: Block[] = [
    { kind: 'facts', rows: rows.flatMap(([label, value]) => (value ? [[label, value] as const] : [])) },
  ];
  return createPdfExport(
    {
      title: name,
      lines: [
        [contact.job_title, contact.department, contact.company].filter((part) => part && part !== name).join(' · '),
      ],
      at: contact.modified_at,
      what: t('pdf_export.origin_contact', { name }),
      blocks,
    },
    device,
    labels,
  );
}
