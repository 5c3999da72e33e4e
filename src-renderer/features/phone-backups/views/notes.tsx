import { Lock, Paperclip, Pin } from 'lucide-react';
import type { NoteRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { Icon } from '../../../ui/icon.tsx';
import { saveCsv } from '../export/save-csv.ts';
import type { PhoneLabels } from '../labels.ts';
import { allRows, useRowsOf } from '../queries.ts';
import { Toolbar } from '../toolbar.tsx';
import { useActiveRow } from '../use-active-row.ts';
import { useSearchState } from '../use-search-state.ts';
import { ListAndPage, RowList } from './list-and-page.tsx';
import { ATTACHMENT_MARK, NotePage } from './note-page.tsx';
import type { ViewProps } from './view-props.ts';

/** Characters of a note's text in the list. */
const EXCERPT_LENGTH = 80;

/** Notes, last changed first, with their images, tables and scans. */
export default function NotesView({ source, labels }: ViewProps) {
  const { t } = labels;
  const { search, set } = useSearchState();
  const request = { query: { q: search.filter } };
  const rows = useRowsOf(source, 'notes', request);
  const { total } = rows;
  const { index, row: note, open } = useActiveRow(source, 'notes', request, rows, (row) => row.note_identifier);
  const saveAll = async (): Promise<void> => saveNotesCsv(await allRows(source, 'notes', request));
  const list = (
    <>
      <Toolbar
        title={t('view.notes')}
        count={total}
        source={source}
        labels={labels}
        exports={total ? [{ name: t('as_csv'), run: saveAll }] : []}
        filter={{
          value: search.filter ?? '',
          label: t('filter_notes'),
          onChange: (text) => set({ filter: text || undefined, item: undefined }),
        }}
      />
      <RowList
        rows={rows}
        label={t('view.notes')}
        rowHeight={58}
        active={index}
        onActive={open}
        empty={
          search.filter
            ? { title: t('no_match') }
            : { title: t('none_of', { what: t('view.notes') }), text: t('none_text') }
        }
        labels={labels}
      >
        {(row) => <NoteItem note={row} isOpen={row.note_identifier === note?.note_identifier} labels={labels} />}
      </RowList>
    </>
  );
  return (
    <ListAndPage list={list} labels={labels}>
      {note && <NotePage note={note} source={source} labels={labels} />}
    </ListAndPage>
  );
}

function saveNotesCsv(notes: readonly NoteRow[]): void {
  saveCsv(
    'notes.csv',
    ['title', 'folder', 'created_at', 'modified_at', 'text'],
    notes.map((row) => [row.title, row.folder, row.created_at, row.last_modified_at, row.body]),
  );
}

/** The beginning of a note's text, without its title. */
const excerptOf = ({ body, title }: NoteRow): string | undefined =>
  body
    ?.replaceAll(ATTACHMENT_MARK, ' ')
    .replace(title ?? '', '')
    .trim()
    .slice(0, EXCERPT_LENGTH);

function NoteItem({ note, isOpen, labels }: { note: NoteRow; isOpen: boolean; labels: PhoneLabels }) {
  const { t } = labels;
  return (
    <div className="phone-item" data-selected={isOpen || undefined}>
      <span className="row">
        <strong className="truncate">{note.title || t('untitled')}</strong>
        {note.is_pinned && <Icon glyph={Pin} size={12} />}
        {note.is_locked && <Icon glyph={Lock} size={12} />}
        {note.attachments.length > 0 && <Icon glyph={Paperclip} size={12} />}
        <span className="cap num push" title={labels.exact(note.last_modified_at)}>
          {labels.day(note.last_modified_at)}
        </span>
      </span>
      <span className="cap truncate">
        {note.is_locked ? t('locked_note') : [note.folder, excerptOf(note)].filter(Boolean).join(' · ')}
      </span>
    </div>
  );
}
