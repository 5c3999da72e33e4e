import { useQuery } from '@tanstack/react-query';
import { CalendarRange } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { useFormats } from '../../../client/format.ts';
import { Button } from '../../../ui/button.tsx';
import { OptionList } from '../../../ui/combobox.tsx';
import { Popover } from '../../../ui/popover.tsx';

/** The picker of an event of the patient to whom all selected documents belong. */
export function BulkEvent({
  patientId,
  onChoose,
}: {
  patientId: number;
  onChoose: (event: { id: number; title: string }) => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [open, setOpen] = useState(false);
  const events =
    useQuery({
      queryKey: [...cacheKeys.events, 'of', patientId],
      enabled: open,
      queryFn: ({ signal }) =>
        call(contract.events.list, { query: { patient_id: String(patientId), limit: '500' } }, signal),
    }).data?.items ?? [];
  return (
    <Popover
      label={t('documents.event_label')}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button size="small" glyph={CalendarRange}>
          {t('column.event')}
        </Button>
      }
    >
      <OptionList
        label={t('documents.event_label')}
        placeholder={t('filter.find', { what: t('column.event') })}
        emptyText={t('filter.nothing')}
        selected={[]}
        options={events.map((event) => ({
          value: String(event.id),
          label: event.title,
          note: formats.date(event.date_start),
        }))}
        onChoose={(value) => {
          const event = events.find(({ id }) => String(id) === value);
          setOpen(false);
          if (event) onChoose(event);
        }}
      />
    </Popover>
  );
}
