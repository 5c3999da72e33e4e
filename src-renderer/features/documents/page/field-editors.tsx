import { useId, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { DateInput } from '../../../ui/date-input.tsx';
import { OptionList, type Option } from '../../../ui/combobox.tsx';
import { Input, Select, TextArea } from '../../../ui/field.tsx';
import type { FieldValue } from './changes.ts';
import { useSuggestions } from './queries.ts';

interface EditorProps<V> {
  label: string;
  onSave: (value: V) => void;
  onClose: () => void;
}

const closeOnEscape =
  (onClose: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  };

/** A select of fixed values. */
export function ChoiceField({
  label,
  value,
  options,
  onSave,
  onClose,
}: EditorProps<string | null> & { value: string | null; options: readonly Option[] }) {
  return (
    <Select
      aria-label={label}
      autoFocus
      defaultValue={value ?? ''}
      options={[{ value: '', label: '–' }, ...options]}
      onBlur={onClose}
      onKeyDown={closeOnEscape(onClose)}
      onChange={(event) => {
        onSave(event.target.value || null);
        onClose();
      }}
    />
  );
}

/** A date in the local format; Enter or blur saves. */
export function DateField({
  label,
  value,
  locale,
  onSave,
  onClose,
}: EditorProps<string | null> & { value: string | null; locale: string }) {
  const { t } = useTranslation('document');
  const [draft, setDraft] = useState(value ?? '');
  const [invalid, setInvalid] = useState(false);
  const save = (): void => {
    if (!invalid) {
      onSave(draft || null);
      onClose();
    }
  };
  return (
    <span className="editor">
      <DateInput
        aria-label={label}
        autoFocus
        locale={locale}
        value={draft}
        aria-invalid={invalid || undefined}
        onInvalid={setInvalid}
        onChange={setDraft}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save();
          closeOnEscape(onClose)(event);
        }}
      />
      {invalid && (
        <span className="form-error" role="alert">
          {t('bad_date')}
        </span>
      )}
    </span>
  );
}

/** Free text; Enter saves a single line, blur saves any text. */
export function TextField({
  label,
  value,
  isLong = false,
  suggestions = [],
  onSave,
  onClose,
}: EditorProps<string | null> & { value: string | null; isLong?: boolean; suggestions?: readonly string[] }) {
  const list = useId();
  const [draft, setDraft] = useState(value ?? '');
  const save = (): void => {
    onSave(draft.trim() || null);
    onClose();
  };
  if (isLong)
    return (
      <TextArea
        aria-label={label}
        autoFocus
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={save}
        onKeyDown={closeOnEscape(onClose)}
      />
    );
  return (
    <>
      <Input
        aria-label={label}
        autoFocus
        value={draft}
        list={suggestions.length > 0 ? list : undefined}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save();
          closeOnEscape(onClose)(event);
        }}
      />
      {suggestions.length > 0 && (
        <datalist id={list}>
          {suggestions.map((text) => (
            <option key={text} value={text}>
              {text}
            </option>
          ))}
        </datalist>
      )}
    </>
  );
}

/** A doctor or facility: suggests known ones and accepts any other name. */
export function NameField({
  label,
  kind,
  value,
  patientId,
  onSave,
  onClose,
}: EditorProps<FieldValue> & { kind: 'doctors' | 'facilities'; value: string | null; patientId: number | null }) {
  const { t } = useTranslation('document');
  const [text, setText] = useState(value ?? '');
  const suggestions = useSuggestions(text, patientId).data as
    | { doctors: { id: number; name: string }[]; facilities: { id: number; name: string }[] }
    | undefined;
  const entries = suggestions?.[kind] ?? [];
  return (
    <div
      className="name-editor float"
      onKeyDown={closeOnEscape(onClose)}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) onClose();
      }}
    >
      <OptionList
        label={label}
        placeholder={t('find')}
        emptyText={t('nothing_found')}
        options={entries.map((entry) => ({ value: String(entry.id), label: entry.name }))}
        selected={[]}
        onType={setText}
        free={(typed) => t('use_typed', { text: typed })}
        onChoose={(selected) => {
          const suggestion = entries.find((entry) => String(entry.id) === selected);
          onSave(suggestion ? { text: suggestion.name, id: suggestion.id } : { text: selected });
          onClose();
        }}
      />
    </div>
  );
}
