import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, Pencil, Trash2, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TRASH_DAYS } from '../../../../src-shared/contract/trash.ts';
import type { Patient } from '../../../../src-shared/contract/patients.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { useFormats } from '../../../client/format.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { useRestore } from '../../../client/restore.ts';
import { useMayEdit, usePatients } from '../../../client/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Notice } from '../../../ui/states.tsx';
import { useToasts } from '../../../client/toasts.tsx';
import { PatientForm, type PatientDraft } from './patient-form.tsx';

/** The patients of the household: add, edit, or move a patient with all documents to the trash. */
export function PatientsPanel() {
  const { t } = useTranslation();
  const vocabulary = useVocabulary();
  const patients = usePatients();
  const mayEdit = useMayEdit();
  const [open, setOpen] = useState<number | 'new' | null>(null);
  const [patientToRemove, setPatientToRemove] = useState<Patient | null>(null);
  const { save, remove } = useDeeds(() => setOpen(null));
  const form = (patient: Patient | null) => (
    <PatientForm
      patient={patient}
      isBusy={save.isPending}
      failure={save.isError ? vocabulary.error(save.error) : null}
      onCancel={() => {
        save.reset();
        setOpen(null);
      }}
      onSave={(draft) => save.mutate({ patient, draft })}
    />
  );
  return (
    <Panel
      title={t('settings.patients')}
      actions={
        mayEdit && open === null ? (
          <Button className="push" size="small" glyph={UserPlus} onClick={() => setOpen('new')}>
            {t('patient.add')}
          </Button>
        ) : undefined
      }
    >
      <ul className="lines">
        {patients.map((patient) =>
          open === patient.id ? (
            <li key={patient.id}>{form(patient)}</li>
          ) : (
            <PatientLine
              key={patient.id}
              patient={patient}
              onEdit={() => setOpen(patient.id)}
              onRemove={() => setPatientToRemove(patient)}
            />
          ),
        )}
        {open === 'new' && <li>{form(null)}</li>}
      </ul>
      {patientToRemove && (
        <RemoveDialog
          patient={patientToRemove}
          onClose={() => setPatientToRemove(null)}
          onConfirm={() => {
            remove.mutate(patientToRemove);
            setPatientToRemove(null);
          }}
        />
      )}
    </Panel>
  );
}

/** Says before the removal how many documents go with the patient, and for how long they can be restored. */
function RemoveDialog({
  patient,
  onClose,
  onConfirm,
}: {
  patient: Patient;
  onClose: () => void;
  onConfirm: () => void;
}) {
  const { t } = useTranslation();
  const vocabulary = useVocabulary();
  const { data, error } = useQuery({
    queryKey: [...cacheKeys.patients, patient.id],
    queryFn: ({ signal }) => call(contract.patients.get, { params: { id: String(patient.id) } }, signal),
    staleTime: 0,
  });
  const name = patient.display_name;
  const ask = (count: number): string =>
    count === 0 ? t('patient.delete_question_none', { name }) : t('patient.delete_question', { name, count });
  return (
    <Dialog open onOpenChange={onClose} title={t('patient.delete', { name })}>
      {error && <Notice tone="bad">{vocabulary.error(error)}</Notice>}
      {!error && <p>{data ? ask(data.document_count) : t('app.loading')}</p>}
      <p className="muted">{t('patient.delete_days', { count: TRASH_DAYS })}</p>
      <div className="dialog-actions">
        <Button onClick={onClose}>{t('action.cancel')}</Button>
        <Button variant="danger" disabled={!data} onClick={onConfirm}>
          {t('patient.delete_confirm')}
        </Button>
      </div>
    </Dialog>
  );
}

function PatientLine({ patient, onEdit, onRemove }: { patient: Patient; onEdit: () => void; onRemove: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const name = patient.display_name;
  return (
    <li className="patient-row">
      <span className="strong truncate">{name}</span>
      <span className="muted num">{formats.date(patient.date_of_birth)}</span>
      <span className="mono cap truncate">{patient.slug}</span>
      <span className="row">
        {patient.role !== 'viewer' && (
          <IconButton size="small" glyph={Pencil} label={t('patient.edit', { name })} onClick={onEdit} />
        )}
        {patient.role === 'owner' && (
          <Menu trigger={<IconButton size="small" glyph={Ellipsis} label={t('patient.more', { name })} />}>
            <MenuItem isDangerous glyph={Trash2} onSelect={onRemove}>
              {t('patient.delete_menu')}
            </MenuItem>
          </Menu>
        )}
      </span>
    </li>
  );
}

const draftOf = ({ display_name, date_of_birth, sex }: Patient): PatientDraft => ({ display_name, date_of_birth, sex });

function useDeeds(onSaved: () => void) {
  const client = useQueryClient();
  const { begin } = useToasts();
  const restore = useRestore();
  const refresh = (): void => {
    for (const queryKey of [
      cacheKeys.patients,
      cacheKeys.people,
      cacheKeys.me,
      cacheKeys.documents,
      cacheKeys.today,
      cacheKeys.trash,
    ])
      void client.invalidateQueries({ queryKey });
  };
  const update = (id: number, body: PatientDraft) =>
    call(contract.patients.update, { params: { id: String(id) }, body });
  const save = useMutation({
    mutationFn: ({ patient, draft }: { patient: Patient | null; draft: PatientDraft }) =>
      patient ? update(patient.id, draft) : call(contract.patients.create, { body: draft }),
    onMutate: begin,
    onError: (_, __, change) => change?.drop(),
    onSuccess: ({ display_name: name }, { patient }, change) => {
      refresh();
      onSaved();
      change.done({
        text: ({ t }) => t(patient ? 'patient.changed' : 'patient.added', { name }),
        ...(patient && { undo: () => update(patient.id, draftOf(patient)).then(refresh) }),
      });
    },
  });
  const remove = useMutation({
    mutationFn: (patient: Patient) => call(contract.patients.remove, { params: { id: String(patient.id) } }),
    onMutate: begin,
    onSuccess: ({ trash_id }, { display_name: name }, change) => {
      refresh();
      change.done({
        text: ({ t }) => t('patient.deleted', { name }),
        undo: () => restore(trash_id).then(refresh),
      });
    },
    onError: (error, _, change) => change?.fail(error),
  });
  return { save, remove };
}
