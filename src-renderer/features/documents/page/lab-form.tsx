import { useId, useRef, useState, type FormEvent, type KeyboardEvent, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { LabResult } from '../../../../src-shared/contract/labs.ts';
import { useFormats } from '../../../client/format.ts';
import { rangeOf } from '../../../client/lab-text.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { DateInput } from '../../../ui/date-input.tsx';
import { Field, Input, Select } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/states.tsx';
import { NO_RESULT, rangeAsTyped, valuesOfResult, wrongFields, type LabField, type LabValues } from './lab-values.ts';
import { useKnownTests } from './use-lab-actions.ts';

interface Props {
  row: LabResult | null;
  patientId: number | null;
  date: string | null;
  name: string;
  failure: Error | null;
  isBusy: boolean;
  onSave: (values: LabValues, done: () => void) => void;
  onClose: () => void;
  onRemove?: () => void;
}

/** API fields of each form field, to show a rejected API field at its form field. */
const API_NAMES: Record<LabField, readonly string[]> = {
  name: ['test_name_original'],
  value: ['value', 'value_text'],
  unit: ['unit'],
  range: ['reference_range_low', 'reference_range_high'],
  date: ['test_date'],
  sample: ['sample_type'],
  flag: ['is_abnormal'],
};
type KnownTest = ReturnType<typeof useKnownTests>[number];

const FLAGS = ['by_range', 'normal', 'abnormal'] as const;

/**
 * The form that edits one result in place. New ones are entered by keyboard: the unit and range of a known test are
 * filled in, Enter saves and starts the next result, Escape cancels.
 */
export function LabForm({ row, patientId, date, name, failure, isBusy, onSave, onClose, onRemove }: Props) {
  const { t } = useTranslation(['document', 'app']);
  const vocabulary = useVocabulary();
  const knownTests = useKnownTests(patientId);
  const list = useId();
  const nameInput = useRef<HTMLInputElement>(null);
  const newValues = (): LabValues => ({ ...NO_RESULT, date: date ?? '' });
  const [values, setValues] = useState(() => (row ? valuesOfResult(row) : newValues()));
  const [hasBadDate, setHasBadDate] = useState(false);
  const [invalidFields, setInvalidFields] = useState<readonly LabField[]>([]);
  const set = (part: Partial<LabValues>): void => setValues((previous) => ({ ...previous, ...part }));
  const errorOf = (field: LabField): string | undefined => {
    if (field === 'date' && hasBadDate) return t('document:bad_date');
    if (invalidFields.includes(field))
      return field === 'name' ? t('document:lab_name_needed') : t('document:lab_bad_range');
    return vocabulary.fieldError(failure, ...API_NAMES[field]);
  };
  const hasFieldError = (Object.keys(API_NAMES) as LabField[]).some((field) => errorOf(field) !== undefined);
  const nameTest = (typed: string): void => set({ name: typed, ...(!row && defaultsFor(knownTests, typed, values)) });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const fieldsToFix = wrongFields(values);
    setInvalidFields(fieldsToFix);
    if (fieldsToFix.length > 0 || hasBadDate || isBusy) return;
    onSave(values, () => {
      if (row) return onClose();
      setValues({ ...newValues(), date: values.date, sample: values.sample });
      nameInput.current?.focus();
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  };
  const fields = { values, errorOf, onChange: set };
  return (
    <form className="row-form" aria-label={name} onSubmit={submit} onKeyDown={onKeyDown}>
      <div className="lab-form-fields">
        <div className="row-form-wide">
          <TestNameField
            input={nameInput}
            list={list}
            autoFocus={!row}
            value={values.name}
            error={errorOf('name')}
            onChange={nameTest}
          />
        </div>
        <MeasurementFields {...fields} list={list} autoFocus={row !== null} />
        <ContextFields {...fields} onInvalidDate={setHasBadDate} />
      </div>
      <TestSuggestions tests={knownTests} list={list} />
      {failure && !hasFieldError && <Notice tone="bad">{vocabulary.error(failure)}</Notice>}
      <FormButtons isNew={row === null} isBusy={isBusy} onClose={onClose} onRemove={onRemove} />
    </form>
  );
}

/** Unit and range of a known test, for fields of the form that are empty. */
function defaultsFor(tests: readonly KnownTest[], name: string, values: LabValues): Partial<LabValues> {
  const test = tests.find((known) => known.name === name || Object.values(known.names ?? {}).includes(name));
  if (!test) return {};
  const { unit } = test.last;
  return {
    ...(values.unit === '' && { unit: unit ?? '' }),
    ...(values.range === '' && { range: rangeAsTyped(rangeOf(test.last)) }),
  };
}

interface FieldsProps {
  values: LabValues;
  errorOf: (field: LabField) => string | undefined;
  onChange: (part: Partial<LabValues>) => void;
}

function TestNameField({
  input,
  list,
  autoFocus,
  value,
  error,
  onChange,
}: {
  input: RefObject<HTMLInputElement | null>;
  list: string;
  autoFocus: boolean;
  value: string;
  error: string | undefined;
  onChange: (name: string) => void;
}) {
  const { t } = useTranslation('document');
  return (
    <Field label={t('test')} error={error}>
      {(control) => (
        <Input
          {...control}
          ref={input}
          autoFocus={autoFocus}
          list={`${list}-tests`}
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** Value, unit and reference range. */
function MeasurementFields({
  values,
  errorOf,
  onChange,
  list,
  autoFocus,
}: FieldsProps & { list: string; autoFocus: boolean }) {
  const { t } = useTranslation('document');
  return (
    <>
      <Field label={t('value')} error={errorOf('value')}>
        {(control) => (
          <Input
            {...control}
            autoFocus={autoFocus}
            className="num"
            value={values.value}
            onChange={(event) => onChange({ value: event.target.value })}
          />
        )}
      </Field>
      <Field label={t('unit')} error={errorOf('unit')}>
        {(control) => (
          <Input
            {...control}
            list={`${list}-units`}
            autoComplete="off"
            value={values.unit}
            onChange={(event) => onChange({ unit: event.target.value })}
          />
        )}
      </Field>
      <Field label={t('range')} hint={t('lab_range_hint')} error={errorOf('range')}>
        {(control) => (
          <Input
            {...control}
            className="num"
            value={values.range}
            onChange={(event) => onChange({ range: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

/** Flag, date and sample. */
function ContextFields({
  values,
  errorOf,
  onChange,
  onInvalidDate,
}: FieldsProps & { onInvalidDate: (invalid: boolean) => void }) {
  const { t } = useTranslation('document');
  const { locale } = useFormats();
  return (
    <>
      <Field label={t('lab_flag')} error={errorOf('flag')}>
        {(control) => (
          <Select
            {...control}
            value={values.flag}
            options={FLAGS.map((flag) => ({ value: flag, label: t(`lab_flag_${flag}`) }))}
            onChange={(event) => onChange({ flag: event.target.value as LabValues['flag'] })}
          />
        )}
      </Field>
      <Field label={t('lab_date')} error={errorOf('date')}>
        {(control) => (
          <DateInput
            {...control}
            locale={locale}
            value={values.date}
            onInvalid={onInvalidDate}
            onChange={(civil) => onChange({ date: civil })}
          />
        )}
      </Field>
      <Field label={t('lab_sample')} error={errorOf('sample')}>
        {(control) => (
          <Input {...control} value={values.sample} onChange={(event) => onChange({ sample: event.target.value })} />
        )}
      </Field>
    </>
  );
}

function TestSuggestions({ tests, list }: { tests: readonly KnownTest[]; list: string }) {
  return (
    <>
      <datalist id={`${list}-tests`}>
        {tests.map((test) => (
          <option key={test.key} value={test.name}>
            {test.last.unit}
          </option>
        ))}
      </datalist>
      <datalist id={`${list}-units`}>
        {[...new Set(tests.flatMap((test) => test.last.unit ?? []))].map((unit) => (
          <option key={unit} value={unit}>
            {unit}
          </option>
        ))}
      </datalist>
    </>
  );
}

function FormButtons({
  isNew,
  isBusy,
  onClose,
  onRemove,
}: {
  isNew: boolean;
  isBusy: boolean;
  onClose: () => void;
  onRemove: (() => void) | undefined;
}) {
  const { t } = useTranslation(['document', 'app']);
  return (
    <div className="row">
      <Button type="submit" variant="primary" aria-disabled={isBusy}>
        {isNew ? t('document:lab_save_next') : t('app:action.save')}
      </Button>
      <Button onClick={onClose}>{isNew ? t('app:action.close') : t('app:action.cancel')}</Button>
      {onRemove && (
        <Button variant="quiet" className="push" onClick={onRemove}>
          {t('document:row_remove')}
        </Button>
      )}
    </div>
  );
}
