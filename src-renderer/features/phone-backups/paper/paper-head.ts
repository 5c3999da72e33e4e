import type { Device } from '../source/source.ts';
import type { PhoneWords } from '../words.ts';
import type { Paper } from './make-pdf.ts';

/** The head of a paper from a phone: what it is, what else is known of it, and which backup of which phone it is from. */
export function paperHead(title: string, lines: readonly string[], at: string | null, device: Pick<Device, 'name' | 'backedUpAt'>, { t, day, formats }: Pick<PhoneWords, 't' | 'day' | 'formats'>): Paper['head'] {
  const from = t('origin_device', { name: device.name ?? t('unnamed'), date: day(device.backedUpAt) || t('date_unknown') });
  return {
    title, lines: [...lines.filter((line) => line !== ''), from], language: formats.locale, at,
    words: { pageOf: t('paper.page_of'), page: t('paper.page'), missing: t('paper.missing'), noPicture: t('paper.no_picture') },
  };
}
