import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ExcludedLabResult, LabPoint, LabSeries } from '../../../src-shared/contract/labs.ts';
import { DoubtMark } from '../../client/doubt-mark.tsx';
import { FLAG_SIGNS, labValueText, rangeOf } from '../../client/lab-text.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { nameOf } from './groups.ts';
import type { LabLabels } from './labels.ts';
import '../../ui/table/table.css';

/** Number of rows shown at first. */
const PAGE_SIZE = 100;

/** All results of a series, newest first, with the printed values and a link to the page. */
export function SeriesTable({ series, labels }: { series: LabSeries; labels: LabLabels }) {
  const { t } = labels;
  const [shown, setShown] = useState(PAGE_SIZE);
  const points = series.points.toReversed();
  if (points.length === 0) return null;
  const remaining = points.length - shown;
  return (
    <div className="panel table-panel">
      <table className="table lab-table">
        <caption className="sr-only">{t('table', { name: nameOf(series.test, labels.language) })}</caption>
        <thead>
          <tr>
            <th scope="col">{t('date')}</th>
            <th scope="col" className="r">
              {series.unit ?? t('value')}
            </th>
            <th scope="col">{t('range')}</th>
            <th scope="col" className="lab-wide">
              {t('laboratory')}
            </th>
            <th scope="col">
              <span className="sr-only">{t('open_page')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {points.slice(0, shown).map((point) => (
            <PointRow key={point.id} point={point} labels={labels} />
          ))}
        </tbody>
      </table>
      {remaining > 0 && (
        <p className="lab-more">
          <Button size="small" onClick={() => setShown(shown + PAGE_SIZE)}>
            {t('more', { count: Math.min(remaining, PAGE_SIZE) })}
          </Button>
        </p>
      )}
    </div>
  );
}

function PointRow({ point, labels }: { point: LabPoint; labels: LabLabels }) {
  const { t } = labels;
  return (
    <tr>
      <th scope="row" className="num">
        {labels.date(point.date)}
      </th>
      <td className={classNames('num r', point.flag && (point.flag === 'low' ? 'low' : 'high'))}>
        {labels.point(point)}
        {point.flag && (
          <>
            <span aria-hidden="true"> {FLAG_SIGNS[point.flag]}</span>
            <span className="sr-only"> {labels.flag(point.flag)}</span>
          </>
        )}
        <DoubtMark doubt={point.doubt} />
        {labels.printed(point).map((text) => (
          <span key={text} className="cap lab-printed">
            {text}
          </span>
        ))}
      </td>
      <td className="cap num">{labels.range(rangeOf(point), point.converted)}</td>
      <td className="muted lab-wide" title={point.laboratory ?? undefined}>
        {point.laboratory ?? <span className="cap">{t('unknown_laboratory')}</span>}
        <Copies row={point} labels={labels} />
      </td>
      <td className="r">
        <OpenPage row={point} labels={labels} />
      </td>
    </tr>
  );
}

function Copies({ row, labels }: { row: LabPoint | ExcludedLabResult; labels: LabLabels }) {
  const { t } = labels;
  if (row.also_in.length === 0) return null;
  const documents = row.also_in.filter((twin) => twin.document_id !== null);
  return (
    <span className="cap lab-copies">
      {t('also_in')}{' '}
      {documents.map((twin, index) => (
        <span key={twin.id}>
          {index > 0 && ', '}
          <Link
            to="/documents/$id"
            params={{ id: String(twin.document_id) }}
            search={(search) => ({ patient: search.patient, value: `lab:${twin.id}` })}
          >
            {twin.document_filename}
          </Link>
        </span>
      ))}
      {documents.length < row.also_in.length && ` ${t('no_document')}`}
    </span>
  );
}

function OpenPage({ row, labels }: { row: LabPoint | ExcludedLabResult; labels: LabLabels }) {
  const { t } = labels;
  if (row.document_id === null) return <span className="cap">{t('no_document')}</span>;
  return (
    <Link
      to="/documents/$id"
      params={{ id: String(row.document_id) }}
      search={(search) => ({ patient: search.patient, value: `lab:${row.id}` })}
      className={buttonClass({ size: 'small' })}
      aria-label={t('open_page_of', { date: labels.date(row.date) || t('undated') })}
    >
      {t('open_page')}
    </Link>
  );
}

/** Results that are not in the chart, with the reason. */
export function ApartTable({ series, labels }: { series: LabSeries; labels: LabLabels }) {
  const { t } = labels;
  const [shown, setShown] = useState(PAGE_SIZE);
  if (series.apart.length === 0) return null;
  const rows = series.apart.toReversed();
  return (
    <section className="lab-apart" aria-label={t('apart')}>
      <h2>{t('apart')}</h2>
      <div className="panel table-panel">
        <table className="table lab-table">
          <thead>
            <tr>
              <th scope="col">{t('date')}</th>
              <th scope="col">{t('value')}</th>
              <th scope="col">{t('reason')}</th>
              <th scope="col">
                <span className="sr-only">{t('open_page')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row) => (
              <tr key={row.id}>
                <th scope="row" className="num">
                  {labels.date(row.date) || t('undated')}
                </th>
                <td className={classNames('num', row.flag && (row.flag === 'low' ? 'low' : 'high'))}>
                  {labValueText(row, labels.locale)}
                  {row.unit && `\u202f${row.unit}`}
                  <DoubtMark doubt={row.doubt} />
                </td>
                <td className="muted">
                  {t(`reason_${row.reason}`)}
                  <Copies row={row} labels={labels} />
                </td>
                <td className="r">
                  <OpenPage row={row} labels={labels} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length > shown && (
          <p className="lab-more">
            <Button size="small" onClick={() => setShown(shown + PAGE_SIZE)}>
              {t('more', { count: Math.min(rows.length - shown, PAGE_SIZE) })}
            </Button>
          </p>
        )}
      </div>
    </section>
  );
}
