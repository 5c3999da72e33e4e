import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Tag } from '../../../ui/chip.tsx';
import { classNames } from '../../../ui/class-names.ts';

interface Props {
  label: string;
  shown: ReactNode;
  note: string;
  unsure: string | null;
  error: string | null;
  mayEdit: boolean;
  editing: boolean;
  highlighted: boolean;
  editor: (close: () => void) => ReactNode;
  onEdit: (on: boolean) => void;
  onHighlight: (on: boolean) => void;
  onShow: () => void;
}

/** One field: its name, its value, where it was read. Pressing the value edits it; pointing at it lights its place. */
export function EditableRow({
  label,
  shown,
  note,
  unsure,
  error,
  mayEdit,
  editing,
  highlighted,
  editor,
  onEdit,
  onHighlight,
  onShow,
}: Props) {
  const { t } = useTranslation('document');
  const button = useRef<HTMLButtonElement>(null);
  const before = useRef(false);
  useEffect(() => {
    const closed = before.current && !editing;
    before.current = editing;
    if (!closed) return undefined;
    // A frame later, so that a person who went on to another control is left there.
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === document.body) button.current?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [editing]);
  const empty = shown === null || shown === '' || shown === undefined;
  return (
    <div
      className={classNames('field', highlighted && 'field-lit')}
      onPointerEnter={() => onHighlight(true)}
      onPointerLeave={() => onHighlight(false)}
      onFocus={() => onHighlight(true)}
      onBlur={() => onHighlight(false)}
    >
      <dt>{label}</dt>
      <dd className="field-value">
        {editing && editor(() => onEdit(false))}
        {!editing && mayEdit && (
          <button
            ref={button}
            type="button"
            aria-describedby={error ? `${label}-error` : undefined}
            className={classNames('value-button', empty && 'value-empty')}
            title={t('edit_field', { field: label })}
            data-field={label}
            onClick={() => onEdit(true)}
          >
            <span className="sr-only">{t('edit_field', { field: label })}: </span>
            {empty ? t('empty_value') : shown}
          </button>
        )}
        {!editing && !mayEdit && <span className="value-text">{shown}</span>}
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
