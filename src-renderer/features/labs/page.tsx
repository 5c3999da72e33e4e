import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { LabSummaryItem } from '../../../src-shared/contract/labs.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { usePatients } from '../../client/session.tsx';
import { useShortcuts } from '../../client/shortcuts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Input } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx';
import { firstTest, groupsOf, isShown, type Show } from './groups.ts';
import { Household } from './household.tsx';
import { Orphans } from './orphans.tsx';
import { useSummary } from './queries.ts';
import { SeriesPanel, SeriesSkeleton } from './series-panel.tsx';
import { TestList } from './test-list.tsx';
import { useLabLabels, type LabLabels } from './labels.ts';
import './labs.css';

/** The labs page: tests with their last values, and the trend of one test. */
export default function LabsPage() {
  const labels = useLabLabels();
  const patients = usePatients();
  const { patient: selectedItem, view } = useSearch({ from: '/frame/labs' });
  const patient = selectedItem ?? (patients.length === 1 ? String(patients[0]?.id) : undefined);
  if (patient !== undefined)
    return view === 'orphans' ? (
      <Orphans patient={patient} labels={labels} />
    ) : (
      <Trends key={patient} patient={patient} labels={labels} />
    );
  return <Household labels={labels} />;
}

type LabSummary = NonNullable<ReturnType<typeof useSummary>['data']>;

const FILTERS: readonly Show[] = ['all', 'out', 'latest'];

function Trends({ patient, labels }: { patient: string; labels: LabLabels }) {
  const { t, language } = labels;
  const vocabulary = useVocabulary();
  const navigate = useNavigate();
  const search = useSearch({ from: '/frame/labs' });
  const { data, error, refetch } = useSummary(patient);
  const [text, setText] = useState('');
  const show = FILTERS.find((name) => name === search.show) ?? 'all';
  const items = data?.items ?? [];
  const latestDocumentId = data?.latest_document_id ?? null;
  const groups = groupsOf(items, { show, text, latestDocumentId, language, labelOf: labels.category });
  const order = groups.flatMap((group) => group.items.map((item) => item.key));
  const test = search.test ?? firstTest(groups);
  const selectedItem = items.find((item) => isTest(item, test))?.key;
  useTestKeys(order, selectedItem);
  if (error && !data)
    return (
      <Titled labels={labels}>
        <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />
      </Titled>
    );
  if (data?.items.length === 0)
    return (
      <Titled labels={labels}>
        <EmptyState title={t('none')}>{t('none_text')}</EmptyState>
      </Titled>
    );
  const clear = (): void => {
    setText('');
    void navigate({ to: '/labs', search: (before) => ({ ...before, show: undefined }), replace: true });
  };
  return (
    <div className="labs" data-open={search.test !== undefined || undefined}>
      <section className="lab-side" aria-label={t('list')}>
        <h1 className="lab-list-title">{t('title')}</h1>
        <TestFilters patient={patient} summary={data} show={show} text={text} onText={setText} labels={labels} />
        {!data && <SkeletonLines count={12} label={t('loading')} />}
        {data && groups.length === 0 && (
          <EmptyState title={t('no_match')} actions={<Button onClick={clear}>{t('show_all')}</Button>}>
            {t('no_match_text')}
          </EmptyState>
        )}
        {groups.length > 0 && <TestList groups={groups} selectedKey={selectedItem} labels={labels} />}
      </section>
      <section className="lab-main" aria-label={t('trend')} data-page-start={search.test !== undefined || undefined}>
        <BackToList labels={labels} />
        {test !== undefined && <SeriesPanel key={test} patient={patient} test={test} items={items} labels={labels} />}
        {!data && test === undefined && <SeriesSkeleton labels={labels} />}
        {data && test === undefined && <EmptyState title={t('nothing_chosen')} />}
      </section>
    </div>
  );
}

/** Compares by key or by name: the command palette links to a name, which the server resolves to the test's key. */
const isTest = (item: LabSummaryItem, test: string | undefined): boolean =>
  item.key === test || item.name === test || Object.values(item.names ?? {}).includes(test ?? '');

/** `j` and `k` open the next and the previous test of the list. */
function useTestKeys(order: readonly string[], selectedKey: string | undefined): void {
  const navigate = useNavigate();
  const step = (by: 1 | -1): void => {
    const test = order[Math.min(order.length - 1, Math.max(0, order.indexOf(selectedKey ?? '') + by))];
    if (test === undefined) return;
    void navigate({
      to: '/labs',
      search: (before) => ({ ...before, test, unit: undefined }),
      replace: true,
      resetScroll: false,
    });
  };
  useShortcuts({ j: () => step(1), k: () => step(-1) });
}

const Titled = ({ labels: { t }, children }: { labels: LabLabels; children: ReactNode }) => (
  <div className="page">
    <div className="page-head">
      <h1>{t('title')}</h1>
    </div>
    {children}
  </div>
);

/** Filter chips and the search field above the list of tests. */
function TestFilters({
  patient,
  summary,
  show,
  text,
  onText,
  labels: { t },
}: {
  patient: string;
  summary: LabSummary | undefined;
  show: Show;
  text: string;
  onText: (text: string) => void;
  labels: LabLabels;
}) {
  const navigate = useNavigate();
  const select = (next: Show): void =>
    void navigate({
      to: '/labs',
      search: (before) => ({ ...before, show: next === 'all' ? undefined : next }),
      replace: true,
      resetScroll: false,
    });
  const countOf = (name: Show): number =>
    (summary?.items ?? []).filter((item) => isShown(item, name, summary?.latest_document_id ?? null)).length;
  return (
    <div className="lab-filters">
      <div className="row lab-chips" role="group" aria-label={t('show')}>
        {FILTERS.map((name) => {
          const count = countOf(name);
          return (
            <Chip
              key={name}
              isOn={show === name}
              aria-pressed={show === name}
              disabled={name !== 'all' && count === 0}
              onClick={() => select(name)}
            >
              {t(name)}
              {name === 'out' && count > 0 && ` · ${count}`}
            </Chip>
          );
        })}
        {summary && summary.orphans > 0 && (
          <Link to="/labs" search={{ patient, view: 'orphans' }} className="chip">
            {t('orphans')} · {summary.orphans}
          </Link>
        )}
      </div>
      <Input
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        value={text}
        onChange={(event) => onText(event.target.value)}
      />
    </div>
  );
}

/** On narrow screens, returns from the trend to the list. */
const BackToList = ({ labels: { t } }: { labels: LabLabels }) => (
  <Link
    to="/labs"
    search={(before) => ({ ...before, test: undefined, compare: undefined, unit: undefined })}
    className={`${buttonClass({ variant: 'quiet', size: 'small' })} lab-back`}
  >
    <Icon glyph={ArrowLeft} />
    {t('back')}
  </Link>
);
