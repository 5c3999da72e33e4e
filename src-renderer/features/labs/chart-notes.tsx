import { Link } from '@tanstack/react-router';
import type { LabPoint, LabSeries } from '../../../src-shared/contract/labs.ts';
import { rangeOf } from '../../client/lab-text.ts';
import { nameOf } from './groups.ts';
import type { LabLabels } from './labels.ts';

/** Explains in words what the chart shows by colors and shapes: ranges, conversions, open markers, copies. */
export function ChartNote({ all, labels }: { all: readonly LabSeries[]; labels: LabLabels }) {
  const { t } = labels;
  const points = all.flatMap((series) => series.points);
  const conversions = all.flatMap((series) => series.conversions);
  const copies = points.reduce((sum, point) => sum + point.also_in.length, 0);
  const hasRange = points.some((point) => point.reference_range_low !== null || point.reference_range_high !== null);
  const parts = [
    ...(all.length === 1 ? [t(hasRange ? 'band' : 'band_none')] : []),
    ...(conversions.length === 0
      ? [t('as_printed')]
      : conversions.map(({ from, factor, offset, by, count }) => {
          const textParams = {
            count,
            from,
            factor: labels.axis(Number(factor.toPrecision(4))),
            offset: `${offset < 0 ? '−' : '+'} ${labels.axis(Number(Math.abs(offset).toPrecision(4)))}`,
            how: by === 'substance' ? t('by_substance') : '',
          };
          return offset === 0 ? t('converted', textParams) : t('converted_offset', textParams);
        })),
    ...(points.some((point) => point.comparator !== null) ? [t('open_markers')] : []),
    ...(copies > 0 ? [t('copies', { count: copies })] : []),
  ];
  return <p className="cap lab-note">{parts.join(' ')}</p>;
}

/** The tooltip of a result in the chart. */
export function Tip({
  series,
  point,
  isCompared,
  labels,
}: {
  series: LabSeries;
  point: LabPoint;
  isCompared: boolean;
  labels: LabLabels;
}) {
  const { t } = labels;
  const range = labels.range(rangeOf(point), point.converted);
  return (
    <>
      {isCompared && <span className="cap">{nameOf(series.test, labels.language)}</span>}
      <strong className="num">
        {labels.point(point)}
        {series.unit && `\u202f${series.unit}`}
        {point.flag && <span className={point.flag === 'low' ? 'low' : 'high'}> {labels.flag(point.flag)}</span>}
      </strong>
      <span className="num">{labels.date(point.date)}</span>
      {range !== '' && (
        <span className="cap num">
          {t('range')}: {range}
        </span>
      )}
      {point.laboratory && <span className="cap">{point.laboratory}</span>}
      {labels.printed(point).map((text) => (
        <span key={text} className="cap num">
          {text}
        </span>
      ))}
      {point.also_in.length > 0 && <span className="cap">{t('also', { count: point.also_in.length })}</span>}
    </>
  );
}

/** The events and medicines of the chart as a list. */
export function NotesList({ series, labels }: { series: LabSeries; labels: LabLabels }) {
  const { t } = labels;
  const rows = [
    ...series.events.map(({ id, title, date_start, date_end }) => ({
      key: `event ${id}`,
      kind: t('event'),
      title,
      date: date_start,
      until: date_end,
      document: null,
    })),
    ...series.medications.map(({ id, document_id, name, dosage, date }) => ({
      key: `medicine ${id}`,
      kind: t('medicine'),
      title: [name, dosage].filter(Boolean).join(' '),
      date,
      until: null,
      document: document_id,
    })),
  ].sort((a, b) => b.date.localeCompare(a.date));
  if (rows.length === 0) return null;
  return (
    <details className="lab-notes">
      <summary>
        {t('notes_list')} <span className="cap num">{rows.length}</span>
      </summary>
      <ul>
        {rows.map(({ key, kind, title, date, until, document }) => (
          <li key={key} className="row">
            <span className="cap num lab-notes-date">
              {labels.date(date)}
              {until && ` – ${labels.date(until)}`}
            </span>
            <span className="cap">{kind}</span>
            {document === null ? (
              <span className="truncate">{title}</span>
            ) : (
              <Link
                className="truncate"
                to="/documents/$id"
                params={{ id: String(document) }}
                search={(search) => ({ patient: search.patient })}
              >
                {title}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
