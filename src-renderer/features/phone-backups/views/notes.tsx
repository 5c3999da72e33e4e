import { ArrowLeft, Lock, Paperclip, Pin } from 'lucide-react';
import { Fragment } from 'react';
import type { NoteAttachment, NoteRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { EmptyState, ErrorState, Notice, SkeletonLines } from '../../../ui/states.tsx';
import type { ViewProps } from './view-props.ts';
import { csvOf } from '../export/csv.ts';
import { saveBlob } from '../export/download.ts';
import { safeName } from '../export/file-name.ts';
import { saveFiles } from '../export/zip.ts';
import { ItemList } from '../item-list.tsx';
import { notePdf } from '../pdf/note-pdf.ts';
import { PreviewButton } from '../preview/preview-dialog.tsx';
import { Thumb } from '../preview/thumb.tsx';
import { allRows, useRowsOf } from '../queries.ts';
import { outgoingOf, type Outgoing } from '../send/outgoing.ts';
import type { Task } from '../task.ts';
import { Toolbar } from '../toolbar.tsx';
import { useActiveRow } from '../use-active-row.ts';
import { useSearchState } from '../use-search-state.ts';

const DOMAIN = 'AppDomainGroup-group.com.apple.notes';
/** U+FFFC marks an attachment in the text. */
const OBJECT = '\uFFFC';

/** Notes, last changed first, with their pictures, tables and scans. */
export default function NotesView({ source, labels }: ViewProps) {
  const { t } = labels;
  const { search, set } = useSearchState();
  const request = { query: { q: search.filter } };
  const rows = useRowsOf(source, 'notes', request);
  const { total } = rows;
  const {
    index: active,
    row: note,
    choose,
  } = useActiveRow(source, 'notes', request, rows, (row) => row.note_identifier);
  const requestedId = search.item;
  const filesOf = (one: NoteRow): Outgoing[] =>
    one.attachments.flatMap((file) =>
      file.file_id === null
        ? []
        : [
            outgoingOf(
              {
                fileId: file.file_id,
                path: file.relative_path ?? '',
                domain: DOMAIN,
                at: one.created_at ?? one.last_modified_at,
                what: t('origin_note', { title: one.title ?? t('untitled') }),
                filename: file.title && /\.\w{2,4}$/.test(file.title) ? file.title : null,
              },
              source.device,
              labels,
            ),
          ],
    );
  const exports = [
    {
      name: t('as_csv'),
      run: async () =>
        saveBlob(
          new Blob(
            [
              csvOf(
                ['title', 'folder', 'created_at', 'modified_at', 'text'],
                (await allRows(source, 'notes', request)).map((row) => [
                  row.title,
                  row.folder,
                  row.created_at,
                  row.last_modified_at,
                  row.body,
                ]),
              ),
            ],
            { type: 'text/csv' },
          ),
          'notes.csv',
        ),
    },
  ];
  return (
    <div className="phone-panes" data-open={requestedId !== undefined || undefined}>
      <div className="phone-pane-list">
        <Toolbar
          title={t('view.notes')}
          count={total}
          source={source}
          labels={labels}
          exports={total ? exports : []}
          filter={{
            value: search.filter ?? '',
            label: t('filter_notes'),
            onChange: (text) => set({ filter: text || undefined, item: undefined }),
          }}
        />
        {rows.error !== null && (
          <ErrorState message={labels.error(rows.error)} retryLabel={t('retry')} onRetry={rows.retry} />
        )}
        {total === undefined && rows.error === null && <SkeletonLines count={10} label={t('loading')} />}
        {total === 0 && (
          <EmptyState title={search.filter ? t('no_match') : t('none_of', { what: t('view.notes') })}>
            {search.filter ? undefined : t('none_text')}
          </EmptyState>
        )}
        {total !== undefined && total > 0 && (
          <ItemList
            label={t('view.notes')}
            count={total}
            rowHeight={58}
            active={active}
            onShow={rows.show}
            onActive={choose}
          >
            {(index) => {
              const row = rows.at(index);
              return (
                row && (
                  <div className="phone-talk" data-chosen={row.note_identifier === note?.note_identifier || undefined}>
                    <span className="row">
                      <strong className="truncate">{row.title || t('untitled')}</strong>
                      {row.is_pinned && <Icon glyph={Pin} size={12} />}
                      {row.is_locked && <Icon glyph={Lock} size={12} />}
                      {row.attachments.length > 0 && <Icon glyph={Paperclip} size={12} />}
                      <span className="cap num push" title={labels.exact(row.last_modified_at)}>
                        {labels.day(row.last_modified_at)}
                      </span>
                    </span>
                    <span className="cap truncate">
                      {row.is_locked
                        ? t('locked_note')
                        : [
                            row.folder,
                            row.body
                              ?.replaceAll(OBJECT, ' ')
                              .replace(row.title ?? '', '')
                              .trim()
                              .slice(0, 80),
                          ]
                            .filter(Boolean)
                            .join(' · ')}
                    </span>
                  </div>
                )
              );
            }}
          </ItemList>
        )}
      </div>
      <div className="phone-pane-main">
        <Button
          className="phone-back"
          variant="quiet"
          size="small"
          glyph={ArrowLeft}
          onClick={() => set({ item: undefined })}
        >
          {t('back')}
        </Button>
        {note && (
          <>
            <Toolbar
              title={note.title || t('untitled')}
              count={undefined}
              source={source}
              labels={labels}
              pdf={note.is_locked ? null : () => notePdf(note, source.device, labels)}
              sends={filesOf(note).length > 0 ? () => filesOf(note) : null}
              exports={[
                ...(note.body === null
                  ? []
                  : [
                      {
                        name: t('as_text'),
                        run: async () =>
                          saveBlob(
                            new Blob([note.body?.replaceAll(OBJECT, '') ?? ''], { type: 'text/plain' }),
                            `${safeName(note.title ?? 'note')}.txt`,
                          ),
                      },
                    ]),
                ...(filesOf(note).length > 0
                  ? [
                      {
                        name: t('attachments'),
                        run: (task: Task) =>
                          saveFiles(source, filesOf(note), `${safeName(note.title ?? 'note')}.zip`, labels, task),
                      },
                    ]
                  : []),
              ]}
            />
            <article className="phone-note">
              <p className="cap num">
                {[note.account, note.folder, labels.day(note.created_at), note.is_deleted && t('deleted_note')]
                  .filter(Boolean)
                  .join(' · ')}
              </p>
              {note.is_locked ? (
                <Notice tone="warn" glyph={Lock}>
                  {t('locked_note_text')}
                </Notice>
              ) : (
                <Body note={note} source={source} labels={labels} />
              )}
            </article>
          </>
        )}
      </div>
    </div>
  );
}

/** The text with a box before each line that is to be ticked off. */
function ticked({ body, checklist }: NoteRow): string {
  const boxes = new Map(checklist.map(({ line, is_done: isDone }) => [line, isDone ? '☑ ' : '☐ ']));
  return (body ?? '')
    .split('\n')
    .map((line, index) => `${boxes.get(index) ?? ''}${line}`)
    .join('\n');
}

function Body({ note, source, labels }: ViewProps & { note: NoteRow }) {
  const parts = ticked(note).split(OBJECT);
  const placed = parts.length - 1;
  return (
    <>
      {parts.map((text, index) => {
        const file = index < placed ? note.attachments[index] : undefined;
        return (
          <Fragment key={index}>
            {text !== '' && <p className="phone-note-text">{text}</p>}
            {file && <AttachmentOf file={file} note={note} source={source} labels={labels} />}
          </Fragment>
        );
      })}
      {note.attachments.slice(placed).map((file, index) => (
        <AttachmentOf key={index} file={file} note={note} source={source} labels={labels} />
      ))}
    </>
  );
}

function AttachmentOf({ file, note, source, labels }: ViewProps & { file: NoteAttachment; note: NoteRow }) {
  const { t } = labels;
  if (file.rows)
    return (
      <div className="phone-cells" tabIndex={0} role="region" aria-label={file.title ?? t('table')}>
        <table className="table">
          <tbody>
            {file.rows.map((row, index) => (
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
  const isPicture = file.kind === 'image' || file.kind === 'scan' || file.kind === 'drawing';
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
      source={source}
      labels={labels}
      className="phone-attachment"
    >
      {isPicture ? (
        <Thumb source={source} fileId={file.file_id} path={null} alt={name} size={300} />
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
