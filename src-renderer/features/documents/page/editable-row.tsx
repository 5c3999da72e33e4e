import { type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Tag } from '../../../ui/chip.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { useFocusAfterEdit } from './use-focus-after-edit.ts';

interface Props {
  label: string;
  value: ReactNode;
  note: string;
  unsure: string | null;
  error: string | null;
  mayEdit: boolean;
  isEditing: boolean;
  isHighlighted: boolean;
  editor: (close: () => void) => ReactNode;
  onEdit: (on: boolean) => void;
  onHighlight: (on: boolean) => void;
  onShow: () => void;
}

/**
 * One field: its name, its value, and where it was read. Clicking the value edits it; hovering highlights its place on
 * the page.
 */
export function EditableRow({
  label,
  value,
  note,
  unsure,
  error,
  mayEdit,
  isEditing,
  isHighlighted,
  editor,
  onEdit,
  onHighlight,
  onShow,
}: Props) {
  const { t } = useTranslation('document');
  const button = useFocusAfterEdit(isEditing);
  const isEmpty = value === null || value === '' || value === undefined;
  return (
    <div
      className={classNames('field', isHighlighted && 'field-highlighted')}
      onPointerEnter={() => onHighlight(true)}
      onPointerLeave={() => onHighlight(false)}
      onFocus={() => onHighlight(true)}
      onBlur={() => onHighlight(false)}
    >
      <dt>{label}</dt>
      <dd className="field-value">
        {isEditing && editor(() => onEdit(false))}
        {!isEditing && mayEdit && (
          <EditButton label={label} isEmpty={isEmpty} error={error} button={button} onEdit={() => onEdit(true)}>
            {isEmpty ? t('empty_value') : value}
          </EditButton>
        )}
        {!isEditing && !mayEdit && <span className="value-text">{value}</span>}
        {error && (
          <span id={`${label}-error`} className="form-error" role="alert">
            {error}
          </span>
        )}
      </dd>
      <dd className="field-note">
        {unsure && <Tag tone="warn">{unsure}</Tag>}
        {note !== '' && (
          <button type="button" className="note-button" onClick={onShow}>
            {note}
          </button>
        )}
      </dd>
    </div>
  );
}

function EditButton({
  label,
  isEmpty,
  error,
  button,
  onEdit,
  children,
}: {
  label: string;
  isEmpty: boolean;
  error: string | null;
  button: RefObject<HTMLButtonElement | null>;
  onEdit: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation('document');
  return (
    <button
      ref={button}
      type="button"
      aria-describedby={error ? `${label}-error` : undefined}
      className={classNames('value-button', isEmpty && 'value-empty')}
      title={t('edit_field', { field: label })}
      data-field={label}
      onClick={onEdit}
    >
      <span className="sr-only">{t('edit_field', { field: label })}: </span>
      {children}
    </button>
  );
}
