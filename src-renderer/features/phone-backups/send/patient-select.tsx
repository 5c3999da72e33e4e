import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { usePatients } from '../../../client/session.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import type { PhoneLabels } from '../labels.ts';

/** The id of the patient to send to: the one that is shown, else the only one; empty until the user selects one. */
export function useSelectedPatient() {
  const patients = usePatients();
  const { patient: shownPatient } = useSearch({ strict: false });
  return useState(shownPatient ?? (patients.length === 1 ? String(patients[0]?.id) : ''));
}

interface Props {
  value: string;
  onChange: (patientId: string) => void;
  hint?: string;
  labels: PhoneLabels;
}

/** Asks to whose record the items belong. */
export function PatientSelect({ value, onChange, hint, labels: { t } }: Props) {
  const patients = usePatients();
  return (
    <Field label={t('whose')} {...(hint !== undefined && { hint })}>
      {(control) => (
        <Select
          {...control}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          options={[
            ...(value === '' ? [{ value: '', label: t('choose_person') }] : []),
            ...patients.map(({ id, display_name: name }) => ({ value: String(id), label: name })),
          ]}
        />
      )}
    </Field>
  );
}
