import type { ClinicalRecord } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import type { Block } from '../worker/pdf-export/blocks.ts';
import { createPdfExport, type PdfDevice, type PdfLabels, type PdfExport } from './pdf-head.ts';

/** A clinical record as a PDF: its labeled facts first, then the FHIR resource as received. */
export function recordPdf(
  record: ClinicalRecord,
  {
    title,
    kind,
    sender,
    facts,
  }: { title: string; kind: string; sender: string | null; facts: readonly (readonly [name: string, value: string])[] },
  device: PdfDevice,
  labels: PdfLabels,
): PdfExport {
  const { t } = labels;
  const blocks: Block[] = [
    ...(facts.length > 0 ? [{ kind: 'facts' as const, rows: facts }] : []),
    ...(record.fhir === null
      ? []
      : [
          { kind: 'heading' as const, text: t('as_it_came') },
          { kind: 'text' as const, text: toShortJson(record.fhir) },
        ]),
  ];
  const received = record.recorded_at === null ? '' : t('received_on', { date: labels.day(record.recorded_at) });
  return createPdfExport(
    {
      title,
      lines: [
        [kind, sender, received, record.fhir_version && t('fhir_version', { version: record.fhir_version })]
          .filter(Boolean)
          .join(' · '),
      ],
      at: record.recorded_at,
      what: [t('view.records'), kind, sender].filter(Boolean).join(' · '),
      blocks,
    },
    device,
    labels,
  );
}

/** A longer value, such as an attached file in base64, is cut. */
const MAX_VALUE_LENGTH = 4000;
const CUT_LENGTH = 80;

const toShortJson = (fhir: unknown): string =>
  JSON.stringify(
    fhir,
    (_name, value: unknown) =>
      typeof value === 'string' && value.length > MAX_VALUE_LENGTH
        ? `${value.slice(0, CUT_LENGTH)}… (${value.length})`
        : value,
    2,
  );
