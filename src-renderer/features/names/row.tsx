import { useEffect, useRef, useState, type Ref, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { NameRow } from '../../../src-shared/contract/names.ts';
import { useEntryName } from '../../client/entry-name.ts';
import { useFormats } from '../../client/format.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { classNames } from '../../ui/class-names.ts';
import { Checkbox, Input } from '../../ui/field.tsx';
import { AliasTags } from './alias-tags.tsx';
import type { NameActions } from './use-actions.ts';
import type { NameSelection } from './use-name-keys.ts';

interface Props {
  item: NameRow;
  index: number;
  selection: NameSelection;
  hasFocus: boolean;
  mayEdit: boolean;
  actions: NameActions;
  onOpen: (id: number) => void;
  ref: Ref<HTMLTableRowElement>;
}

/** The public code if there is one, otherwise the entry's own code. */
export const codeOf = (item: NameRow): string =>
  item.loinc_code ?? item.icd10_code ?? item.atc_code ?? item.canonical_code;

/** One entry: clicking its name opens it, `e` or a double click renames it in place. */
export function TableRow({ item, index, selection, hasFocus, mayEdit, actions, onOpen, ref }: Props) {
  const { t } = useTranslation('names');
  const shownName = useEntryName()(item);
  const name = useRef<HTMLButtonElement>(null);
  const isSelected = selection.isSelected(item.id);
  useEffect(() => {
    if (hasFocus && (document.activeElement === document.body || document.activeElement?.closest('.names-table')))
      name.current?.focus({ preventScroll: true });
  }, [hasFocus]);
  return (
    <tr
      ref={ref}
      data-index={index}
      aria-rowindex={index + 2}
      className={classNames(isSelected && 'selected', index === selection.active && 'active')}
    >
      {mayEdit && (
        <td className="select-cell">
          <Checkbox
            hideLabel
            label={t('select', { name: shownName })}
            checked={isSelected}
            onChange={() => selection.toggle(item.id)}
          />
        </td>
      )}
      <td
        className="names-name"
        onDoubleClick={() => {
          if (mayEdit) selection.setRenamingId(item.id);
        }}
      >
        <NameCell item={item} button={name} selection={selection} actions={actions} onOpen={onOpen} />
        <AliasTags item={item} className="names-below" />
      </td>
      <td className="names-code">
        <span className="code-text" translate="no">
          {codeOf(item)}
        </span>
      </td>
      <td className="names-aliases">
        <AliasTags item={item} />
      </td>
      <td className="r names-uses">
        <UseCount item={item} onOpen={onOpen} />
      </td>
    </tr>
  );
}

/** The name, which opens the entry, or the field that renames it. */
function NameCell({
  item,
  button,
  selection,
  actions,
  onOpen,
}: Pick<Props, 'item' | 'selection' | 'actions' | 'onOpen'> & { button: RefObject<HTMLButtonElement | null> }) {
  const { t } = useTranslation('names');
  const name = useEntryName()(item);
  if (selection.renamingId === item.id)
    return (
      <Rename
        item={item}
        actions={actions}
        onDone={() => {
          selection.setRenamingId(null);
          setTimeout(() => button.current?.focus(), 0);
        }}
      />
    );
  return (
    <button
      ref={button}
      type="button"
      className="names-open truncate"
      title={name}
      aria-label={t('open', { name })}
      onClick={() => onOpen(item.id)}
    >
      {name}
    </button>
  );
}

function UseCount({ item, onOpen }: Pick<Props, 'item' | 'onOpen'>) {
  const { t } = useTranslation('names');
  const formats = useFormats();
  if (item.uses === 0) return <span className="cap num">0</span>;
  return (
    <button
      type="button"
      className="names-count num"
      aria-label={t('uses_of', { count: item.uses })}
      onClick={() => onOpen(item.id)}
    >
      {formats.count(item.uses)}
    </button>
  );
}

function Rename({ item, actions, onDone }: { item: NameRow; actions: NameActions; onDone: () => void }) {
  const { t } = useTranslation('names');
  const vocabulary = useVocabulary();
  const name = useEntryName()(item);
  const [text, setText] = useState(name);
  const [refusal, setRefusal] = useState<unknown>(null);
  // Blur saves, as Enter does, but must not save again while a save is in progress.
  const isSaving = useRef(false);
  const save = (): void => {
    if (isSaving.current) return;
    isSaving.current = true;
    if (text.trim() === '' || text.trim() === name) return onDone();
    actions.save(item, { canonical_display: text.trim() }).then(onDone, (error: unknown) => {
      isSaving.current = false;
      setRefusal(error);
    });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Input
        autoFocus
        aria-label={t('new_name', { name })}
        aria-invalid={refusal !== null || undefined}
        value={text}
        disabled={actions.busy}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation();
            isSaving.current = true;
            onDone();
          }
        }}
        onBlur={() => {
          if (refusal === null) save();
        }}
      />
      {refusal !== null && (
        <span className="form-error" role="alert">
          {vocabulary.error(refusal)}
        </span>
      )}
    </form>
  );
}
