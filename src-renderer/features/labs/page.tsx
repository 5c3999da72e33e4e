import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { useVocabulary } from '../../client/vocabulary.ts';
import { usePatients } from '../../client/session.tsx';
import { useShortcuts } from '../../client/shortcuts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Input } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx';
import { groupsOf, isShown, type Show } from './groups.ts';
import { Orphans } from './orphans.tsx';
import { useSummary } from './queries.ts';
import { SeriesPanel, SeriesSkeleton } from './series-panel.tsx';
import { TestList } from './test-list.tsx';
import { useLabLabels, type LabLabels } from './labels.ts';
import './labs.css';

/** Tests with their last values, and one of them over time. */
export default function LabsPage() {
  const labels = useLabLabels();
  const { t } = labels;
  const patients = usePatients();
  const navigate = useNavigate();
  const { patient: selectedItem, view } = useSearch({ from: '/frame/labs' });
  const patient = selectedItem ?? (patients.length === 1 ? String(patients[0]?.id) : undefined);
  if (patient !== undefined)
    return view === 'orphans' ? (
      <Orphans patient={patient} labels={labels} />
    ) : (
      <Trends key={patient} patient={patient} labels={labels} />
    );
  return (
    <div className="page">
      <div className="page-head">
        <h1>{t('title')}</h1>
      </div>
      <EmptyState
        title={t('whose')}
        actions={
          <span className="row lab-people">
            {patients.map(({ id, display_name }) => (
              <Button key={id} onClick={() => void navigate({ to: '/labs', search: { patient: String(id) } })}>
                {display_name}
              </Button>
            ))}
          </span>
        }
      >
        {t('whose_text')}
      </EmptyState>
    </div>
  );
}

const SHOWS: readonly Show[] = ['all', 'out', 'latest'];

function Trends({ patient, labels }: { patient: string; labels: LabLabels }) {
  const { t, language } = labels;
  const vocabulary = useVocabulary();
  const navigate = useNavigate();
  const search = useSearch({ from: '/frame/labs' });
  const { data, error, refetch } = useSummary(patient);
  const [text, setText] = useState('');
  const show = SHOWS.find((one) => one === search.show) ?? 'all';
  const items = data?.items ?? [],
    latestDocumentId = data?.latest_document_id ?? null;
  const groups = groupsOf(items, { show, text, latestDocumentId, language, labelOf: labels.category });
  const order = groups.flatMap((group) => group.items.map((item) => item.key));
  // A name, as the palette gives it, is known to the server, which answers with the test's own key.
  const test = search.test ?? order[0];
  const selectedItem = items.find(
    (item) => item.key === test || item.name === test || Object.values(item.names ?? {}).includes(test ?? ''),
  )?.key;
  const open = (key: string | undefined): void => {
    if (key !== undefined)
      void navigate({
        to: '/labs',
        search: (before) => ({ ...before, test: key, unit: undefined }),
        replace: true,
        resetScroll: false,
      });
  };
  const step = (by: 1 | -1): void =>
    open(order[Math.min(order.length - 1, Math.max(0, order.indexOf(selectedItem ?? '') + by))]);
  useShortcuts({ j: () => step(1), k: () => step(-1) });
  if (error && !data)
    return (
      <div className="page">
        <div className="page-head">
          <h1>{t('title')}</h1>
        </div>
        <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />
      </div>
    );
  if (data?.items.length === 0)
    return (
      <div className="page">
        <div className="page-head">
          <h1>{t('title')}</h1>
        </div>
        <EmptyState title={t('none')}>{t('none_text')}</EmptyState>
      </div>
    );
  const clear = (): void => {
    setText('');
    void navigate({ to: '/labs', search: (before) => ({ ...before, show: undefined }), replace: true });
  };
  return (
    <div className="labs" data-open={search.test !== undefined || undefined}>
      <section className="lab-side" aria-label={t('list')}>
        <div className="lab-filters">
          <div className="row lab-chips" role="group" aria-label={t('show')}>
            {SHOWS.map((one) => {
              const count = items.filter((item) => isShown(item, one, latestDocumentId)).length;
              return (
                <Chip
                  key={one}
                  on={show === one}
                  aria-pressed={show === one}
                  disabled={one !== 'all' && count === 0}
                  onClick={() =>
                    void navigate({
                      to: '/labs',
                      search: (before) => ({ ...before, show: one === 'all' ? undefined : one }),
                      replace: true,
                      resetScroll: false,
                    })
                  }
                >
                  {t(one)}
                  {one === 'out' && count > 0 && ` · ${count}`}
                </Chip>
              );
            })}
            {data && data.orphans > 0 && (
              <Link to="/labs" search={{ patient, view: 'orphans' }} className="chip">
                {t('orphans')} · {data.orphans}
              </Link>
            )}
          </div>
          <Input
            type="search"
            aria-label={t('search')}
            placeholder={t('search')}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        {!data && <SkeletonLines count={12} label={t('loading')} />}
        {data && groups.length === 0 && (
          <EmptyState title={t('no_match')} actions={<Button onClick={clear}>{t('show_all')}</Button>}>
            {t('no_match_text')}
          </EmptyState>
        )}
        {groups.length > 0 && <TestList groups={groups} selectedKey={selectedItem} labels={labels} />}
      </section>
      <section className="lab-main" aria-label={t('course')}>
        <Link
          to="/labs"
          search={(before) => ({ ...before, test: undefined, compare: undefined, unit: undefined })}
          className={`${buttonClass({ variant: 'quiet', size: 'small' })} lab-back`}
        >
          <Icon glyph={ArrowLeft} />
          {t('back')}
        </Link>
        {test !== undefined && <SeriesPanel key={test} patient={patient} test={test} items={items} labels={labels} />}
        {!data && test === undefined && <SeriesSkeleton labels={labels} />}
        {data && test === undefined && <EmptyState title={t('nothing_chosen')} />}
      </section>
    </div>
  );
}
