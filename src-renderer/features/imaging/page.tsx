import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { usePatients } from '../../client/session.tsx';
import type { StudySearch } from '../../client/study-search.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx';
import { DosePanel } from './dose-panel.tsx';
import { StudyFilters } from './filters.tsx';
import { prepareViewer } from './prepare-viewer.ts';
import { isFiltered, NO_FILTERS, useStudies } from './queries.ts';
import { StudyTable } from './study-table.tsx';
import './imaging.css';

/** Imaging: every study of the chosen person, or of everyone. */
export default function ImagingPage() {
  const { t } = useTranslation('imaging');
  const vocabulary = useVocabulary();
  const navigate = useNavigate();
  const search = useSearch({ from: '/frame/imaging' });
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useStudies(search);
  const patients = usePatients();
  const person = search.patient ?? (patients.length === 1 ? String(patients[0]?.id) : undefined);
  const change = (part: Partial<StudySearch>): void =>
    void navigate({
      to: '/imaging',
      search: (before) => ({ ...before, ...part }),
      replace: true,
      resetScroll: false,
    });
  const studies = data?.pages.flatMap(({ items }) => items) ?? [];
  const total = data?.pages[0]?.total ?? 0;
  const isEmpty = data !== undefined && total === 0;
  const hasStudies = total > 0;
  useEffect(() => (hasStudies ? prepareViewer() : undefined), [hasStudies]);
  return (
    <div className="page">
      <div className="page-head">
        <h1>{t('title')}</h1>
        {total > 0 && <span className="cap">{t('studies', { count: total })}</span>}
      </div>
      {(!isEmpty || isFiltered(search)) && <StudyFilters search={search} change={change} />}
      {error && !data && (
        <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />
      )}
      {!data && !error && <SkeletonLines count={8} label={t('loading')} />}
      {isEmpty &&
        (isFiltered(search) ? (
          <EmptyState
            title={t('no_match')}
            actions={<Button onClick={() => change(NO_FILTERS)}>{t('clear_filters')}</Button>}
          >
            {t('no_match_text')}
          </EmptyState>
        ) : (
          <EmptyState title={t('none')}>{t('none_text')}</EmptyState>
        ))}
      {studies.length > 0 && <StudyTable studies={studies} search={search} change={change} />}
      {hasNextPage && (
        <Button className="im-more" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('more')}
        </Button>
      )}
      {person !== undefined && <DosePanel patient={person} />}
    </div>
  );
}
