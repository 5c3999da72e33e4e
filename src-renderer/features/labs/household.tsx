import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { LabPatientSummary, LabSummaryItem } from '../../../src-shared/contract/labs.ts';
import type { Patient } from '../../../src-shared/contract/patients.ts';
import { ageOn, today } from '../../client/clock.ts';
import { DoubtMark } from '../../client/doubt-mark.tsx';
import { useFormats } from '../../client/format.ts';
import { FLAG_SIGNS, labValueText, rangeOf, rangeText } from '../../client/lab-text.ts';
import { PersonMark } from '../../client/people.tsx';
import { usePatients } from '../../client/session.tsx';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Sparkline } from '../../ui/chart/sparkline.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { ErrorState, SkeletonLines } from '../../ui/states.tsx';
import { nameOf } from './groups.ts';
import type { LabLabels } from './labels.ts';
import { useHousehold } from './queries.ts';
import './household.css';

/** One block a person: the tests that are out of range or doubtful, and a link to all others. */
export function Household({ labels }: { labels: LabLabels }) {
  const { t } = labels;
  const vocabulary = useVocabulary();
  const patients = usePatients();
  const { data, error, refetch } = useHousehold();
  const summaryOf = (id: number) => data?.patients.find(({ patient_id }) => patient_id === id);
  return (
    <div className="page lab-household">
      <div className="page-head">
        <h1>{t('title')}</h1>
        <span className="cap">{t('everyone')}</span>
      </div>
      {error && <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines count={10} label={t('loading')} />}
      {data && (
        <div className="lab-person-grid lab-person-columns cap" aria-hidden="true">
          <span>{t('column_test')}</span>
          <span className="r">{t('column_latest')}</span>
          <span />
          <span className="lab-range">{t('column_range')}</span>
          <span>{t('column_trend')}</span>
          <span className="r">{t('column_when')}</span>
        </div>
      )}
      {data &&
        patients.map((patient) => (
          <PersonBlock key={patient.id} patient={patient} summary={summaryOf(patient.id)} labels={labels} />
        ))}
    </div>
  );
}

function PersonBlock({
  patient: { id, display_name: name, date_of_birth: birth },
  summary,
  labels,
}: {
  patient: Patient;
  summary: LabPatientSummary | undefined;
  labels: LabLabels;
}) {
  const { t } = labels;
  const patient = String(id);
  const rest = summary ? summary.total - summary.notable.length : 0;
  return (
    <section className="panel lab-person" aria-labelledby={`labs-of-${id}`}>
      <header>
        <PersonMark id={id} name={name} size="medium" />
        <h2 id={`labs-of-${id}`}>{name}</h2>
        {birth !== null && <span className="lab-age num">{ageOn(birth, today())}</span>}
        <span className="push">{summary && summary.total > 0 && <Outcome summary={summary} />}</span>
      </header>
      {(!summary || summary.total === 0) && <p className="panel-body cap">{t('person_none')}</p>}
      <ul>
        {summary?.notable.map((item) => (
          <li key={item.key}>
            <NotableTest item={item} patient={patient} labels={labels} />
          </li>
        ))}
      </ul>
      {summary && summary.total > 0 && (
        <Link to="/labs" search={{ patient }} className="lab-person-rest">
          <Icon glyph={ChevronRight} size={14} />
          {rest > 0 && summary.notable.length > 0
            ? t('others', { count: rest })
            : t('all_tests', { count: summary.total })}
        </Link>
      )}
    </section>
  );
}

/** "3 out of range · 1 to check · 12 Nov" */
function Outcome({ summary }: { summary: LabPatientSummary }) {
  const { t } = useTranslation('app');
  const formats = useFormats();
  const { out_of_range: outside, doubtful, latest_date: date } = summary;
  const isFine = outside === 0 && doubtful === 0;
  return (
    <span className="lab-outcome num">
      {isFine && <span>{t('none_out', { ns: 'labs' })}</span>}
      {outside > 0 && <span>{t('title.out_of_range', { count: outside })}</span>}
      {doubtful > 0 && <span className="warn">{t('title.to_check', { count: doubtful })}</span>}
      {date !== null && <span className="muted">{formats.day(date)}</span>}
    </span>
  );
}

function NotableTest({ item, patient, labels }: { item: LabSummaryItem; patient: string; labels: LabLabels }) {
  const formats = useFormats();
  const { last } = item;
  const flag = last.doubt.length > 0 ? null : last.flag;
  return (
    <Link to="/labs" search={{ patient, test: item.key }} className="lab-person-grid lab-person-row">
      <span className="lab-name">
        <span className="truncate strong">{nameOf(item, labels.language)}</span>
        <DoubtMark doubt={last.doubt} />
      </span>
      <span className={classNames('num r', flag && (flag === 'low' ? 'low' : 'high'))}>
        {labValueText(last, labels.locale)}
        {flag && <span aria-hidden="true"> {FLAG_SIGNS[flag]}</span>}
        {flag && <span className="sr-only"> {labels.flag(flag)}</span>}
      </span>
      <span className="cap truncate">{last.unit}</span>
      <span className="cap num truncate lab-range">{rangeText(rangeOf(last), labels.locale)}</span>
      <Sparkline
        values={item.series.map((point) => point.value)}
        flag={flag === 'abnormal' ? 'high' : flag}
        width={150}
      />
      <span className="cap num r">{formats.day(last.date)}</span>
    </Link>
  );
}
