import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { EventRow } from '../../../../src-shared/contract/events.ts';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { useFormats } from '../../../client/format.ts';
import { OptionList } from '../../../ui/combobox.tsx';
import { useToasts } from '../../../client/toasts.tsx';

const NO_EVENT = 'none';

/** The event that a document belongs to: one of the patient's, a new one under the typed title, or none. */
export function EventField({
  label,
  document,
  onSave,
  onClose,
}: {
  label: string;
  document: DocumentDetail;
  onSave: (eventId: number | null) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('document');
  const formats = useFormats();
  const patient = document.patient_id;
  const events = usePatientEvents(patient);
  const save = (eventId: number | null): void => {
    onSave(eventId);
    onClose();
  };
  const create = useCreateEvent(document, save);
  const options = [
    ...(document.event_id === null ? [] : [{ value: NO_EVENT, label: t('event_none') }]),
    ...events.map((event) => ({ value: String(event.id), label: event.title, note: formats.date(event.date_start) })),
  ];
  const choose = (value: string): void => {
    if (value !== NO_EVENT && !events.some((event) => String(event.id) === value)) create.mutate(value);
    else save(value === NO_EVENT ? null : Number(value));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  };
  return (
    <div
      className="name-editor float"
      onKeyDown={onKeyDown}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) onClose();
      }}
    >
      <OptionList
        label={label}
        placeholder={t('find')}
        emptyText={patient === null ? t('event_no_patient') : t('event_nothing')}
        options={options}
        selected={document.event_id === null ? [] : [String(document.event_id)]}
        onChoose={choose}
        {...(patient !== null && { free: (typed: string) => t('event_new', { title: typed }) })}
      />
    </div>
  );
}

function usePatientEvents(patient: number | null): readonly EventRow[] {
  return (
    useQuery({
      queryKey: [...cacheKeys.events, 'of', patient],
      enabled: patient !== null,
      queryFn: ({ signal }) =>
        call(contract.events.list, { query: { patient_id: String(patient), limit: '500' } }, signal),
    }).data?.items ?? []
  );
}

/** Creates an event under a typed title, dated like the document. */
function useCreateEvent(document: DocumentDetail, onCreated: (eventId: number) => void) {
  const client = useQueryClient();
  const { showError } = useToasts();
  return useMutation({
    mutationFn: (title: string) =>
      call(contract.events.create, {
        body: { patient_id: document.patient_id ?? 0, title, date_start: document.event_date },
      }),
    onSuccess: ({ id }) => {
      void client.invalidateQueries({ queryKey: cacheKeys.events });
      onCreated(id);
    },
    onError: showError,
  });
}
