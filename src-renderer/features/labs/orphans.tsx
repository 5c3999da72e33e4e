import { Link } from '@tanstack/react-router';
import { ArrowLeft, Link2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { LabResult } from '../../../src-shared/contract/labs.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { flagOf, labValueText, rangeOf, rangeText } from '../../client/lab-text.ts';
import { useMayEdit } from '../../client/session.tsx';
import { useTestName } from '../../client/test-name.ts';
import { buttonClass } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx';
import { AttachDialog } from './attach-dialog.tsx';
import { useDeleteResult, useOrphans } from './queries.ts';
import type { LabLabels } from './labels.ts';
import '../../ui/table/table.css';

/** Results that stayed with the patient when their document was deleted. */
export function Orphans({ patient, labels }: { patient: string; labels: LabLabels }) {
  const { t } = labels;
  const vocabulary = useVocabulary();
  const { data, error, refetch } = useOrphans(patient);
  const [resultToAttach, setAttaching] = useState<LabResult | null>(null);
  return (
    <div className="page lab-orphans">
      <div className="page-head">
        <h1>{t('orphans_title')}</h1>
        <span className="push">
          <Link to="/labs" search={(search) => ({ patient: search.patient })} className={buttonClass()}>
            <Icon glyph={ArrowLeft} />
            {t('to_trends')}
          </Link>
        </span>
      </div>
      <p className="muted lab-note">{t('orphans_text')}</p>
      {error && <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />}
      {!data && !error && (
        <div className="panel">
          <SkeletonLines count={4} label={t('loading')} />
        </div>
      )}
      {data?.items.length === 0 && <EmptyState title={t('orphans_none')} />}
      {data && data.items.length > 0 && (
        <div className="panel table-panel">
          <table className="table lab-table">
            <caption className="sr-only">{t('orphans_title')}</caption>
            <OrphanHead labels={labels} />
            <tbody>
              {data.items.map((row) => (
                <OrphanRow key={row.id} row={row} labels={labels} onAttach={() => setAttaching(row)} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {resultToAttach && <AttachDialog result={resultToAttach} labels={labels} onClose={() => setAttaching(null)} />}
    </div>
  );
}

const OrphanHead = ({ labels: { t } }: { labels: LabLabels }) => (
  <thead>
    <tr>
      <th scope="col">{t('test')}</th>
      <th scope="col">{t('date')}</th>
      <th scope="col" className="r">
        {t('value')}
      </th>
      <th scope="col">{t('unit')}</th>
      <th scope="col" className="lab-wide">
        {t('range')}
      </th>
      <th scope="col">
        <span className="sr-only">{t('delete')}</span>
      </th>
    </tr>
  </thead>
);

function OrphanRow({ row, labels, onAttach }: { row: LabResult; labels: LabLabels; onAttach: () => void }) {
  const { t, locale } = labels;
  const mayEdit = useMayEdit();
  const remove = useDeleteResult();
  const name = useTestName()(row);
  const date = labels.date(row.test_date) || t('undated');
  const flag = flagOf(row);
  return (
    <tr>
      <th scope="row" className="strong">
        {name}
      </th>
      <td className="num">{date}</td>
      <td className={classNames('num r', flag && (flag === 'low' ? 'low' : 'high'))}>
        {labValueText(row, locale)}
        {flag && (
          <>
            <span aria-hidden="true"> {flag === 'low' ? '▼' : '▲'}</span>
            <span className="sr-only"> {labels.flag(flag)}</span>
          </>
        )}
      </td>
      <td className="muted">{row.unit}</td>
      <td className="cap num lab-wide">{rangeText(rangeOf(row), locale)}</td>
      <td className="r">
        {mayEdit && (
          <>
            <IconButton glyph={Link2} size="small" label={t('attach_of', { name, date })} onClick={onAttach} />
            <IconButton
              glyph={Trash2}
              size="small"
              label={t('delete_of', { name, date })}
              disabled={remove.isPending}
              onClick={() => remove.mutate(row)}
            />
          </>
        )}
      </td>
    </tr>
  );
}
