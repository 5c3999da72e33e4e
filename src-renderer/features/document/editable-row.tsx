import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Tag } from '../../ui/chip.tsx';
import { classNames } from '../../ui/class-names.ts';

interface Props { label: string; shown: ReactNode; note: string; unsure: string | null; mayEdit: boolean; lit: boolean; editor: (close: () => void) => ReactNode; onLight: (on: boolean) => void; onShow: () => void }

/** One field: its name, its value, where it was read. Pressing the value edits it; pointing at it lights its place. */
export function EditableRow({ label, shown, note, unsure, mayEdit, lit, editor, onLight, onShow }: Props) {
  const { t } = useTranslation('document');
  const [editing, setEditing] = useState(false);
  const empty = shown === null || shown === '' || shown === undefined;
  return (
    <div className={classNames('field', lit && 'field-lit')} onPointerEnter={() => onLight(true)} onPointerLeave={() => onLight(false)} onFocus={() => onLight(true)} onBlur={() => onLight(false)}>
      <dt>{label}</dt>
      <dd className="field-value">
        {editing ? editor(() => setEditing(false))
          : mayEdit ? <button type="button" className={classNames('value-button', empty && 'value-empty')} title={t('edit_field', { field: label })} data-field={label} onClick={() => setEditing(true)}><span className="sr-only">{t('edit_field', { field: label })}: </span>{empty ? t('empty_value') : shown}</button>
            : <span className="value-text">{shown}</span>}
      </dd>
      <dd className="field-note">
        {unsure && <Tag tone="warn">{unsure}</Tag>}
        {note !== '' && <button type="button" className="note-button" onClick={onShow}>{note}</button>}
      </dd>
    </div>
  );
}
