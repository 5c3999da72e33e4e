import { Link, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Reply } from '../../../src-shared/contract/endpoint.ts';
import { contract } from '../../client/api.ts';
import { today as todayDate } from '../../client/clock.ts';
import { documentName } from '../../client/document-name.ts';
import { PipelineStatus } from '../../client/pipeline-status.tsx';
import { useOverview, usePipelineStatus } from '../../client/overview.ts';
import { useFormats } from '../../client/format.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { useMayEdit } from '../../client/session.tsx';
import { buttonClass, Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx';
import { AbnormalPanel } from './abnormal.tsx';
import './today.css';

/** Maximum number of rows per panel; the document list shows them all. */
const MAX_REVIEWS = 8;

type Overview = Reply<typeof contract.today.overview>;

/** The Today page: what needs attention now. */
export default function TodayPage() {
  const { t } = useTranslation();
  const formats = useFormats();
  const vocabulary = useVocabulary();
  const patient = useSearch({ strict: false }).patient;
  const { data, error, refetch } = useOverview(patient);
  const status = usePipelineStatus(true).data;
  const busy = status && (status.current_job !== null || status.queued_jobs.length > 0);
  return (
    <div className="page today">
      <div className="page-head">
        <h1>{formats.weekday(todayDate())}</h1>
      </div>
      {error && (
        <ErrorState message={vocabulary.error(error)} retryLabel={t('action.retry')} onRetry={() => void refetch()} />
      )}
      {!data && !error && (
        <Panel title={t('today.review')}>
          <SkeletonLines count={4} label={t('app.loading')} />
        </Panel>
      )}
      {data?.document_total === 0 && !busy && <FirstDrop />}
      {data && (data.document_total > 0 || busy) && (
        <div className="today-grid">
          <ReviewPanel data={data} />
          <AbnormalPanel abnormal={data.abnormal} />
          {busy && (
            <Panel
              className="today-wide"
              title={t('pipeline.now')}
              aside={t('pipeline.files', { count: status.queue_depth + (status.current_job ? 1 : 0) })}
            >
              <PipelineStatus status={status} maxRows={8} />
            </Panel>
          )}
          <RecentPanel data={data} />
          <FollowUps data={data} />
        </div>
      )}
    </div>
  );
}

function FirstDrop() {
  const { t } = useTranslation();
  const mayEdit = useMayEdit();
  return (
    <div className="first-drop">
      <EmptyState
        title={t('today.empty')}
        actions={
          mayEdit ? (
            <Button
              variant="primary"
              onClick={() => document.querySelector<HTMLInputElement>('[data-testid="picker"]')?.click()}
            >
              {t('today.empty_button')}
            </Button>
          ) : undefined
        }
      >
        {t('today.empty_text')}
      </EmptyState>
    </div>
  );
}

function ReviewPanel({ data }: { data: Overview }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const vocabulary = useVocabulary();
  return (
    <Panel title={t('today.review')} aside={data.to_review_total > 0 ? formats.count(data.to_review_total) : undefined}>
      {data.to_review.length === 0 && <p className="panel-body cap">{t('today.review_none')}</p>}
      <ul className="lines">
        {data.to_review.slice(0, MAX_REVIEWS).map((item) => {
          const [reason] = item.review_reasons;
          return (
            <li key={item.id} className="review-row">
              <span className="truncate strong">{documentName(item)}</span>
              <span
                className="muted truncate"
                title={reason ? vocabulary.review(reason) : vocabulary.readingError(item)}
              >
                {reason ? vocabulary.review(reason) : (vocabulary.readingError(item) ?? vocabulary.status(item.status))}
              </span>
              <Link
                className={buttonClass({ size: 'small' })}
                to="/documents/$id"
                params={{ id: String(item.id) }}
                search={reason?.field ? { value: `field:${reason.field}` } : {}}
              >
                {reason ? vocabulary.reviewAction(reason) : t('action.open')}
              </Link>
            </li>
          );
        })}
        {data.to_review_total > MAX_REVIEWS && (
          <li>
            <Link to="/documents" search={(search) => ({ patient: search.patient, status: 'needs_review,failed' })}>
              {t('today.review_all', { count: data.to_review_total })}
            </Link>
          </li>
        )}
      </ul>
    </Panel>
  );
}

function RecentPanel({ data }: { data: Overview }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const vocabulary = useVocabulary();
  return (
    <Panel title={t('today.recent')}>
      {data.recent.length === 0 && <p className="panel-body cap">{t('today.recent_none')}</p>}
      <ul className="lines">
        {data.recent.map((item) => (
          <li key={item.id}>
            <Link className="recent-row" to="/documents/$id" params={{ id: String(item.id) }}>
              <span className="truncate strong">{documentName(item)}</span>
              <span className="muted truncate">{vocabulary.documentType(item.doc_type) || item.facility_name}</span>
              <span className="cap num">{formats.date(item.event_date)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function FollowUps({ data }: { data: Overview }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = todayDate();
  return (
    <Panel title={t('today.follow_ups')}>
      {data.follow_ups.length === 0 && <p className="panel-body cap">{t('today.follow_ups_none')}</p>}
      <ul className="lines">
        {data.follow_ups.map((item) => (
          <li key={`${item.document_id} ${item.follow_up_date}`}>
            <Link className="recent-row" to="/documents/$id" params={{ id: String(item.document_id) }}>
              <span className="truncate strong">{item.follow_up_instructions ?? t('today.follow_up')}</span>
              <span className="muted truncate">
                {t('today.follow_up_from', { date: formats.dayMonth(item.document_date) })}
              </span>
              <span className={item.follow_up_date < now ? 'high num' : 'cap num'}>
                {formats.dayMonth(item.follow_up_date)}
                {item.follow_up_date < now && ` · ${t('today.overdue')}`}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
