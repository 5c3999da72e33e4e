import type { Attachment, MessageRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import type { Block } from '../worker/pdf-export/blocks.ts';
import { localDay } from '../local-day.ts';
import type { PhoneLabels } from '../labels.ts';
import { eventText, reactionSign } from '../message-text.ts';
import { spanText, createPdfExport, type PdfDevice, type PdfLabels, type PdfExport } from './pdf-head.ts';

/** Characters of the message that a reply quotes. */
const MAX_QUOTE_LENGTH = 90;
/** U+FFFC marks an attachment in the text. */
const ATTACHMENT_MARK = /\uFFFC/g;

/** A conversation, or some of its messages, as a PDF with times, attachments, replies and reactions. */
export function conversationPdf(
  { title, people, kind }: { title: string; people: readonly string[]; kind: string },
  messages: readonly MessageRow[],
  device: PdfDevice,
  labels: PdfLabels,
): PdfExport {
  const { t, formats } = labels;
  const messagesByGuid = new Map(messages.map((message) => [message.message_guid, message]));
  const times = messages.map(({ sent_at: at }) => at).filter((at) => at !== null);
  const first = times[0],
    last = times.at(-1);
  const span =
    first === undefined || last === undefined
      ? ''
      : spanText(formats.date(localDay(first)), formats.date(localDay(last)));
  let day = '';
  const blocks = messages.flatMap((message): Block[] => {
    const messageDay = message.sent_at === null ? '' : localDay(message.sent_at);
    const opensDay = messageDay !== '' && messageDay !== day;
    day = messageDay || day;
    return [
      ...(opensDay ? [{ kind: 'middle' as const, text: formats.dateLong(messageDay), isDay: true }] : []),
      ...blocksOf(message, messagesByGuid, labels),
    ];
  });
  const count = t('messages_count', { count: messages.length, number: formats.count(messages.length) });
  return createPdfExport(
    {
      title,
      lines: [people.join(', '), [kind, span, count].filter(Boolean).join(' · ')],
      at: last ?? null,
      what: [t('pdf_export.origin_talk', { kind, name: title }), span, count].filter(Boolean).join(', '),
      blocks,
    },
    device,
    labels,
  );
}

const senderOf = (message: Pick<MessageRow, 'is_from_me' | 'sender' | 'sender_name'>, t: PhoneLabels['t']): string =>
  message.is_from_me ? t('me') : (message.sender_name ?? message.sender ?? t('unknown_number'));
const textOf = (message: MessageRow): string => (message.text ?? '').replace(ATTACHMENT_MARK, '').trim();

function blocksOf(
  message: MessageRow,
  messagesByGuid: ReadonlyMap<string, MessageRow>,
  { t, time, formats }: PdfLabels,
): Block[] {
  const who = senderOf(message, t);
  if (message.kind === 'event')
    return [
      {
        kind: 'middle',
        text: [eventText(who, message, t), time(message.sent_at)].filter(Boolean).join(' · '),
        isDay: false,
      },
    ];
  const side = message.is_from_me ? 'right' : 'left';
  const original = message.reply_to_guid === null ? undefined : messagesByGuid.get(message.reply_to_guid);
  const quoteOf = (quoted: MessageRow | undefined): string => {
    if (quoted === undefined) return t('pdf_export.answer');
    const text = textOf(quoted) || quoted.attachments.map((file) => nameOf(file, t)).join(', ');
    return `${senderOf(quoted, t)}: ${shorten(text)}`;
  };
  const quote = message.reply_to_guid === null ? null : quoteOf(original);
  const pictures = message.attachments.filter((file) => file.file_id !== null && isPicture(file));
  const others = message.attachments.filter((file) => !pictures.includes(file));
  const notes = [
    ...others.map((file) =>
      file.file_id === null
        ? t('not_in_backup', { name: nameOf(file, t) })
        : `${t('attachment')}: ${[nameOf(file, t), file.size_bytes !== null && formats.bytes(file.size_bytes)]
            .filter(Boolean)
            .join(', ')}`,
    ),
    ...message.edits.map(({ text, edited_at: at }) =>
      t('pdf_export.edited', {
        text: text ?? '',
        time: at === null ? '' : `${formats.date(localDay(at))} ${time(at)}`,
      }),
    ),
    ...(message.reactions.length > 0
      ? [message.reactions.map((reaction) => `${reactionSign(reaction)} ${senderOf(reaction, t)}`).join(', ')]
      : []),
  ];
  return [
    {
      kind: 'message',
      side,
      head: [who, time(message.sent_at)].filter(Boolean).join(' · '),
      quote,
      subject: message.subject,
      text: message.is_unsent ? t('unsent') : textOf(message),
      notes,
    },
    ...pictures.map((file): Block => ({ kind: 'picture', side, fileId: file.file_id ?? '', name: nameOf(file, t) })),
  ];
}

const nameOf = (file: Attachment, t: PhoneLabels['t']): string =>
  file.filename ?? file.relative_path?.split('/').at(-1) ?? t('attachment');
const isPicture = (file: Attachment): boolean =>
  file.mime_type?.startsWith('image/') ??
  /\.(jpe?g|png|gif|heic|heif|webp|avif|bmp)$/i.test(file.filename ?? file.relative_path ?? '');
const shorten = (text: string): string => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > MAX_QUOTE_LENGTH ? `${line.slice(0, MAX_QUOTE_LENGTH).trimEnd()}…` : line;
};
