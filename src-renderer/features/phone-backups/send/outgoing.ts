import type { PdfExport } from '../pdf/pdf-head.ts';
import { localDay } from '../local-day.ts';
import type { PhoneLabels } from '../labels.ts';

/** A file of a phone that becomes a document or part of an archive. */
export interface Outgoing {
  fileId: string;
  filename: string;
  /** Civil date. */
  date: string | null;
  origin: string;
  domain: string;
  relativePath: string;
  /** When it was made or changed, in UTC. */
  at: string | null;
  /** Bytes, if a list has the size. */
  size: number | null;
}

/** Anything that can become a document: a file of the phone, or text as a PDF. */
export type Sendable = Outgoing | PdfExport;

/** Where an item was on the phone, as the document records it. */
export interface Origin {
  fileId: string;
  path: string;
  domain: string;
  at: string | null;
  /** Minutes east of UTC where it was made, if the phone recorded that. */
  offset?: number | null;
  what: string;
  filename?: string | null;
  size?: number | null;
}

/**
 * Describes the origin for the vault: `Message of Dr. Frisch · Elena's iPhone, backup of 12 Nov 2026 ·
 * MediaDomain/Library/SMS/…`.
 */
export function outgoingOf(
  { fileId, path, domain, at, offset = null, what, filename, size = null }: Origin,
  device: { name: string | null; backedUpAt: string | null },
  { t, day }: Pick<PhoneLabels, 't' | 'day'>,
): Outgoing {
  const from = t('origin_device', {
    name: device.name ?? t('unnamed'),
    date: day(device.backedUpAt) || t('date_unknown'),
  });
  const place = [domain, path].filter(Boolean).join('/');
  return {
    fileId,
    filename: filename || path.split('/').at(-1) || fileId,
    date: at === null ? null : localDay(at, offset),
    origin: [what, from, place].filter(Boolean).join(' · ').slice(0, 500),
    domain,
    relativePath: path,
    at,
    size,
  };
}
