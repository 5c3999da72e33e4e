import { Pencil, Plus } from 'lucide-react';
import { useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { CHILD_FORMS, type ChildKind, type ChildRow } from './child-kinds.ts';
import { rowPlace } from './places.ts';
import { RowForm } from './row-form.tsx';
import type { Highlight } from './highlight.ts';
import { useRowLabels, type RowLabels } from './use-row-labels.ts';
import { useRowActions, type RowActions } from './use-row-actions.ts';
import { useFocusAfterEdit } from './use-focus-after-edit.ts';

const KINDS = ['encounter', 'medication', 'vaccination'] as const;

/**
 * Lists of visits with their diagnoses, medicines and vaccinations. Rows are edited in place; empty lists offer Add.
 */
export function ChildRows({
  document,
  mayEdit,
  ...highlight
}: { document: DocumentDetail; mayEdit: boolean } & Highlight) {
  const { t } = useTranslation('document');
  const [adding, setAdding] = useState<ChildKind | null>(null);
  const empty = KINDS.filter((kind) => document[CHILD_FORMS[kind].list].length === 0 && adding !== kind);
  return (
    <>
      {KINDS.filter((kind) => !empty.includes(kind)).map((kind) => (
        <ChildList
          key={kind}
          kind={kind}
          document={document}
          mayEdit={mayEdit}
          isAdding={adding === kind}
          onAdding={(on) => setAdding(on ? kind : null)}
          {...highlight}
        />
      ))}
      {mayEdit && empty.length > 0 && (
        <div className="row rows-add">
          {empty.map((kind) => (
            <Button key={kind} size="small" glyph={Plus} onClick={() => setAdding(kind)}>
              {t(`add_${kind}`)}
            </Button>
          ))}
        </div>
      )}
    </>
  );
}

function ChildList({
  kind,
  document,
  mayEdit,
  isAdding,
  onAdding,
  ...highlight
}: {
  kind: ChildKind;
  document: DocumentDetail;
  mayEdit: boolean;
  isAdding: boolean;
  onAdding: (on: boolean) => void;
} & Highlight) {
  const labels = useRowLabels();
  const actions = useRowActions(kind, document);
  const [editing, setEditing] = useState<number | null>(null);
  const add = useRef<HTMLButtonElement>(null);
  const rows: readonly ChildRow[] = document[CHILD_FORMS[kind].list];
  const close = (): void => {
    actions.reset();
    setEditing(null);
    onAdding(false);
  };
  const edit = (id: number): void => {
    close();
    setEditing(id);
  };
  const addNew = (): void => {
    close();
    onAdding(true);
  };
  const cancelNew = (): void => {
    close();
    add.current?.focus();
  };
  return (
    <section className="rows" aria-labelledby={`${kind}-title`}>
      <ChildHeading kind={kind} button={add} onAdd={mayEdit ? addNew : null} />
      <ul>
        {rows.map((row) => (
          <ChildItem
            key={row.id}
            kind={kind}
            row={row}
            labels={labels.row(kind, row)}
            mayEdit={mayEdit}
            isEditing={editing === row.id}
            onEdit={() => edit(row.id)}
            {...highlight}
          >
            <ChildEditForm kind={kind} row={row} name={labels.row(kind, row).main} actions={actions} onClose={close} />
          </ChildItem>
        ))}
        {isAdding && <NewChildForm kind={kind} actions={actions} onSaved={close} onCancel={cancelNew} />}
      </ul>
    </section>
  );
}

function ChildHeading({
  kind,
  button,
  onAdd,
}: {
  kind: ChildKind;
  button: RefObject<HTMLButtonElement | null>;
  onAdd: (() => void) | null;
}) {
  const { t } = useTranslation('document');
  return (
    <h2 id={`${kind}-title`}>
      {t(`${kind}s`)}
      {onAdd && (
        <IconButton ref={button} size="small" glyph={Plus} className="push" label={t(`add_${kind}`)} onClick={onAdd} />
      )}
    </h2>
  );
}

function ChildEditForm({
  kind,
  row,
  name,
  actions,
  onClose,
}: {
  kind: ChildKind;
  row: ChildRow;
  name: string;
  actions: RowActions;
  onClose: () => void;
}) {
  return (
    <RowForm
      kind={kind}
      row={row}
      name={name}
      failure={actions.failure}
      isBusy={actions.busy}
      onClose={onClose}
      onSave={(values) => actions.save(row, values, onClose)}
      onRemove={() => {
        onClose();
        actions.remove(row, name);
      }}
    />
  );
}

function NewChildForm({
  kind,
  actions,
  onSaved,
  onCancel,
}: {
  kind: ChildKind;
  actions: RowActions;
  onSaved: () => void;
  onCancel: () => void;
}) {
  const { t } = useTranslation('document');
  return (
    <li className="row-editing">
      <RowForm
        kind={kind}
        row={null}
        name={t(`add_${kind}`)}
        failure={actions.failure}
        isBusy={actions.busy}
        onClose={onCancel}
        onSave={(values) => actions.save(null, values, onSaved)}
      />
    </li>
  );
}

function ChildItem({
  kind,
  row,
  labels: { main, notes, end },
  mayEdit,
  isEditing,
  onEdit,
  highlighted,
  onHighlight,
  onShow,
  children,
}: {
  kind: ChildKind;
  row: ChildRow;
  labels: RowLabels;
  mayEdit: boolean;
  isEditing: boolean;
  onEdit: () => void;
  children: React.ReactNode;
} & Highlight) {
  const { t } = useTranslation('document');
  const key = rowPlace(CHILD_FORMS[kind].place, row.id);
  const button = useFocusAfterEdit(isEditing);
  if (isEditing) return <li className="row-editing">{children}</li>;
  return (
    <li
      className={classNames('value-row', highlighted === key && 'row-highlighted')}
      onPointerEnter={() => onHighlight(key)}
      onPointerLeave={() => onHighlight(null)}
    >
      <button
        type="button"
        className="row-button"
        onFocus={() => onHighlight(key)}
        onBlur={() => onHighlight(null)}
        onClick={() => onShow(key)}
      >
        {main}
        {notes.length > 0 && <span className="cap"> {notes.join(' · ')}</span>}
        {(row.edited_fields?.length ?? 0) > 0 && <span className="cap"> · {t('by_hand')}</span>}
      </button>
      <span className="row row-end">
        <span className="num muted">{end}</span>
        {mayEdit && (
          <IconButton
            ref={button}
            size="small"
            glyph={Pencil}
            label={t('edit_field', { field: main })}
            onClick={onEdit}
          />
        )}
      </span>
    </li>
  );
}
