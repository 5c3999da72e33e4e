import { ChevronsUpDown, Users } from 'lucide-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ageOn, today } from '../../client/clock.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem, MenuRule } from '../../ui/menu.tsx';
import { useFormats } from '../../client/format.ts';
import { usePatients } from '../../client/session.tsx';

/** The two initials of a person. */
export const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word[0] ?? '')
    .filter((_, index, all) => index === 0 || index === all.length - 1)
    .join('')
    .toUpperCase();

/** Selects the patient; the selection is part of the address and stays from page to page. */
export function PatientSwitcher({ collapsed: isCollapsed }: { collapsed: boolean }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const navigate = useNavigate();
  const patients = usePatients();
  const patientId = useSearch({ strict: false }).patient;
  const patient =
    patients.find((candidate) => String(candidate.id) === patientId) ??
    (patients.length === 1 ? patients[0] : undefined);
  const name = patient?.display_name ?? t('patient.everyone');
  const choose = (id: string | undefined) =>
    void navigate({ to: '.', search: (search) => ({ ...search, patient: id }) });
  const note = patient?.date_of_birth
    ? t('patient.age', { age: ageOn(patient.date_of_birth, today()), born: formats.date(patient.date_of_birth) })
    : t('patient.all', { count: patients.length });
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className="patient" title={t('patient.switch', { name })}>
          {isCollapsed && <span className="sr-only">{name}</span>}
          <span className="patient-mark" aria-hidden="true" translate="no">
            {patient ? initialsOf(patient.display_name) : <Icon glyph={Users} />}
          </span>
          {!isCollapsed && (
            <span className="patient-words">
              <span className="truncate strong">{name}</span>
              <span className="cap truncate num">{note}</span>
            </span>
          )}
          {!isCollapsed && patients.length > 1 && <Icon glyph={ChevronsUpDown} size={14} />}
        </button>
      }
    >
      {patients.length > 1 && (
        <MenuItem glyph={Users} onSelect={() => choose(undefined)}>
          {t('patient.everyone')}
        </MenuItem>
      )}
      {patients.length > 1 && <MenuRule />}
      {patients.map((candidate) => (
        <MenuItem key={candidate.id} onSelect={() => choose(String(candidate.id))}>
          {candidate.display_name}
        </MenuItem>
      ))}
    </Menu>
  );
}
