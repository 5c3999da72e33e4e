import type { MessageRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { conversationHtml, printHtml } from '../export/conversation-html.ts';
import { saveBlob } from '../export/download.ts';
import { safeName } from '../export/file-name.ts';
import { saveCsv } from '../export/save-csv.ts';
import type { OtherWays } from '../export/save-pdf.ts';
import { saveFiles } from '../export/zip.ts';
import type { PhoneLabels } from '../labels.ts';
import { ATTACHMENT_DOMAINS, type ConversationKind } from '../message-text.ts';
import { outgoingOf, type Outgoing } from '../send/outgoing.ts';
import type { BackupSource } from '../source/source.ts';
import type { ExportWay } from '../toolbar.tsx';

interface ThreadContext {
  kind: ConversationKind;
  title: string;
  source: BackupSource;
  labels: PhoneLabels;
}

/** Lists the attachments of messages that are in the backup. */
export function attachmentsOf(
  messages: readonly MessageRow[],
  { kind, title, source, labels }: ThreadContext,
): Outgoing[] {
  const { t } = labels;
  const originOf = (message: MessageRow): string =>
    t(message.is_from_me ? 'origin_to' : 'origin_from', {
      name: message.is_from_me ? title : (message.sender_name ?? message.sender ?? title),
      kind: t(`view.${kind}`),
    });
  return messages.flatMap((message) =>
    message.attachments.flatMap((file) => {
      if (file.file_id === null) return [];
      const attachment = {
        fileId: file.file_id,
        path: file.relative_path ?? '',
        domain: ATTACHMENT_DOMAINS[kind],
        at: message.sent_at,
        size: file.size_bytes,
        filename: file.filename,
        what: originOf(message),
      };
      return [outgoingOf(attachment, source.device, labels)];
    }),
  );
}

/** Ways to save a conversation that can show text for which the PDF has no font. */
export function htmlWaysOf(
  loadMessages: () => Promise<readonly MessageRow[]>,
  { title, labels }: ThreadContext,
): OtherWays {
  const renderHtml = async (): Promise<string> => conversationHtml(title, await loadMessages(), labels);
  return {
    html: async () => saveBlob(new Blob([await renderHtml()], { type: 'text/html' }), `${safeName(title)}.html`),
    print: async () => printHtml(await renderHtml()),
  };
}

/** All ways to export a conversation, except as PDF. */
export function threadExports(
  loadMessages: () => Promise<readonly MessageRow[]>,
  ways: OtherWays,
  context: ThreadContext,
): ExportWay[] {
  const { title, source, labels } = context;
  const { t } = labels;
  return [
    { name: t('as_html'), run: ways.html },
    { name: t('as_print'), run: ways.print },
    { name: t('as_csv'), run: async () => saveMessagesCsv(`${safeName(title)}.csv`, await loadMessages(), t('me')) },
    {
      name: t('attachments'),
      run: async (task) =>
        saveFiles(source, attachmentsOf(await loadMessages(), context), `${safeName(title)}.zip`, labels, task),
    },
  ];
}

function saveMessagesCsv(name: string, messages: readonly MessageRow[], me: string): void {
  saveCsv(
    name,
    ['sent_at', 'from', 'text', 'attachments', 'guid'],
    messages.map((message) => [
      message.sent_at,
      message.is_from_me ? me : (message.sender_name ?? message.sender),
      message.text,
      message.attachments.map(({ filename, relative_path: path }) => filename ?? path).join('; '),
      message.message_guid,
    ]),
  );
}
