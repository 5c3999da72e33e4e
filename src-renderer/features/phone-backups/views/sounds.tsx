import type { ViewProps } from './view-props.ts';
import { saveFiles } from '../export/zip.ts';
import type { PdfExport } from '../pdf/pdf-head.ts';
import { rowsPdf } from '../pdf/rows-pdf.ts';
import { usePreview } from '../preview/preview-dialog.tsx';
import { allRows, useRowsOf } from '../queries.ts';
import { outgoingOf } from '../send/outgoing.ts';
import type { Task } from '../task.ts';
import { Toolbar } from '../toolbar.tsx';
import { RowTable } from './row-table.tsx';

/** Voice messages. */
export function VoicemailView({ source, labels }: ViewProps) {
  const { t } = labels;
  const rows = useRowsOf(source, 'voicemail', {});
  const open = usePreview();
  const save = async (task: Task): Promise<void> =>
    saveFiles(
      source,
      (await allRows(source, 'voicemail', {})).flatMap((row) =>
        row.file_id === null
          ? []
          : [
              outgoingOf(
                {
                  fileId: row.file_id,
                  path: row.relative_path ?? '',
                  domain: 'HomeDomain',
                  at: row.received_at,
                  what: t('view.voicemail'),
                },
                source.device,
                labels,
              ),
            ],
      ),
      'voicemail.zip',
      labels,
      task,
    );
  const pdf = async (): Promise<PdfExport> => {
    const all = await allRows(source, 'voicemail', {});
    return rowsPdf(
      {
        title: t('view.voicemail'),
        lines: [],
        rows: all,
        times: all.map((row) => row.received_at),
        what: t('view.voicemail'),
        columns: [
          {
            name: t('date'),
            share: 2.4,
            cell: (row) => `${labels.day(row.received_at)} ${labels.time(row.received_at)}`,
          },
          { name: t('who'), share: 3, cell: (row) => row.sender_name ?? row.sender ?? t('unknown_number') },
          { name: t('transcript'), share: 6, cell: (row) => row.transcript },
          { name: t('length'), share: 1.2, cell: (row) => labels.duration(row.duration_seconds) },
        ],
      },
      source.device,
      labels,
    );
  };
  return (
    <>
      <Toolbar
        title={t('view.voicemail')}
        count={rows.total}
        source={source}
        labels={labels}
        pdf={rows.total ? pdf : null}
        exports={rows.total ? [{ name: t('as_zip'), run: save }] : []}
      />
      <RowTable
        rows={rows}
        label={t('view.voicemail')}
        idOf={(row) => row.voicemail_identifier}
        labels={labels}
        nothing={{ title: t('none_of', { what: t('view.voicemail') }), text: t('none_text') }}
        onOpen={(row) => {
          if (row.file_id !== null)
            open({
              fileId: row.file_id,
              name: row.sender_name ?? row.sender ?? t('unknown_number'),
              path: row.relative_path ?? '',
              domain: 'HomeDomain',
              at: row.received_at,
              what: t('view.voicemail'),
            });
        }}
        columns={[
          {
            name: t('who'),
            width: 'minmax(0, 1.4fr)',
            cell: (row) => row.sender_name ?? row.sender ?? t('unknown_number'),
          },
          {
            name: t('transcript'),
            width: 'minmax(0, 2fr)',
            cell: (row) => row.transcript,
            title: (row) => row.transcript ?? undefined,
          },
          {
            name: t('date'),
            width: '160px',
            cell: (row) => `${labels.day(row.received_at)} ${labels.time(row.received_at)}`,
            title: (row) => labels.exact(row.received_at),
            isNumber: true,
          },
          { name: t('length'), width: '80px', cell: (row) => labels.duration(row.duration_seconds), isNumber: true },
        ]}
      />
    </>
  );
}

/** Voice memos. */
export function RecordingsView({ source, labels }: ViewProps) {
  const { t } = labels;
  const domain = 'AppDomainGroup-group.com.apple.VoiceMemos.shared';
  const rows = useRowsOf(source, 'recordings', {});
  const open = usePreview();
  const save = async (task: Task): Promise<void> =>
    saveFiles(
      source,
      (await allRows(source, 'recordings', {})).flatMap((row) =>
        row.file_id === null
          ? []
          : [
              outgoingOf(
                {
                  fileId: row.file_id,
                  path: row.relative_path ?? '',
                  domain,
                  at: row.recorded_at,
                  what: t('view.recordings'),
                },
                source.device,
                labels,
              ),
            ],
      ),
      'recordings.zip',
      labels,
      task,
    );
  return (
    <>
      <Toolbar
        title={t('view.recordings')}
        count={rows.total}
        source={source}
        labels={labels}
        exports={rows.total ? [{ name: t('as_zip'), run: save }] : []}
      />
      <RowTable
        rows={rows}
        label={t('view.recordings')}
        idOf={(row) => row.recording_identifier}
        labels={labels}
        nothing={{ title: t('none_of', { what: t('view.recordings') }), text: t('none_text') }}
        onOpen={(row) => {
          if (row.file_id !== null)
            open({
              fileId: row.file_id,
              name: row.title ?? t('untitled'),
              path: row.relative_path ?? '',
              domain,
              at: row.recorded_at,
              what: t('view.recordings'),
            });
        }}
        columns={[
          { name: t('name'), width: 'minmax(0, 2fr)', cell: (row) => row.title ?? t('untitled') },
          {
            name: t('folder'),
            width: 'minmax(0, 1fr)',
            cell: (row) => [row.folder, row.is_deleted && t('deleted_note')].filter(Boolean).join(' · '),
          },
          {
            name: t('date'),
            width: '160px',
            cell: (row) => `${labels.day(row.recorded_at)} ${labels.time(row.recorded_at)}`,
            title: (row) => labels.exact(row.recorded_at),
            isNumber: true,
          },
          { name: t('length'), width: '80px', cell: (row) => labels.duration(row.duration_seconds), isNumber: true },
        ]}
      />
    </>
  );
}
