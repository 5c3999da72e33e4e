import type { VoicemailRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { saveFiles } from '../export/zip.ts';
import type { PhoneLabels } from '../labels.ts';
import type { PdfExport } from '../pdf/pdf-head.ts';
import { rowsPdf, type PdfColumn } from '../pdf/rows-pdf.ts';
import { usePreview } from '../preview/preview-dialog.tsx';
import { allRows, useRowsOf } from '../queries.ts';
import { outgoingOf, type Origin } from '../send/outgoing.ts';
import type { Task } from '../task.ts';
import { Toolbar } from '../toolbar.tsx';
import { RowTable, type Column } from './row-table.tsx';
import type { ViewProps } from './view-props.ts';

/** The file of a message; null if the backup does not have it. */
function originOf(
  { file_id: fileId, relative_path: path, received_at: at }: VoicemailRow,
  what: string,
): Origin | null {
  return fileId === null ? null : { fileId, path: path ?? '', domain: 'HomeDomain', at, what };
}

/** Voicemail messages, with their transcripts. */
export default function VoicemailView({ source, labels }: ViewProps) {
  const { t } = labels;
  const title = t('view.voicemail');
  const rows = useRowsOf(source, 'voicemail', {});
  const openPreview = usePreview();
  const loadAll = (): Promise<VoicemailRow[]> => allRows(source, 'voicemail', {});
  const saveZip = async (task: Task): Promise<void> => {
    const origins = (await loadAll()).map((row) => originOf(row, title)).filter((origin) => origin !== null);
    const files = origins.map((origin) => outgoingOf(origin, source.device, labels));
    await saveFiles(source, files, 'voicemail.zip', labels, task);
  };
  const makePdf = async (): Promise<PdfExport> => {
    const messages = await loadAll();
    const times = messages.map((row) => row.received_at);
    return rowsPdf(
      { title, lines: [], rows: messages, times, what: title, columns: pdfColumns(labels) },
      source.device,
      labels,
    );
  };
  const open = (row: VoicemailRow): void => {
    const origin = originOf(row, title);
    if (origin) openPreview({ ...origin, name: callerOf(row, labels) });
  };
  return (
    <>
      <Toolbar
        title={title}
        count={rows.total}
        source={source}
        labels={labels}
        pdf={rows.total ? makePdf : null}
        exports={rows.total ? [{ name: t('as_zip'), run: saveZip }] : []}
      />
      <RowTable
        rows={rows}
        label={title}
        idOf={(row) => row.voicemail_identifier}
        labels={labels}
        empty={{ title: t('none_of', { what: title }), text: t('none_text') }}
        onOpen={open}
        columns={voicemailColumns(labels)}
      />
    </>
  );
}

const callerOf = (row: VoicemailRow, { t }: PhoneLabels): string =>
  row.sender_name ?? row.sender ?? t('unknown_number');
const momentText = (row: VoicemailRow, labels: PhoneLabels): string =>
  `${labels.day(row.received_at)} ${labels.time(row.received_at)}`;

function pdfColumns(labels: PhoneLabels): PdfColumn<VoicemailRow>[] {
  const { t } = labels;
  return [
    { name: t('date'), share: 2.4, cell: (row) => momentText(row, labels) },
    { name: t('who'), share: 3, cell: (row) => callerOf(row, labels) },
    { name: t('transcript'), share: 6, cell: (row) => row.transcript },
    { name: t('length'), share: 1.2, cell: (row) => labels.duration(row.duration_seconds) },
  ];
}

function voicemailColumns(labels: PhoneLabels): Column<VoicemailRow>[] {
  const { t } = labels;
  return [
    { name: t('who'), width: 'minmax(0, 1.4fr)', cell: (row) => callerOf(row, labels) },
    {
      name: t('transcript'),
      width: 'minmax(0, 2fr)',
      cell: (row) => row.transcript,
      title: (row) => row.transcript ?? undefined,
    },
    {
      name: t('date'),
      width: '160px',
      cell: (row) => momentText(row, labels),
      title: (row) => labels.exact(row.received_at),
      isNumber: true,
    },
    { name: t('length'), width: '80px', cell: (row) => labels.duration(row.duration_seconds), isNumber: true },
  ];
}
