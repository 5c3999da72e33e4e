import type { NoteAttachment, NoteRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import type { Block } from '../worker/pdf-export/blocks.ts';
import { createPdfExport, type PdfDevice, type PdfLabels, type PdfExport } from './pdf-head.ts';

/** U+FFFC marks an attachment in the text. */
const ATTACHMENT_MARK = '\uFFFC';
const IMAGE_NAME = /\.(jpe?g|png|gif|heic|heif|webp|avif|bmp|tiff?)$/i;

/** A note as a PDF: text, tables, drawings, scans and images in their order. Locked notes can't be exported. */
export function notePdf(note: NoteRow, device: PdfDevice, labels: PdfLabels): PdfExport {
  const { t, day } = labels,
    title = note.title || t('untitled');
  const parts = textWithCheckBoxes(note).split(ATTACHMENT_MARK),
    inTextCount = parts.length - 1;
  // A note's first line is its title, which the PDF already shows above.
  if (parts[0]?.split('\n')[0]?.trim() === title.trim())
    parts[0] = parts[0].slice(parts[0].split('\n')[0]?.length).replace(/^\n/, '');
  const blocks = [
    ...parts.flatMap((text, index): Block[] => {
      const file = index < inTextCount ? note.attachments[index] : undefined;
      return [
        ...(text.trim() === '' ? [] : [{ kind: 'text' as const, text: text.replace(/^\n+|\n+$/g, '') }]),
        ...(file ? blocksOf(file, labels) : []),
      ];
    }),
    ...note.attachments.slice(inTextCount).flatMap((file) => blocksOf(file, labels)),
  ];
  const created = note.created_at === null ? '' : day(note.created_at),
    modified = note.last_modified_at === null ? '' : t('pdf_export.changed', { date: day(note.last_modified_at) });
  return createPdfExport(
    {
      title,
      lines: [[note.account, note.folder].filter(Boolean).join(' · '), [created, modified].filter(Boolean).join(' · ')],
      at: note.created_at ?? note.last_modified_at,
      what: t('origin_note', { title }),
      blocks,
    },
    device,
    labels,
  );
}

/** The text with a check box before each line of a checklist. */
function textWithCheckBoxes({ body, checklist }: NoteRow): string {
  const boxes = new Map(checklist.map(({ line, is_done: isDone }) => [line, isDone ? '☑' : '☐']));
  return (body ?? '')
    .split('\n')
    .map((text, line) => (boxes.has(line) ? `${boxes.get(line)} ${text}` : text))
    .join('\n');
}

function blocksOf(file: NoteAttachment, { t }: PdfLabels): Block[] {
  if (file.rows) return [{ kind: 'table', rows: file.rows }];
  if (file.url !== null) return [{ kind: 'text', text: [file.title, file.url].filter(Boolean).join(': ') }];
  const name = file.title || file.relative_path?.split('/').at(-1) || t(`note_kind.${file.kind}`);
  if (file.file_id === null) return [{ kind: 'text', text: t('not_in_backup', { name }) }];
  if (IMAGE_NAME.test(file.relative_path ?? '') || file.kind === 'image' || file.kind === 'drawing')
    return [{ kind: 'picture', side: 'wide', fileId: file.file_id, name }];
  return [{ kind: 'text', text: `${t(`note_kind.${file.kind}`)}: ${name}` }];
}
