import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Patient } from '../../../../src-shared/contract/patients.ts';
import { today } from '../../../client/clock.ts';
import { useFormats } from '../../../client/format.ts';
import { Button } from '../../../ui/button.tsx';
import { DateInput } from '../../../ui/date-input.tsx';
import { Field, Input, Select } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/states.tsx';

export type PatientDraft = Pick<Patient, 'display_name' | 'date_of_birth' | 'sex'>;

/** Name, birth date and sex, by which documents are assigned. `failure` is the error of the last attempt. */
export function PatientForm({
  patient,
  failure,
  isBusy,
  onSave,
  onCancel,
}: {
  patient: PatientDraft | null;
  failure: string | null;
  isBusy: boolean;
  onSave: (draft: PatientDraft) => void;
  onCancel: () => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [name, setName] = useState(patient?.display_name ?? '');
  const [birth, setBirth] = useState(patient?.date_of_birth ?? '');
  const [sex, setSex] = useState<string>(patient?.sex ?? '');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSave({ display_name: name.trim(), date_of_birth: birth || null, sex: (sex || null) as Patient['sex'] });
  };
  return (
    <form className="panel-body stack patient-form" onSubmit={submit}>
      {failure !== null && <Notice tone="bad">{failure}</Notice>}
      <Field label={t('patient.name')}>
        {(control) => (
          <Input {...control} required autoFocus value={name} onChange={(event) => setName(event.target.value)} />
        )}
      </Field>
      <Field label={t('patient.birth')}>
        {(control) => (
          <DateInput {...control} locale={formats.locale} latest={today()} value={birth} onChange={setBirth} />
        )}
      </Field>
      <Field label={t('patient.sex')}>
        {(control) => (
          <Select
            {...control}
            value={sex}
            onChange={(event) => setSex(event.target.value)}
            options={[
              { value: '', label: t('patient.sex_unset') },
              { value: 'F', label: t('patient.sex_F') },
              { value: 'M', label: t('patient.sex_M') },
              { value: 'O', label: t('patient.sex_O') },
            ]}
          />
        )}
      </Field>
      <div className="row">
        <Button type="submit" variant="primary" disabled={isBusy}>
          {t('action.save')}
        </Button>
        <Button onClick={onCancel}>{t('action.cancel')}</Button>
      </div>
    </form>
  );
}
