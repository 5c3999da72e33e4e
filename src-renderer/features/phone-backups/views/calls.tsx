import { PhoneIncoming, PhoneMissed, PhoneOutgoing, Video } from 'lucide-react';
import type { CallRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { Icon } from '../../../ui/icon.tsx';
import { saveCsv } from '../export/save-csv.ts';
import type { PhoneLabels } from '../labels.ts';
import type { PdfExport } from '../pdf/pdf-head.ts';
import { MAX_ROWS, rowsPdf, type PdfColumn } from '../pdf/rows-pdf.ts';
import { allRows, useRowsOf } from '../queries.ts';
import { Toolbar } from '../toolbar.tsx';
import { useSearchState } from '../use-search-state.ts';
import { RowTable, type Column } from './row-table.tsx';
import type { ViewProps } from './view-props.ts';

type CallKind = 'outgoing' | 'incoming' | 'missed';
const CALL_GLYPHS = { outgoing: PhoneOutgoing, incoming: PhoneIncoming, missed: PhoneMissed };

function kindOf({ direction, is_answered: isAnswered }: Pick<CallRow, 'direction' | 'is_answered'>): CallKind {
  if (direction === 'outgoing') return 'outgoing';
  return isAnswered ? 'incoming' : 'missed';
}

/** Calls, newest first. */
export default function CallsView({ source, labels }: ViewProps) {
  const { t } = labels;
  const { search, set } = useSearchState();
  const request = { query: { q: search.filter } };
  const rows = useRowsOf(source, 'calls', request);
  const loadCalls = (): Promise<CallRow[]> => allRows(source, 'calls', request);
  const makePdf = async (): Promise<PdfExport> => {
    const calls = await loadCalls();
    const [title, times] = [t('view.calls'), calls.map((row) => row.started_at)];
    return rowsPdf(
      { title, lines: [], rows: calls, times, what: title, columns: pdfColumns(labels) },
      source.device,
      labels,
    );
  };
  return (
    <>
      <Toolbar
        title={t('view.calls')}
        count={rows.total}
        source={source}
        labels={labels}
        pdf={rows.total && rows.total <= MAX_ROWS ? makePdf : null}
        exports={rows.total ? [{ name: t('as_csv'), run: async () => saveCallsCsv(await loadCalls()) }] : []}
        filter={{
          value: search.filter ?? '',
          label: t('filter_people'),
          onChange: (text) => set({ filter: text || undefined }),
        }}
      />
      <RowTable
        rows={rows}
        label={t('view.calls')}
        idOf={(row) => row.call_identifier}
        labels={labels}
        empty={{
          title: search.filter ? t('no_match') : t('none_of', { what: t('view.calls') }),
          text: t('none_text'),
        }}
        columns={callColumns(labels)}
      />
    </>
  );
}

function saveCallsCsv(calls: readonly CallRow[]): void {
  saveCsv(
    'calls.csv',
    ['started_at', 'direction', 'answered', 'name', 'number', 'service', 'seconds'],
    calls.map((row) => [
      row.started_at,
      row.direction,
      row.is_answered,
      row.name,
      row.address,
      row.service,
      row.duration_seconds,
    ]),
  );
}

const callerOf = (row: CallRow, { t }: PhoneLabels): string => row.name ?? row.address ?? t('unknown_number');
const momentText = (row: CallRow, labels: PhoneLabels): string =>
  `${labels.day(row.started_at)} ${labels.time(row.started_at)}`;
const durationText = (row: CallRow, labels: PhoneLabels): string =>
  row.is_answered ? labels.duration(row.duration_seconds) : '';

function pdfColumns(labels: PhoneLabels): PdfColumn<CallRow>[] {
  const { t } = labels;
  return [
    { name: t('date'), share: 3, cell: (row) => momentText(row, labels) },
    { name: t('who'), share: 4, cell: (row) => callerOf(row, labels) },
    { name: t('number'), share: 3, cell: (row) => row.address },
    { name: t('what'), share: 2, cell: (row) => t(kindOf(row)) },
    { name: t('length'), share: 1.4, cell: (row) => durationText(row, labels) },
  ];
}

function callColumns(labels: PhoneLabels): Column<CallRow>[] {
  const { t } = labels;
  return [
    { name: t('who'), width: 'minmax(0, 2fr)', cell: (row) => <CallerCell call={row} labels={labels} /> },
    { name: t('what'), width: 'minmax(0, 1fr)', cell: (row) => t(kindOf(row)) },
    { name: t('number'), width: 'minmax(0, 1.4fr)', cell: (row) => <span className="num">{row.address}</span> },
    {
      name: t('date'),
      width: '160px',
      cell: (row) => momentText(row, labels),
      title: (row) => labels.exact(row.started_at),
      isNumber: true,
    },
    { name: t('length'), width: '80px', cell: (row) => durationText(row, labels), isNumber: true },
  ];
}

function CallerCell({ call, labels }: { call: CallRow; labels: PhoneLabels }) {
  return (
    <span className="row">
      <Icon glyph={CALL_GLYPHS[kindOf(call)]} size={14} />
      <span className={kindOf(call) === 'missed' ? 'truncate phone-missed' : 'truncate'}>{callerOf(call, labels)}</span>
      {call.is_video && <Icon glyph={Video} size={13} />}
    </span>
  );
}
