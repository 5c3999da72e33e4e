import type { RecordingRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { saveFiles } from '../export/zip.ts';
import type { PhoneLabels } from '../labels.ts';
import { usePreview } from '../preview/preview-dialog.tsx';
import { allRows, useRowsOf } from '../queries.ts';
import { outgoingOf, type Origin } from '../send/outgoing.ts';
import type { Task } from '../task.ts';
import { Toolbar } from '../toolbar.tsx';
import { RowTable, type Column } from './row-table.tsx';
import type { ViewProps } from './view-props.ts';

const DOMAIN = 'AppDomainGroup-group.com.apple.VoiceMemos.shared';

/** The file of a recording; null if the backup does not have it. */
function originOf(
  { file_id: fileId, relative_path: path, recorded_at: at }: RecordingRow,
  what: string,
): Origin | null {
  return fileId === null ? null : { fileId, path: path ?? '', domain: DOMAIN, at, what };
}

/** Recordings of Voice Memos. */
export default function RecordingsView({ source, labels }: ViewProps) {
  const { t } = labels;
  const title = t('view.recordings');
  const rows = useRowsOf(source, 'recordings', {});
  const openPreview = usePreview();
  const saveZip = async (task: Task): Promise<void> => {
    const recordings = await allRows(source, 'recordings', {});
    const origins = recordings.map((row) => originOf(row, title)).filter((origin) => origin !== null);
    const files = origins.map((origin) => outgoingOf(origin, source.device, labels));
    await saveFiles(source, files, 'recordings.zip', labels, task);
  };
  const open = (row: RecordingRow): void => {
    const origin = originOf(row, title);
    if (origin) openPreview({ ...origin, name: row.title ?? t('untitled') });
  };
  return (
    <>
      <Toolbar
        title={title}
        count={rows.total}
        source={source}
        labels={labels}
        exports={rows.total ? [{ name: t('as_zip'), run: saveZip }] : []}
      />
      <RowTable
        rows={rows}
        label={title}
        idOf={(row) => row.recording_identifier}
        labels={labels}
        empty={{ title: t('none_of', { what: title }), text: t('none_text') }}
        onOpen={open}
        columns={recordingColumns(labels)}
      />
    </>
  );
}

function recordingColumns(labels: PhoneLabels): Column<RecordingRow>[] {
  const { t } = labels;
  return [
    { name: t('name'), width: 'minmax(0, 2fr)', cell: (row) => row.title ?? t('untitled') },
    {
      name: t('folder'),
      width: 'minmax(0, 1fr)',
      cell: (row) => [row.folder, row.is_deleted && t('recently_deleted')].filter(Boolean).join(' · '),
    },
    {
      name: t('date'),
      width: '160px',
      cell: (row) => `${labels.day(row.recorded_at)} ${labels.time(row.recorded_at)}`,
      title: (row) => labels.exact(row.recorded_at),
      isNumber: true,
    },
    { name: t('length'), width: '80px', cell: (row) => labels.duration(row.duration_seconds), isNumber: true },
  ];
}
