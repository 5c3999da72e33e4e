import { PhoneIncoming, PhoneMissed, PhoneOutgoing, Video } from 'lucide-react';
import { Icon } from '../../../ui/icon.tsx';
import type { ViewProps } from '../browse.tsx';
import { csvOf } from '../export/csv.ts';
import { saveBlob } from '../export/download.ts';
import type { WrittenPaper } from '../paper/paper-head.ts';
import { MOST_ROWS, rowsPaper } from '../paper/rows-paper.ts';
import { allRows, useRowsOf } from '../queries.ts';
import { Toolbar } from '../toolbar.tsx';
import { useSearchState } from '../use-search-state.ts';
import { RowTable } from './row-table.tsx';

/** Calls, last one first. */
export function CallsView({ source, words }: ViewProps) {
  const { t } = words;
  const { search, set } = useSearchState();
  const asked = { query: { q: search.filter } };
  const rows = useRowsOf(source, 'calls', asked);
  const csv = async (): Promise<void> => saveBlob(new Blob([csvOf(['started_at', 'direction', 'answered', 'name', 'number', 'service', 'seconds'], (await allRows(source, 'calls', asked)).map((row) => [row.started_at, row.direction, row.is_answered, row.name, row.address, row.service, row.duration_seconds]))], { type: 'text/csv' }), 'calls.csv');
  const paper = async (): Promise<WrittenPaper> => {
    const calls = await allRows(source, 'calls', asked);
    return rowsPaper({ title: t('view.calls'), lines: [], rows: calls, times: calls.map((row) => row.started_at), what: t('view.calls'), columns: [
      { name: t('date'), share: 3, cell: (row) => `${words.day(row.started_at)} ${words.time(row.started_at)}` }, { name: t('who'), share: 4, cell: (row) => row.name ?? row.address ?? t('unknown_number') }, { name: t('number'), share: 3, cell: (row) => row.address },
      { name: t('what'), share: 2, cell: (row) => t(row.direction === 'outgoing' ? 'outgoing' : row.is_answered ? 'incoming' : 'missed') }, { name: t('length'), share: 1.4, cell: (row) => (row.is_answered ? words.duration(row.duration_seconds) : '') },
    ] }, source.device, words);
  };
  return (
    <>
      <Toolbar title={t('view.calls')} count={rows.total} source={source} words={words} paper={rows.total && rows.total <= MOST_ROWS ? paper : null} exports={rows.total ? [{ name: t('as_csv'), run: csv }] : []} filter={{ value: search.filter ?? '', label: t('filter_people'), onChange: (text) => set({ filter: text || undefined }) }} />
      <RowTable rows={rows} label={t('view.calls')} idOf={(row) => row.call_identifier} words={words} nothing={{ title: search.filter ? t('no_match') : t('none_of', { what: t('view.calls') }), text: t('none_text') }} columns={[
        { name: t('who'), width: 'minmax(0, 2fr)', cell: (row) => <span className="row"><Icon glyph={row.direction === 'outgoing' ? PhoneOutgoing : row.is_answered ? PhoneIncoming : PhoneMissed} size={14} /><span className={row.direction === 'incoming' && !row.is_answered ? 'truncate phone-missed' : 'truncate'}>{row.name ?? row.address ?? t('unknown_number')}</span>{row.is_video && <Icon glyph={Video} size={13} />}</span> },
        { name: t('what'), width: 'minmax(0, 1fr)', cell: (row) => t(row.direction === 'outgoing' ? 'outgoing' : row.is_answered ? 'incoming' : 'missed') },
        { name: t('number'), width: 'minmax(0, 1.4fr)', cell: (row) => <span className="num">{row.address}</span> },
        { name: t('date'), width: '160px', cell: (row) => `${words.day(row.started_at)} ${words.time(row.started_at)}`, title: (row) => words.exact(row.started_at), isNumber: true },
        { name: t('length'), width: '80px', cell: (row) => (row.is_answered ? words.duration(row.duration_seconds) : ''), isNumber: true },
      ]} />
    </>
  );
}

/** Medicines of the health app. */
export function MedicationsView({ source, words }: ViewProps) {
  const { t, formats } = words;
  const rows = useRowsOf(source, 'medications', {});
  const csv = async (): Promise<void> => saveBlob(new Blob([csvOf(['name', 'form', 'strength', 'taken_at', 'quantity', 'unit', 'status'], (await allRows(source, 'medications', {})).flatMap((row) => (row.doses.length === 0 ? [[row.name, row.form, row.strength, null, null, null, null]] : row.doses.map((dose) => [row.name, row.form, row.strength, dose.taken_at, dose.quantity, dose.unit, dose.status]))))], { type: 'text/csv' }), 'medications.csv');
  return (
    <>
      <Toolbar title={t('view.medications')} count={rows.total} source={source} words={words} exports={rows.total ? [{ name: t('as_csv'), run: csv }] : []} />
      <RowTable rows={rows} label={t('view.medications')} idOf={(row) => row.medication_identifier} words={words} nothing={{ title: t('none_of', { what: t('view.medications') }), text: source.device.isEncrypted ? t('none_text') : t('no_health') }} columns={[
        { name: t('name'), width: 'minmax(0, 2fr)', cell: (row) => row.nickname ?? row.name },
        { name: t('form'), width: 'minmax(0, 1fr)', cell: (row) => row.form },
        { name: t('strength'), width: 'minmax(0, 1fr)', cell: (row) => row.strength },
        { name: t('doses'), width: '100px', cell: (row) => formats.count(row.doses.filter(({ status }) => status === 'taken').length), isNumber: true },
        { name: t('last_taken'), width: '120px', cell: (row) => words.day(row.doses.map(({ taken_at: at }) => at).filter((at) => at !== null).sort().at(-1) ?? null), isNumber: true },
      ]} />
    </>
  );
}

/** Installed apps, and how much of them the backup holds. */
export function AppsView({ source, words }: ViewProps) {
  const { t, formats } = words;
  const { search, set } = useSearchState();
  const rows = useRowsOf(source, 'apps', { query: { q: search.filter } });
  return (
    <>
      <Toolbar title={t('view.apps')} count={rows.total} source={source} words={words} filter={{ value: search.filter ?? '', label: t('filter'), onChange: (text) => set({ filter: text || undefined }) }} />
      <RowTable rows={rows} label={t('view.apps')} idOf={(row) => row.bundle_identifier} words={words} onOpen={(row) => set({ view: 'files', filter: undefined, domain: `AppDomain-${row.bundle_identifier}` })} nothing={{ title: search.filter ? t('no_match') : t('none_of', { what: t('view.apps') }), text: t('none_text') }} columns={[
        { name: t('name'), width: 'minmax(0, 1.4fr)', cell: (row) => row.name ?? row.bundle_identifier },
        { name: t('bundle'), width: 'minmax(0, 2fr)', cell: (row) => <span className="mono">{row.bundle_identifier}</span> },
        { name: t('version'), width: '110px', cell: (row) => row.version },
        { name: t('files_column'), width: '90px', cell: (row) => formats.count(row.file_count), isNumber: true },
        { name: t('size'), width: '90px', cell: (row) => (row.has_data ? formats.bytes(row.size_bytes) : '–'), isNumber: true },
      ]} />
    </>
  );
}
