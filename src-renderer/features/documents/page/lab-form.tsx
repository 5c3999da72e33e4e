import { useId, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { LabResult } from '../../../../src-shared/contract/labs.ts';
import { ApiError } from '../../../client/api.ts';
import { useFormats } from '../../../client/format.ts';
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
  busy: boolean;
  onSave: (values: LabValues, done: () => void) => void;
  onClose: () => void;
  onRemove?: () => void;
}

/** Names of the API's fields that a form's field becomes, to find the one that was refused. */
const SENT_AS: Record<LabField, readonly string[]> = {
  name: ['test_name_original'],
  value: ['value', 'value_text'],
  unit: ['unit'],
  range: ['reference_range_low', 'reference_range_high'],
  date: ['test_date'],
  sample: ['sample_type'],
  flag: ['is_abnormal'],
};
const FLAGS = ['by_range', 'normal', 'abnormal'] as const;

/**
 * The fields of one result, in its place. A new one is entered by keyboard: the unit and range of a known test are filled in, Enter stores it and
 * begins the next; Escape leaves everything as it was.
 */
export function LabForm({ row, patientId, date, name, failure, busy, onSave, onClose, onRemove }: Props) {
  const { t } = useTranslation(['document', 'app']);
  const { locale } = useFormats();
  const vocabulary = useVocabulary();
  const known = useKnownTests(patientId);
  const list = useId();
  const first = useRef<HTMLInputElement>(null);
  const fresh = (): LabValues => ({ ...NO_RESULT, date: date ?? '' });
  const [values, setValues] = useState(() => (row ? valuesOfResult(row) : fresh()));
  const [badDate, setBadDate] = useState(false);
  const [wrong, setWrong] = useState<readonly LabField[]>([]);
  const set = (part: Partial<LabValues>): void => setValues((before) => ({ ...before, ...part }));
  const issues = failure instanceof ApiError ? failure.issues : [];
  const refused = (field: LabField): string | undefined =>
    issues.find((issue) => SENT_AS[field].some((result) => issue.path === `body.${result}`))?.message;
  const nameTest = (typed: string): void => {
    const test = row
      ? undefined
      : known.find((one) => one.name === typed || Object.values(one.names ?? {}).includes(typed));
    set({
      name: typed,
      ...(test && values.unit === '' && { unit: test.last.unit ?? '' }),
      ...(test &&
        values.range === '' && { range: rangeAsTyped(test.last.reference_range_low, test.last.reference_range_high) }),
    });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const found = wrongFields(values);
    setWrong(found);
    if (found.length > 0 || badDate || busy) return;
    onSave(values, () => {
      if (row) return onClose();
      setValues({ ...fresh(), date: values.date, sample: values.sample });
      first.current?.focus();
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  };
  return (
    <form className="row-form" aria-label={name} onSubmit={submit} onKeyDown={onKeyDown}>
      <div className="lab-form-fields">
        <div className="row-form-wide">
          <Field
            label={t('document:test')}
            error={wrong.includes('name') ? t('document:lab_name_needed') : refused('name')}
          >
            {(control) => (
              <Input
                {...control}
                ref={first}
                autoFocus={!row}
                list={`${list}-tests`}
                autoComplete="off"
                value={values.name}
                onChange={(event) => nameTest(event.target.value)}
              />
            )}
          </Field>
        </div>
        <Field label={t('document:value')} error={refused('value')}>
          {(control) => (
            <Input
              {...control}
              autoFocus={row !== null}
              className="num"
              value={values.value}
              onChange={(event) => set({ value: event.target.value })}
            />
          )}
        </Field>
        <Field label={t('document:unit')} error={refused('unit')}>
          {(control) => (
            <Input
              {...control}
              list={`${list}-units`}
              autoComplete="off"
              value={values.unit}
              onChange={(event) => set({ unit: event.target.value })}
            />
          )}
        </Field>
        <Field
          label={t('document:range')}
          hint={t('document:lab_range_hint')}
          error={wrong.includes('range') ? t('document:lab_bad_range') : refused('range')}
        >
          {(control) => (
            <Input
              {...control}
              className="num"
              value={values.range}
              onChange={(event) => set({ range: event.target.value })}
            />
          )}
        </Field>
        <Field label={t('document:lab_flag')} error={refused('flag')}>
          {(control) => (
            <Select
              {...control}
              value={values.flag}
              options={FLAGS.map((flag) => ({ value: flag, label: t(`document:lab_flag_${flag}`) }))}
              onChange={(event) => set({ flag: event.target.value as LabValues['flag'] })}
            />
          )}
        </Field>
        <Field label={t('document:lab_date')} error={badDate ? t('document:bad_date') : refused('date')}>
          {(control) => (
            <DateInput
              {...control}
              locale={locale}
              value={values.date}
              onInvalid={setBadDate}
              onChange={(civil) => set({ date: civil })}
            />
          )}
        </Field>
        <Field label={t('document:lab_sample')} error={refused('sample')}>
          {(control) => (
            <Input {...control} value={values.sample} onChange={(event) => set({ sample: event.target.value })} />
          )}
        </Field>
      </div>
      <datalist id={`${list}-tests`}>
        {known.map((test) => (
          <option key={test.key} value={test.name}>
            {test.last.unit}
          </option>
        ))}
      </datalist>
      <datalist id={`${list}-units`}>
        {[...new Set(known.flatMap((test) => test.last.unit ?? []))].map((unit) => (
          <option key={unit} value={unit}>
            {unit}
          </option>
        ))}
      </datalist>
      {failure && issues.length === 0 && <Notice tone="bad">{vocabulary.error(failure)}</Notice>}
      <div className="row">
        <Button type="submit" variant="primary" aria-disabled={busy}>
          {row ? t('app:action.save') : t('document:lab_save_next')}
        </Button>
        <Button onClick={onClose}>{row ? t('app:action.cancel') : t('app:action.close')}</Button>
        {onRemove && (
          <Button variant="quiet" className="push" onClick={onRemove}>
            {t('document:row_remove')}
          </Button>
        )}
      </div>
    </form>
  );
}
