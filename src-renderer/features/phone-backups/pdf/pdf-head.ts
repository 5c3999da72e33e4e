import { safeName } from '../export/file-name.ts';
import { localDay } from '../local-day.ts';
import type { Device } from '../source/source.ts';
import type { PhoneWords } from '../labels.ts';
import type { Paper } from './make-pdf.ts';

export type PaperWords = Pick<PhoneWords, 't' | 'time' | 'day' | 'exact' | 'formats'>;
export type PaperDevice = Pick<Device, 'name' | 'backedUpAt'>;

/** A paper with the name of its file, its own date, and where it is from: it can be saved, and it can become a document. */
export interface WrittenPaper {
  paper: Paper;
  filename: string;
  /** Civil date. */ date: string | null;
  origin: string;
}

/** Both ends of a period, or one text where they are equal. */
export const spanText = (first: string, last: string): string => (first === last ? first : `${first} – ${last}`);

const fromOf = (device: PaperDevice, { t, day }: Pick<PaperWords, 't' | 'day'>): string =>
  t('origin_device', { name: device.name ?? t('unnamed'), date: day(device.backedUpAt) || t('date_unknown') });

/** A paper from a phone: its title, what else is known of it, which backup of which phone it is from; `at`: its own time, UTC; `day`: its civil day, where it knows one itself. `what`: `Note “Befunde”`. */
export function writtenPaper(
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
    blocks: Paper['blocks'];
  },
  device: PaperDevice,
  words: PaperWords,
): WrittenPaper {
  const { t, formats } = words,
    from = fromOf(device, words);
  return {
    paper: {
      head: {
        title,
        lines: [...lines.filter((line) => line !== ''), from],
        language: formats.locale,
        at,
        words: {
          pageOf: t('paper.page_of'),
          page: t('paper.page'),
          missing: t('paper.missing'),
          noPicture: t('paper.no_picture'),
        },
      },
      blocks,
    },
    filename: `${safeName(title)}.pdf`,
    date: day ?? (at === null ? null : localDay(at)),
    origin: [what, from].filter(Boolean).join(' · ').slice(0, 500),
  };
}
