import { Lock, Paperclip } from 'lucide-react';
import { Fragment } from 'react';
import type { NoteAttachment, NoteRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Notice } from '../../../ui/states.tsx';
import { saveBlob } from '../export/download.ts';
import { safeName } from '../export/file-name.ts';
import { saveFiles } from '../export/zip.ts';
import type { PhoneLabels } from '../labels.ts';
import { notePdf } from '../pdf/note-pdf.ts';
import { PreviewButton } from '../preview/preview-dialog.tsx';
import { Thumb } from '../preview/thumb.tsx';
import { outgoingOf, type Outgoing } from '../send/outgoing.ts';
import type { BackupSource } from '../source/source.ts';
import { Toolbar, type ExportWay } from '../toolbar.tsx';
import type { ViewProps } from './view-props.ts';
import '../preview/preview.css';
import './attachment.css';
import './open-item.css';

const DOMAIN = 'AppDomainGroup-group.com.apple.notes';
/** U+FFFC marks an attachment in the text. */
export const ATTACHMENT_MARK = '\uFFFC';

type NoteProps = ViewProps & { note: NoteRow };

/** The attachments of a note that are in the backup. */
function attachmentsOf(note: NoteRow, source: BackupSource, labels: PhoneLabels): Outgoing[] {
  const { t } = labels;
  return note.attachments.flatMap((file) => {
    if (file.file_id === null) return [];
    const origin = {
      fileId: file.file_id,
      path: file.relative_path ?? '',
      domain: DOMAIN,
      at: note.created_at ?? note.last_modified_at,
      what: t('origin_note', { title: note.title ?? t('untitled') }),
      filename: file.title && /\.\w{2,4}$/.test(file.title) ? file.title : null,
    };
    return [outgoingOf(origin, source.device, labels)];
  });
}

function noteExports({ note, source, labels }: NoteProps, attachments: readonly Outgoing[]): ExportWay[] {
  const { t } = labels;
  const name = safeName(note.title ?? 'note');
  const asText: ExportWay = {
    name: t('as_text'),
    run: async () =>
      saveBlob(new Blob([note.body?.replaceAll(ATTACHMENT_MARK, '') ?? ''], { type: 'text/plain' }), `${name}.txt`),
  };
  const asFiles: ExportWay = {
    name: t('attachments'),
    run: (task) => saveFiles(source, attachments, `${name}.zip`, labels, task),
  };
  return [...(note.body === null ? [] : [asText]), ...(attachments.length > 0 ? [asFiles] : [])];
}

/** One note with its attachments in the text. */
export function NotePage({ note, source, labels }: NoteProps) {
  const { t } = labels;
  const attachments = attachmentsOf(note, source, labels);
  return (
    <>
      <Toolbar
        title={note.title || t('untitled')}
        count={undefined}
        source={source}
        labels={labels}
        pdf={note.is_locked ? null : () => notePdf(note, source.device, labels)}
        sends={attachments.length > 0 ? () => attachments : null}
        exports={noteExports({ note, source, labels }, attachments)}
      />
      <article className="phone-note">
        <p className="cap num">
          {[note.account, note.folder, labels.day(note.created_at), note.is_deleted && t('recently_deleted')]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {note.is_locked ? (
          <Notice tone="warn" glyph={Lock}>
            {t('locked_note_text')}
          </Notice>
        ) : (
          <NoteBody note={note} labels={labels} />
        )}
      </article>
    </>
  );
}

/** The text with a check box before each line of a checklist. */
function textWithCheckBoxes({ body, checklist }: NoteRow): string {
  const boxes = new Map(checklist.map(({ line, is_done: isDone }) => [line, isDone ? '☑ ' : '☐ ']));
  return (body ?? '')
    .split('\n')
    .map((line, index) => `${boxes.get(index) ?? ''}${line}`)
    .join('\n');
}

function NoteBody({ note, labels }: Omit<NoteProps, 'source'>) {
  const parts = textWithCheckBoxes(note).split(ATTACHMENT_MARK);
  const inTextCount = parts.length - 1;
  return (
    <>
      {parts.map((text, index) => {
        const file = index < inTextCount ? note.attachments[index] : undefined;
        return (
          <Fragment key={index}>
            {text !== '' && <p className="phone-note-text">{text}</p>}
            {file && <AttachmentView file={file} note={note} labels={labels} />}
          </Fragment>
        );
      })}
      {note.attachments.slice(inTextCount).map((file, index) => (
        <AttachmentView key={index} file={file} note={note} labels={labels} />
      ))}
    </>
  );
}

function AttachmentView({ file, note, labels }: Omit<NoteProps, 'source'> & { file: NoteAttachment }) {
  const { t } = labels;
  if (file.rows) return <AttachedTable rows={file.rows} label={file.title ?? t('table')} />;
  if (file.url !== null)
    return (
      <p className="cap">
        <span className="mono">{file.url}</span>
      </p>
    );
  const name = file.title || file.relative_path?.split('/').at(-1) || t(`note_kind.${file.kind}`);
  if (file.file_id === null)
    return (
      <p className="cap phone-attachment">
        <Icon glyph={Paperclip} size={14} />
        {t('not_in_backup', { name })}
      </p>
    );
  const isImage = file.kind === 'image' || file.kind === 'scan' || file.kind === 'drawing';
  return (
    <PreviewButton
      target={{
        fileId: file.file_id,
        name,
        path: file.relative_path ?? '',
        domain: DOMAIN,
        at: note.created_at,
        what: t('origin_note', { title: note.title ?? t('untitled') }),
      }}
      className="phone-attachment"
    >
      {isImage ? (
        <Thumb fileId={file.file_id} path={null} alt={name} size={300} />
      ) : (
        <>
          <Icon glyph={Paperclip} size={14} />
          <span className="truncate">{name}</span>
        </>
      )}
      <span className="cap">{t(`note_kind.${file.kind}`)}</span>
    </PreviewButton>
  );
}

function AttachedTable({ rows, label }: { rows: NonNullable<NoteAttachment['rows']>; label: string }) {
  return (
    <div className="phone-cells" tabIndex={0} role="region" aria-label={label}>
      <table className="table">
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
