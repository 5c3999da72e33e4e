import i18next from 'i18next';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { MessageRow } from '../../src-shared/contract/phone-backups/artifacts.ts';
import { messages as en } from '../../src-renderer/locales/en.ts';
import type { Block, Missing, PdfHead } from '../../src-renderer/features/phone-backups/worker/pdf-export/blocks.ts';
import { PdfWriter } from '../../src-renderer/features/phone-backups/worker/pdf-export/pdf-writer.ts';
import type { RawPicture } from '../../src-renderer/features/phone-backups/worker/pdf-export/protocol.ts';

const require = createRequire(import.meta.url);
const font = (path: string): Uint8Array => new Uint8Array(readFileSync(require.resolve(`@expo-google-fonts/${path}`)));
const fonts = {
  regular: font('inter/400Regular/Inter_400Regular.ttf'),
  bold: font('inter/600SemiBold/Inter_600SemiBold.ttf'),
  emoji: font('noto-emoji/400Regular/NotoEmoji_400Regular.ttf'),
  symbols: font('noto-sans-symbols-2/400Regular/NotoSansSymbols2_400Regular.ttf'),
};

const i18n = i18next.createInstance();
await i18n.init({
  lng: 'en',
  resources: { en },
  defaultNS: 'phone_backups',
  interpolation: { escapeValue: false },
});
const date = (civil: string | null): string =>
  civil === null
    ? ''
    : new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
        new Date(`${civil}T00:00:00Z`),
      );
/** The English labels of the PDFs, with times in UTC. */
export const pdfLabels = {
  t: i18n.t,
  day: (at: string | null) => date(at && at.slice(0, 10)),
  time: (at: string | null) => (at === null ? '' : at.slice(11, 16)),
  exact: (at: string | null) => at ?? undefined,
  formats: {
    locale: 'en-GB',
    date,
    dateLong: (civil: string) => date(civil),
    dateFull: date,
    count: (value: number) => value.toLocaleString('en-GB'),
    bytes: (value: number) => `${value} B`,
    number: String,
  },
} as never;

/** Writes a PDF with the same code as the browser; images must be JPEG already. */
export async function writePdf(
  head: Omit<PdfHead, 'isLong'>,
  blocks: readonly Block[],
  { isLong = false, pictures = new Map<string, RawPicture>() } = {},
): Promise<{ bytes: Buffer; missing: Missing }> {
  const chunks: Uint8Array[] = [];
  let onEnd = (): void => {};
  const ended = new Promise<void>((resolve) => {
    onEnd = resolve;
  });
  const writer = new PdfWriter({ ...head, isLong }, fonts, async ({ bytes }) => (bytes[0] === 0xff ? bytes : null), {
    onBytes: (bytes) => chunks.push(bytes),
    onEnd: () => onEnd(),
  });
  for (const block of blocks) await writer.add(block, pictures);
  const missing = writer.end();
  await ended;
  return { bytes: Buffer.concat(chunks), missing };
}

/** An ordinary message with some fields replaced. */
export const messageOf = (guid: string, more: Partial<MessageRow>): MessageRow => ({
  message_guid: guid,
  sender: '+41791234567',
  sender_name: 'Peter Frisch',
  is_from_me: false,
  sent_at: '2023-03-01T08:00:00',
  text: null,
  kind: 'message',
  has_attachments: false,
  attachments: [],
  service: 'iMessage',
  subject: null,
  read_at: null,
  delivered_at: null,
  reply_to_guid: null,
  reactions: [],
  edits: [],
  is_unsent: false,
  event: null,
  ...more,
});
