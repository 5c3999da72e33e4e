import { PhoneIncoming, PhoneMissed, PhoneOutgoing, Video } from 'lucide-react';
import type { CallRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { Icon } from '../../../ui/icon.tsx';
import type { ViewProps } from './view-props.ts';
import { csvOf } from '../export/csv.ts';
import { saveBlob } from '../export/download.ts';
import type { PdfExport } from '../pdf/pdf-head.ts';
import { MAX_ROWS, rowsPdf } from '../pdf/rows-pdf.ts';
import { allRows, useRowsOf } from '../queries.ts';
import { Toolbar } from '../toolbar.tsx';
import { useSearchState } from '../use-search-state.ts';
import { RowTable } from './row-table.tsx';

type CallKind = 'outgoing' | 'incoming' | 'missed';
const CALL_GLYPHS = { outgoing: PhoneOutgoing, incoming: PhoneIncoming, missed: PhoneMissed };

function kindOf({ direction, is_answered: isAnswered }: Pick<CallRow, 'direction' | 'is_answered'>): CallKind {
  if (direction === 'outgoing') return 'outgoing';
  return isAnswered ? 'incoming' : 'missed';
}

/** Calls, newest first. */
export function CallsView({ source, labels }: ViewProps) {
  const { t } = labels;
  const { search, set } = useSearchState();
  const request = { query: { q: search.filter } };
  const rows = useRowsOf(source, 'calls', request);
  const csv = async (): Promise<void> =>
    saveBlob(
      new Blob(
        [
          csvOf(
            ['started_at', 'direction', 'answered', 'name', 'number', 'service', 'seconds'],
            (await allRows(source, 'calls', request)).map((row) => [
              row.started_at,
              row.direction,
              row.is_answered,
              row.name,
              row.address,
              row.service,
              row.duration_seconds,
            ]),
          ),
        ],
        { type: 'text/csv' },
      ),
      'calls.csv',
    );
  const pdf = async (): Promise<PdfExport> => {
    const calls = await allRows(source, 'calls', request);
    return rowsPdf(
      {
        title: t('view.calls'),
        lines: [],
        rows: calls,
        times: calls.map((row) => row.started_at),
        what: t('view.calls'),
        columns: [
          { name: t('date'), share: 3, cell: (row) => `${labels.day(row.started_at)} ${labels.time(row.started_at)}` },
          { name: t('who'), share: 4, cell: (row) => row.name ?? row.address ?? t('unknown_number') },
          { name: t('number'), share: 3, cell: (row) => row.address },
          {
            name: t('what'),
            share: 2,
            cell: (row) => t(kindOf(row)),
          },
          {
            name: t('length'),
            share: 1.4,
            cell: (row) => (row.is_answered ? labels.duration(row.duration_seconds) : ''),
          },
        ],
      },
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
        pdf={rows.total && rows.total <= MAX_ROWS ? pdf : null}
        exports={rows.total ? [{ name: t('as_csv'), run: csv }] : []}
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
        nothing={{
          title: search.filter ? t('no_match') : t('none_of', { what: t('view.calls') }),
          text: t('none_text'),
        }}
        columns={[
          {
            name: t('who'),
            width: 'minmax(0, 2fr)',
            cell: (row) => (
              <span className="row">
                <Icon glyph={CALL_GLYPHS[kindOf(row)]} size={14} />
                <span
                  className={row.direction === 'incoming' && !row.is_answered ? 'truncate phone-missed' : 'truncate'}
                >
                  {row.name ?? row.address ?? t('unknown_number')}
                </span>
                {row.is_video && <Icon glyph={Video} size={13} />}
              </span>
            ),
          },
          {
            name: t('what'),
            width: 'minmax(0, 1fr)',
            cell: (row) => t(kindOf(row)),
          },
          { name: t('number'), width: 'minmax(0, 1.4fr)', cell: (row) => <span className="num">{row.address}</span> },
          {
            name: t('date'),
            width: '160px',
            cell: (row) => `${labels.day(row.started_at)} ${labels.time(row.started_at)}`,
            title: (row) => labels.exact(row.started_at),
            isNumber: true,
          },
          {
            name: t('length'),
            width: '80px',
            cell: (row) => (row.is_answered ? labels.duration(row.duration_seconds) : ''),
            isNumber: true,
          },
        ]}
      />
    </>
  );
}

/** Accounts that were set up on the phone; passwords are never read. */
export function AccountsView({ source, labels }: ViewProps) {
  const { t } = labels;
  const rows = useRowsOf(source, 'accounts', {});
  const csv = async (): Promise<void> =>
    saveBlob(
      new Blob(
        [
          csvOf(
            ['type', 'username', 'description', 'owner', 'created_at'],
            (await allRows(source, 'accounts', {})).map((row) => [
              row.type,
              row.username,
              row.description,
              row.owner,
              row.created_at,
            ]),
          ),
        ],
        { type: 'text/csv' },
      ),
      'accounts.csv',
    );
  return (
    <>
      <Toolbar
        title={t('view.accounts')}
        count={rows.total}
        source={source}
        labels={labels}
        exports={rows.total ? [{ name: t('as_csv'), run: csv }] : []}
      >
        <span className="cap">{t('accounts_text')}</span>
      </Toolbar>
      <RowTable
        rows={rows}
        label={t('view.accounts')}
        idOf={(row) => row.account_identifier}
        labels={labels}
        nothing={{ title: t('none_of', { what: t('view.accounts') }), text: t('none_text') }}
        columns={[
          {
            name: t('account'),
            width: 'minmax(0, 1.4fr)',
            cell: (row) => row.username ?? row.description ?? row.account_identifier,
            title: (row) => row.account_identifier,
          },
          { name: t('account_type'), width: 'minmax(0, 1fr)', cell: (row) => row.type },
          { name: t('account_name'), width: 'minmax(0, 1fr)', cell: (row) => row.description },
          { name: t('owner'), width: 'minmax(0, 1.2fr)', cell: (row) => <span className="mono">{row.owner}</span> },
          {
            name: t('since'),
            width: '112px',
            cell: (row) => labels.day(row.created_at),
            title: (row) => labels.exact(row.created_at),
            isNumber: true,
          },
        ]}
      />
    </>
  );
}

/** Installed apps, and how much of them the backup holds. */
export function AppsView({ source, labels }: ViewProps) {
  const { t, formats } = labels;
  const { search, set } = useSearchState();
  const rows = useRowsOf(source, 'apps', { query: { q: search.filter } });
  return (
    <>
      <Toolbar
        title={t('view.apps')}
        count={rows.total}
        source={source}
        labels={labels}
        filter={{
          value: search.filter ?? '',
          label: t('filter'),
          onChange: (text) => set({ filter: text || undefined }),
        }}
      />
      <RowTable
        rows={rows}
        label={t('view.apps')}
        idOf={(row) => row.bundle_identifier}
        labels={labels}
        onOpen={(row) => set({ view: 'files', filter: undefined, domain: `AppDomain-${row.bundle_identifier}` })}
        nothing={{
          title: search.filter ? t('no_match') : t('none_of', { what: t('view.apps') }),
          text: t('none_text'),
        }}
        columns={[
          { name: t('name'), width: 'minmax(0, 1.4fr)', cell: (row) => row.name ?? row.bundle_identifier },
          {
            name: t('bundle'),
            width: 'minmax(0, 2fr)',
            cell: (row) => <span className="mono">{row.bundle_identifier}</span>,
          },
          { name: t('version'), width: '110px', cell: (row) => row.version },
          { name: t('files_column'), width: '90px', cell: (row) => formats.count(row.file_count), isNumber: true },
          {
            name: t('size'),
            width: '90px',
            cell: (row) => (row.has_data ? formats.bytes(row.size_bytes) : '–'),
            isNumber: true,
          },
        ]}
      />
    </>
  );
}
