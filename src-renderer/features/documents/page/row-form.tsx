import { useState, type FormEvent, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../client/format.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { DateInput } from '../../../ui/date-input.tsx';
import { Field, Input, TextArea, type FieldControl } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/states.tsx';
import {
  CHILD_FORMS,
  valuesOf,
  type ChildField,
  type ChildKind,
  type ChildRow,
  type ChildValues,
} from './child-kinds.ts';

interface Props {
  kind: ChildKind;
  row: ChildRow | null;
  name: string;
  failure: Error | null;
  isBusy: boolean;
  onSave: (values: ChildValues) => void;
  onClose: () => void;
  onRemove?: () => void;
}

/** The form that edits one row in place. Escape cancels. */
export function RowForm({ kind, row, name, failure, isBusy, onSave, onClose, onRemove }: Props) {
  const { t } = useTranslation(['document', 'app']);
  const vocabulary = useVocabulary();
  const [values, setValues] = useState(() => valuesOf(kind, row));
  const [invalid, setInvalid] = useState<readonly string[]>([]);
  const set = (field: string, value: string | number | null): void =>
    setValues((before) => ({ ...before, [field]: value }));
  const errorOf = ({ name: field }: ChildField): string | undefined =>
    invalid.includes(field) ? t('document:bad_date') : vocabulary.fieldError(failure, field);
  const hasFieldError = CHILD_FORMS[kind].fields.some((field) => errorOf(field) !== undefined);
  const mark =
    (field: string) =>
    (isInvalid: boolean): void =>
      setInvalid((before) =>
        isInvalid ? [...new Set([...before, field])] : before.filter((other) => other !== field),
      );
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (invalid.length === 0 && !isBusy) onSave(values);
  };
  return (
    <form className="row-form" aria-label={name} onSubmit={submit} onKeyDown={onKeyDown}>
      <div className="row-form-fields">
        {CHILD_FORMS[kind].fields.map((field, index) => (
          <div key={field.name} className={field.wide ? 'row-form-wide' : undefined}>
            <Field label={t(`document:row_${field.name as 'dosage'}`)} error={errorOf(field)}>
              {(control) => (
                <ChildInput
                  control={control}
                  field={field}
                  value={values[field.name] ?? ''}
                  hasAutoFocus={index === 0}
                  onInvalid={mark(field.name)}
                  onChange={(value) => set(field.name, value)}
                />
              )}
            </Field>
          </div>
        ))}
      </div>
      {failure && !hasFieldError && <Notice tone="bad">{vocabulary.error(failure)}</Notice>}
      <div className="row">
        <Button type="submit" variant="primary" aria-disabled={isBusy}>
          {t('app:action.save')}
        </Button>
        <Button onClick={onClose}>{t('app:action.cancel')}</Button>
        {onRemove && (
          <Button variant="quiet" className="push" onClick={onRemove}>
            {t('document:row_remove')}
          </Button>
        )}
      </div>
    </form>
  );
}

/** The control of one field by its kind of value. */
function ChildInput({
  control,
  field,
  value,
  hasAutoFocus,
  onInvalid,
  onChange,
}: {
  control: FieldControl;
  field: ChildField;
  value: string | number;
  hasAutoFocus: boolean;
  onInvalid: (invalid: boolean) => void;
  onChange: (value: string | number | null) => void;
}) {
  const { locale } = useFormats();
  const common = { ...control, autoFocus: hasAutoFocus };
  switch (field.input) {
    case 'date':
      return (
        <DateInput
          {...common}
          locale={locale}
          value={String(value)}
          onInvalid={onInvalid}
          onChange={(civil) => onChange(civil || null)}
        />
      );
    case 'number':
      return (
        <Input
          {...common}
          inputMode="numeric"
          type="number"
          min={0}
          step={1}
          value={value}
          onChange={(event) => onChange(event.target.value === '' ? null : Number(event.target.value))}
        />
      );
    case 'long':
      return <TextArea {...common} rows={2} value={value} onChange={(event) => onChange(event.target.value || null)} />;
    case 'text':
      return <Input {...common} value={value} onChange={(event) => onChange(event.target.value || null)} />;
  }
}
