import type { ReminderRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import type { PhoneLabels } from '../labels.ts';
import { useRowsOf } from '../queries.ts';
import { Toolbar } from '../toolbar.tsx';
import { RowTable, type Column } from './row-table.tsx';
import type { ViewProps } from './view-props.ts';

/** Reminders of all lists: open ones first. */
export default function RemindersView({ source, labels }: ViewProps) {
  const { t } = labels;
  const title = t('view.reminders');
  const rows = useRowsOf(source, 'reminders', {});
  return (
    <>
      <Toolbar title={title} count={rows.total} source={source} labels={labels} exports={[]} />
      <RowTable
        rows={rows}
        label={title}
        idOf={(row) => row.reminder_identifier}
        labels={labels}
        empty={{ title: t('none_of', { what: title }), text: t('none_text') }}
        columns={reminderColumns(labels)}
      />
    </>
  );
}

const dueText = ({ due_at: at, is_all_day: isAllDay }: ReminderRow, labels: PhoneLabels): string =>
  isAllDay ? labels.day(at) : `${labels.day(at)} ${labels.time(at)}`;

function reminderColumns(labels: PhoneLabels): Column<ReminderRow>[] {
  const { t } = labels;
  return [
    {
      name: t('name'),
      width: 'minmax(0, 2fr)',
      cell: (row) => [row.title ?? t('untitled'), row.notes].filter(Boolean).join(' · '),
      title: (row) => row.notes ?? '',
    },
    { name: t('reminder_list'), width: 'minmax(0, 1fr)', cell: (row) => row.list ?? '' },
    { name: t('reminder_due'), width: '160px', cell: (row) => dueText(row, labels), isNumber: true },
    {
      name: t('reminder_done'),
      width: '160px',
      cell: (row) => (row.is_completed ? labels.day(row.completed_at) || '✓' : ''),
      isNumber: true,
    },
  ];
}
