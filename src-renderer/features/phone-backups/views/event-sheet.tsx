import type { EventRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { SideSheet } from '../../../ui/dialog.tsx';
import { eventFacts } from '../event-facts.ts';
import type { PhoneLabels } from '../labels.ts';
import '../facts.css';
import '../preview/preview.css';

/** Shows a calendar entry at the side: time, place, reminders, participants and notes. */
export function EventSheet({
  event,
  calendar,
  labels,
  onClose,
}: {
  event: EventRow;
  calendar: string;
  labels: PhoneLabels;
  onClose: () => void;
}) {
  const { t } = labels;
  return (
    <SideSheet
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      title={event.title ?? t('untitled')}
      closeLabel={t('close')}
    >
      <div className="phone-sheet">
        <dl className="phone-facts phone-event-facts">
          {eventFacts(event, calendar, labels).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </SideSheet>
  );
}
