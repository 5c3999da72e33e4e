import { Link, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Reply } from '../../../src-shared/contract/endpoint.ts';
import type { PatientQuestion } from '../../../src-shared/contract/review.ts';
import type { DocumentListItem } from '../../../src-shared/contract/rows.ts';
import { contract } from '../../client/api.ts';
import { today as todayDate } from '../../client/clock.ts';
import { useTitles } from '../../client/document-title.ts';
import { PipelineStatus } from '../../client/pipeline-status.tsx';
import { useOverview, usePipelineStatus } from '../../client/overview.ts';
import { useReview } from '../../client/review.ts';
import { useFormats } from '../../client/format.ts';
import { RowPerson } from '../../client/people.tsx';
import { useVocabulary } from '../../client/vocabulary.ts';
import { useMayEdit } from '../../client/session.tsx';
import { buttonClass, Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx';
import { AbnormalPanel } from './abnormal.tsx';
import { NoBackup } from './no-backup.tsx';
import { FollowUps, OverduePanel } from './follow-ups.tsx';
import { SharesPanel } from './shares.tsx';
import { StudiesPanel } from './studies.tsx';
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
  const { data: review } = useReview(patient);
  const total = review ? countQuestions(review) : 0;
  const { overdue = [], coming = [] } = Object.groupBy(data?.follow_ups ?? [], ({ follow_up_date: date }) =>
    date < todayDate() ? 'overdue' : 'coming',
  );
  const isQuiet = review && total === 0 && overdue.length === 0 && data?.abnormal.length === 0 && !busy;
  return (
    <div className="page today">
      <div className="page-head">
        <h1>{formats.weekday(todayDate())}</h1>
        {total > 0 && <span className="cap num">{t('today.to_decide', { count: total })}</span>}
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
          <SharesPanel patient={patient} />
          <OverduePanel items={overdue} />
          {review && total > 0 && <ReviewPanel review={review} total={total} />}
          {isQuiet && <p className="panel panel-body today-wide cap">{t('today.quiet')}</p>}
          {busy && (
            <Panel
              className="today-wide"
              title={t('pipeline.now')}
              aside={t('pipeline.files', { count: status.queue_depth + (status.current_job ? 1 : 0) })}
            >
              <PipelineStatus status={status} maxRows={8} />
            </Panel>
          )}
          <StudiesPanel patient={patient} />
          <AbnormalPanel reports={data.abnormal} isAlone={data.recent.length === 0} />
          <RecentPanel items={data.recent} isAlone={data.abnormal.length === 0} />
          <FollowUps items={coming} total={data.follow_up_total - overdue.length} patient={patient} />
          {data.document_total > 0 && <NoBackup documents={data.document_total} />}
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

type Review = Reply<typeof contract.review.list>;

/** The number of questions, as the review asks them: one by one about the doubtful results of a document. */
function countQuestions({ questions, documents, documents_total, results_total, result_documents }: Review): number {
  const asked = new Set(result_documents.map(({ id }) => id));
  const ofRows = documents.filter(
    ({ id, review_reasons: reasons }) => asked.has(id) && reasons.every(({ code }) => code === 'low_confidence_rows'),
  );
  return questions.length + results_total + documents_total - ofRows.length;
}

/** The first questions and documents to review; the review page has them all, with their answers. */
function ReviewPanel({ review, total }: { review: Review; total: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const questions = review.questions.slice(0, MAX_REVIEWS);
  const documents = review.documents.slice(0, MAX_REVIEWS - questions.length);
  return (
    <Panel
      className="today-wide today-due"
      title={t('today.review')}
      aside={formats.count(total)}
      actions={
        <Link className={classNames(buttonClass({ size: 'small', variant: 'primary' }), 'push')} to="/review">
          {t('today.review_start')}
        </Link>
      }
    >
      <ul className="lines">
        {questions.map((question) => (
          <QuestionRow key={question.key} question={question} />
        ))}
        {review.results_total > 0 && (
          <li className="review-row">
            <span className="strong">{t('today.review_values', { count: review.results_total })}</span>
            <Link className={buttonClass({ size: 'small' })} to="/review">
              {t('today.review_open')}
            </Link>
          </li>
        )}
        {documents.map((item) => (
          <ReviewRow key={item.id} item={item} />
        ))}
        {total > MAX_REVIEWS && (
          <li>
            <Link className="line-link" to="/review">
              {t('today.review_all', { count: total })}
            </Link>
          </li>
        )}
      </ul>
    </Panel>
  );
}

/** Documents of which it is open whose they are. */
function QuestionRow({ question }: { question: PatientQuestion }) {
  const { t } = useTranslation();
  const { t: tReview } = useTranslation('review');
  const formats = useFormats();
  const { name, date_of_birth: birth, chosen, documents } = question;
  const printed = name ?? tReview('nobody');
  const who = birth === null ? printed : tReview('born', { name: printed, date: formats.dateFull(birth) });
  return (
    <li className="review-row">
      <span className="truncate strong">{tReview('question', { who, count: documents.length })}</span>
      <span className="muted truncate">
        {chosen ? tReview('chosen', { name: chosen.display_name }) : tReview('unchosen')}
      </span>
      <Link className={buttonClass({ size: 'small' })} to="/review">
        {t('today.review_open')}
      </Link>
    </li>
  );
}

function ReviewRow({ item }: { item: DocumentListItem }) {
  const { t } = useTranslation();
  const titles = useTitles();
  const vocabulary = useVocabulary();
  const [reason] = item.review_reasons;
  return (
    <li className="review-row">
      <span className="who-line strong">
        <RowPerson of={item} />
        <span className="truncate">{titles.title(item)}</span>
      </span>
      <span className="muted truncate" title={reason ? vocabulary.review(reason) : vocabulary.readingError(item)}>
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
}

/** `isAlone`: no card is beside it, so it takes the whole width. */
function RecentPanel({ items, isAlone }: { items: Overview['recent']; isAlone: boolean }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const titles = useTitles();
  if (items.length === 0) return null;
  return (
    <Panel className={classNames(isAlone && 'today-wide')} title={t('today.recent')}>
      <ul className="lines">
        {items.map((item) => (
          <li key={item.id}>
            <Link className="recent-row" to="/documents/$id" params={{ id: String(item.id) }}>
              <span className="who-line strong">
                <RowPerson of={item} />
                <span className="truncate">{titles.title(item)}</span>
              </span>
              <span className="muted truncate">{titles.caption(item)}</span>
              <span className="cap num">{formats.day(item.event_date)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
