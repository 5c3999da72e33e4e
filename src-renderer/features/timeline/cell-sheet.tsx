import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { DocumentListItem } from '../../../src-shared/contract/rows.ts';
import { dayNumber } from '../../../src-shared/medical/civil-date.ts';
import { useTitles, type TitleFacts } from '../../client/document-title.ts';
import { useFormats } from '../../client/format.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { SideSheet } from '../../ui/dialog.tsx';
import { ErrorState, SkeletonLines } from '../../ui/states.tsx';
import type { Span } from './axis.ts';
import type { SelectedCell } from './chart.tsx';
import type { Cell, Items, Kind } from './cells.ts';
import { MAX_LISTED, useDocumentsBetween } from './queries.ts';
import { useResultFlags } from './use-result-flags.ts';

interface Entry {
  key: string;
  id: number | null;
  title: string;
  note: string;
  date: string;
  warn: string;
}
/** Margin on both sides when zooming to a cell, as a share of its days. */
const MARGIN = 0.5;
const MIN_DAYS = 30;

/** Lists the entries of one cell of the axis. */
export function CellSheet({
  selected: { kind, cell },
  patient,
  specialty,
  onClose,
  onSpan,
}: {
  selected: SelectedCell;
  patient: string;
  specialty: string | undefined;
  onClose: () => void;
  onSpan: (change: (span: Span) => Span) => void;
}) {
  const { t } = useTranslation('timeline');
  const formats = useFormats();
  const vocabulary = useVocabulary();
  const { entries, total, query } = useEntries(kind, cell, patient, specialty);
  const title =
    cell.from === cell.to ? formats.dateFull(cell.from) : `${formats.date(cell.from)} – ${formats.date(cell.to)}`;
  return (
    <SideSheet
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={title}
      closeLabel={t('close')}
    >
      <CellSummary
        kind={kind}
        cell={cell}
        patient={patient}
        specialty={specialty}
        onZoom={() => onSpan(() => spanAround(cell))}
      />
      {query.isPending && cell.items === null && <SkeletonLines count={4} label={t('loading')} />}
      {query.error && <ErrorState message={vocabulary.error(query.error)} />}
      {cell.items === null && kind !== 'documents' && entries.length > 0 && (
        <h3 className="tl-of-days">{t('of_these_days')}</h3>
      )}
      <EntryList entries={entries} />
      {total > entries.length && entries.length > 0 && (
        <p className="panel-body cap">{t('many', { count: MAX_LISTED, total: formats.count(total) })}</p>
      )}
    </SideSheet>
  );
}

/** Counts of the cell, with links to zoom in and to the list of its documents. */
function CellSummary({
  kind,
  cell,
  patient,
  specialty,
  onZoom,
}: SelectedCell & { patient: string; specialty: string | undefined; onZoom: () => void }) {
  const { t } = useTranslation('timeline');
  const flags = useResultFlags();
  return (
    <div className="panel-body stack">
      <p className="muted">{[t(`${kind}_count`, { count: cell.count }), ...flags(cell)].filter(Boolean).join(' · ')}</p>
      <div className="row tl-actions">
        <Button size="small" onClick={onZoom}>
          {t('closer')}
        </Button>
        <Link
          className={buttonClass({ size: 'small' })}
          to="/documents"
          search={{ patient, date_from: cell.from, date_to: cell.to, ...(specialty && { specialty }) }}
        >
          {t('all_documents')}
        </Link>
      </div>
    </div>
  );
}

/** The span that shows the days of a cell with some context. */
function spanAround(cell: Cell): Span {
  const from = dayNumber(cell.from);
  const to = dayNumber(cell.to) + 1;
  const margin = Math.max((to - from) * MARGIN, (MIN_DAYS - (to - from)) / 2, 0);
  return { from: from - margin, to: to + margin };
}

/** The entries of a cell; loaded as documents if the server sent only counts. */
function useEntries(kind: Kind, cell: Cell, patient: string, specialty: string | undefined) {
  const entriesOf = useEntriesOf();
  const query = useDocumentsBetween(patient, cell.from, cell.to, specialty, cell.items === null);
  const entries = cell.items ? entriesOf[kind](cell.items) : (query.data?.items ?? []).map(entriesOf.document);
  return { entries, total: cell.items ? entries.length : (query.data?.total ?? 0), query };
}

function useEntriesOf() {
  const { t } = useTranslation('timeline');
  const titles = useTitles();
  const flags = useResultFlags();
  const note = (item: TitleFacts): string => [titles.notable(item), item.doctor_name].filter(Boolean).join(' · ');
  return {
    document: (item: DocumentListItem): Entry => ({
      key: String(item.id),
      id: item.id,
      title: titles.title(item),
      note: note(item),
      date: item.event_date ?? '',
      warn: '',
    }),
    documents: (items: Items[Kind]) =>
      (items as Items['documents']).map((item): Entry => ({
        key: String(item.id),
        id: item.id,
        title: titles.title(item),
        note: note(item),
        date: item.date,
        warn: '',
      })),
    results: (items: Items[Kind]) =>
      (items as Items['results']).map((item): Entry => ({
        key: `${item.document_id} ${item.date}`,
        id: item.document_id,
        title: t('results_count', { count: item.results }),
        note: '',
        date: item.date,
        warn: flags(item).join(' · '),
      })),
    imaging: (items: Items[Kind]) =>
      (items as Items['imaging']).map((item): Entry => ({
        key: String(item.id),
        id: item.document_id,
        title: [item.modality, item.body_part].filter(Boolean).join(' ') || t('imaging'),
        note: '',
        date: item.date,
        warn: '',
      })),
  };
}

function EntryList({ entries }: { entries: readonly Entry[] }) {
  const formats = useFormats();
  return (
    <ul className="lines">
      {entries.map((entry) => (
        <li key={entry.key} className="tl-entry">
          <span className="tl-entry-words">
            <span className="strong truncate">
              {entry.id === null ? (
                entry.title
              ) : (
                <Link to="/documents/$id" params={{ id: String(entry.id) }}>
                  {entry.title}
                </Link>
              )}
            </span>
            <span className="cap truncate">
              {entry.note}
              {entry.warn && <span className="high">▲ {entry.warn}</span>}
            </span>
          </span>
          <span className="cap num">{formats.date(entry.date)}</span>
        </li>
      ))}
    </ul>
  );
}
