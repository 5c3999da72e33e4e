import type { MessageRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { localDay } from '../local-day.ts';
import type { PhoneLabels } from '../labels.ts';

const escapeHtml = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
const STYLE = [
  'body{font:14px/1.5 system-ui,sans-serif;max-width:720px;margin:2em auto;padding:0 1em;color:#1d2733}',
  'h1{font-size:20px}',
  'h2{font-size:12px;font-weight:600;color:#5a6673;margin:2em 0 .5em;text-align:center}',
  'article{margin:.4em 0;max-width:78%;padding:.4em .8em;border:1px solid #d8dee4;border-radius:10px}',
  'article{break-inside:avoid}',
  'article.me{margin-left:auto;background:#eaf3f5}',
  'article p{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}',
  'small{color:#5a6673}',
  'strong{font-size:12px}',
  '.event{text-align:center;border:0;max-width:none}',
  '@media print{body{margin:0;max-width:none}}',
].join('\n');

/** Renders a conversation as one self-contained page without scripts; every text is escaped. */
export function conversationHtml(
  title: string,
  messages: readonly MessageRow[],
  labels: Pick<PhoneLabels, 't' | 'time' | 'formats'>,
): string {
  let day = '';
  const lines = messages.map((message) => {
    const messageDay = message.sent_at === null ? '' : localDay(message.sent_at);
    const opensDay = messageDay !== day && messageDay !== '';
    day = messageDay || day;
    const heading = opensDay ? `<h2>${escapeHtml(labels.formats.dateLong(messageDay))}</h2>` : '';
    return heading + articleOf(message, labels);
  });
  const head = [
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${escapeHtml(title)}</title>`,
    `<style>${STYLE}</style>`,
  ].join('');
  const body = `<h1>${escapeHtml(title)}</h1>\n${lines.join('\n')}\n`;
  const language = escapeHtml(labels.formats.locale);
  return `<!doctype html>\n<html lang="${language}"><head>${head}</head><body>${body}</body></html>\n`;
}

function articleOf(message: MessageRow, { t, time }: Pick<PhoneLabels, 't' | 'time'>): string {
  const who = message.is_from_me ? t('me') : (message.sender_name ?? message.sender ?? '');
  const files = message.attachments
    .map(
      ({ filename, relative_path: path }) =>
        `<p><small>📎 ${escapeHtml(filename ?? path ?? t('attachment'))}</small></p>`,
    )
    .join('');
  const paragraph = message.text === null ? '' : `<p>${escapeHtml(message.text.replace(/\uFFFC/g, ''))}</p>`;
  const text = message.is_unsent ? `<p><em>${escapeHtml(t('unsent'))}</em></p>` : paragraph;
  const reactions = message.reactions
    .map(
      (reaction) =>
        `${reaction.emoji ?? t(`reaction.${reaction.kind}`)} ` +
        (reaction.is_from_me ? t('me') : (reaction.sender_name ?? reaction.sender ?? '')),
    )
    .join(', ');
  const side = message.is_from_me ? 'me' : 'them';
  const sentAt = `<time datetime="${escapeHtml(message.sent_at ?? '')}Z">${escapeHtml(time(message.sent_at))}</time>`;
  return [
    `<article class="${message.kind === 'event' ? 'event' : side}">`,
    `<strong>${escapeHtml(who)}</strong> <small>${sentAt}</small>`,
    files,
    text,
    reactions ? `<small>${escapeHtml(reactions)}</small>` : '',
    '</article>',
  ].join('');
}

/** Opens the print dialog for a page, which can also save it as PDF. */
export async function printHtml(html: string): Promise<void> {
  const frame = document.createElement('iframe');
  frame.className = 'phone-print';
  frame.title = '';
  frame.srcdoc = html;
  const loaded = new Promise((resolve) => {
    frame.addEventListener('load', resolve, { once: true });
  });
  document.body.append(frame);
  await loaded;
  frame.contentWindow?.addEventListener('afterprint', () => frame.remove(), { once: true });
  frame.contentWindow?.print();
}
