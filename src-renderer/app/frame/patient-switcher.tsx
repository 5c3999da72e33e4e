import { ChevronsUpDown, Users } from 'lucide-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ageOn, today } from '../../client/clock.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem, MenuRule } from '../../ui/menu.tsx';
import { forgetPatient, useRememberPatient } from '../../client/last-patient.ts';
import { useFormats } from '../../client/format.ts';
import { PersonMark } from '../../client/people.tsx';
import { usePatients } from '../../client/session.tsx';

/** Marks of people that are shown on top of each other for everyone. */
const MAX_STACKED = 4;

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
  useRememberPatient(patientId);
  const choose = (id: string | undefined): void => {
    if (id === undefined) forgetPatient();
    void navigate({ to: '.', search: (search) => ({ ...search, patient: id }) });
  };
  const note = patient?.date_of_birth
    ? t('patient.age', { age: ageOn(patient.date_of_birth, today()), born: formats.date(patient.date_of_birth) })
    : t('patient.all', { count: patients.length });
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className="patient" title={t('patient.switch', { name })}>
          {isCollapsed && <span className="sr-only">{name}</span>}
          {patient ? (
            <PersonMark id={patient.id} name={patient.display_name} size="large" />
          ) : (
            <span className="person-stack" aria-hidden="true">
              {patients.slice(0, isCollapsed ? 1 : MAX_STACKED).map(({ id, display_name }) => (
                <PersonMark key={id} id={id} name={display_name} size="medium" />
              ))}
            </span>
          )}
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
        <MenuItem
          key={candidate.id}
          mark={<PersonMark id={candidate.id} name={candidate.display_name} />}
          onSelect={() => choose(String(candidate.id))}
        >
          {candidate.display_name}
        </MenuItem>
      ))}
    </Menu>
  );
}
