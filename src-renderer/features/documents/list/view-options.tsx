import { Bookmark, Columns3, Trash2 } from 'lucide-react';
import { useMemo, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { storePreference, readPreference } from '../../../client/storage.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Checkbox, Field, Input } from '../../../ui/field.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { useToasts } from '../../../client/toasts.tsx';
import type { DocumentListItem } from '../../../../src-shared/contract/rows.ts';
import { COLUMNS, emptyColumns, FIXED_COLUMNS, shownColumns, withColumn, type ColumnId } from './columns.ts';
import type { ListSearch } from '../../../client/document-list.ts';
import { viewsFrom, withView, type View } from './views.ts';

/** The selected columns, stored in this browser, without those in which no document has anything. */
export function useColumns(
  items: readonly DocumentListItem[],
  isEveryone: boolean,
): [columns: ColumnId[], toggle: (id: ColumnId) => void] {
  const [stored, setStored] = useState(() => readPreference('columns'));
  const empty = useMemo(() => emptyColumns(items), [items]);
  return [
    shownColumns(stored, isEveryone, empty),
    (id) => {
      const next = withColumn(stored, id, isEveryone, empty);
      storePreference('columns', next);
      setStored(next);
    },
  ];
}

/** The menu that shows and hides columns. */
export function ColumnsMenu({ columns, onToggle }: { columns: readonly ColumnId[]; onToggle: (id: ColumnId) => void }) {
  const { t } = useTranslation();
  return (
    <Popover
      align="end"
      label={t('documents.columns')}
      trigger={<IconButton variant="plain" glyph={Columns3} label={t('documents.columns')} />}
    >
      <div className="popover-body">
        {COLUMNS.map(({ id }) => (
          <Checkbox
            key={id}
            label={t(`column.${id}`)}
            checked={columns.includes(id)}
            disabled={FIXED_COLUMNS.includes(id)}
            onChange={() => onToggle(id)}
          />
        ))}
      </div>
    </Popover>
  );
}

/** Saved views: filters and order under a name. */
export function ViewsMenu({ search, onChoose }: { search: ListSearch; onChoose: (search: ListSearch) => void }) {
  const { t } = useTranslation();
  const { show } = useToasts();
  const [open, setOpen] = useState(false);
  const [views, setViews] = useState(() => viewsFrom(readPreference('views')));
  const store = (next: View[]): void => {
    storePreference('views', JSON.stringify(next));
    setViews(next);
  };
  const save = (name: string): void => {
    store(withView(views, name, search));
    show({ text: (words) => words.t('documents.view_saved', { name }), undo: () => store(views) });
  };
  const remove = (view: View): void => {
    store(views.filter((other) => other !== view));
    show({
      text: (words) => words.t('documents.view_deleted', { name: view.name }),
      undo: () => store(views),
    });
  };
  return (
    <Popover
      align="end"
      open={open}
      onOpenChange={setOpen}
      label={t('documents.views')}
      trigger={
        <Button glyph={Bookmark}>
          <span className="wide-word">{t('documents.views')}</span>
        </Button>
      }
    >
      <div className="popover-body">
        {views.length === 0 && <p className="cap">{t('documents.views_none')}</p>}
        {views.length > 0 && (
          <ul className="view-list">
            {views.map((view) => (
              <li key={view.name}>
                <button
                  type="button"
                  className="menu-item"
                  onClick={() => {
                    setOpen(false);
                    onChoose(view.search);
                  }}
                >
                  <span className="truncate">{view.name}</span>
                </button>
                <IconButton
                  size="small"
                  glyph={Trash2}
                  label={t('documents.delete_view', { name: view.name })}
                  onClick={() => remove(view)}
                />
              </li>
            ))}
          </ul>
        )}
        <SaveViewForm onSave={save} />
      </div>
    </Popover>
  );
}

function SaveViewForm({ onSave }: { onSave: (name: string) => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === '') return;
    onSave(name.trim());
    setName('');
  };
  return (
    <form className="stack" onSubmit={submit}>
      <Field label={t('documents.view_name')}>
        {(control) => (
          <Input {...control} value={name} maxLength={60} onChange={(event) => setName(event.target.value)} />
        )}
      </Field>
      <Button type="submit" disabled={name.trim() === ''}>
        {t('documents.save_view')}
      </Button>
    </form>
  );
}
