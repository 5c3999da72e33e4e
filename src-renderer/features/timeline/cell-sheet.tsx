import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { dayNumber } from '../../../src-shared/medical/civil-date.ts';
import { documentName } from '../../client/document-name.ts';
import { useFormats } from '../../client/format.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { SideSheet } from '../../ui/dialog.tsx';
import { ErrorState, SkeletonLines } from '../../ui/states.tsx';
import type { Span } from './axis.ts';
import type { Chosen } from './chart.tsx';
import type { Items } from './cells.ts';
import { LISTED, useDocumentsBetween } from './queries.ts';

interface Entry {
  key: string;
  id: number | null;
  title: string;
  note: string;
  date: string;
  warn: string;
}
/** Room at both sides of a place that one looks at closer, as a share of it. */
const AROUND = 0.5;
const MIN_DAYS = 30;

/** Lists the entries of one cell of the axis. */
export function CellSheet({
  selected: { kind, cell },
  patient,
  specialty,
  onClose,
  onSpan,
}: {
  selected: Chosen;
  patient: string;
  specialty: string | undefined;
  onClose: () => void;
  onSpan: (change: (span: Span) => Span) => void;
}) {
  const { t } = useTranslation('timeline');
  const formats = useFormats();
  const vocabulary = useVocabulary();
  const counted = useDocumentsBetween(patient, cell.from, cell.to, specialty, cell.items === null);
  const entries = cell.items
    ? entriesOf()
    : (counted.data?.items ?? []).map((item): Entry => ({
        key: String(item.id),
        id: item.id,
        title: documentName(item),
        note: [vocabulary.documentType(item.doc_type), item.doctor_name].filter(Boolean).join(' · '),
        date: item.event_date ?? '',
        warn: '',
      }));

  function entriesOf(): Entry[] {
    switch (kind) {
      case 'documents':
        return (cell.items as Items['documents']).map((item) => ({
          key: String(item.id),
          id: item.id,
          title: item.title,
          note: [vocabulary.documentType(item.doc_type), item.doctor_name].filter(Boolean).join(' · '),
          date: item.date,
          warn: '',
        }));
      case 'results':
        return (cell.items as Items['results']).map((item) => ({
          key: `${item.document_id} ${item.date}`,
          id: item.document_id,
          title: t('results_count', { count: item.results }),
          note: '',
          date: item.date,
          warn: item.abnormal > 0 ? t('abnormal_count', { count: item.abnormal }) : '',
        }));
      case 'imaging':
        return (cell.items as Items['imaging']).map((item) => ({
          key: String(item.id),
          id: item.document_id,
          title: [item.modality, item.body_part].filter(Boolean).join(' ') || t('imaging'),
          note: '',
          date: item.date,
          warn: '',
        }));
    }
  }
  const closer = (): void =>
    onSpan(() => {
      const from = dayNumber(cell.from),
        to = dayNumber(cell.to) + 1,
        around = Math.max((to - from) * AROUND, (MIN_DAYS - (to - from)) / 2, 0);
      return { from: from - around, to: to + around };
    });
  const title =
    cell.from === cell.to ? formats.dateFull(cell.from) : `${formats.date(cell.from)} – ${formats.date(cell.to)}`;
  const total = cell.items ? entries.length : (counted.data?.total ?? 0);
  return (
    <SideSheet
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={title}
      closeLabel={t('close')}
    >
      <div className="panel-body stack">
        <p className="muted">
          {[
            t(`${kind}_count`, { count: cell.count }),
            cell.abnormal > 0 ? t('abnormal_count', { count: cell.abnormal }) : null,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <div className="row tl-actions">
          <Button size="small" onClick={closer}>
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
      {counted.isPending && cell.items === null && <SkeletonLines count={4} label={t('loading')} />}
      {counted.error && <ErrorState message={vocabulary.error(counted.error)} />}
      {cell.items === null && kind !== 'documents' && entries.length > 0 && (
        <h3 className="tl-of-days">{t('of_these_days')}</h3>
      )}
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
      {total > entries.length && entries.length > 0 && (
        <p className="panel-body cap">{t('many', { count: LISTED, total: formats.count(total) })}</p>
      )}
    </SideSheet>
  );
}
