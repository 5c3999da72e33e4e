import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useReview } from '../../client/review.ts';
import { usePatients } from '../../client/session.tsx';
import { useShortcuts } from '../../client/shortcuts.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx';
import { choicesOf, itemsOf, type Choice, type Item } from './choices.ts';
import { ItemRow } from './item-row.tsx';
import { useAnswers } from './use-answers.ts';
import './review.css';

/** Questions about documents, grouped; each is answered with one key, and the next one opens at once. */
export default function ReviewPage() {
  const { t } = useTranslation('review');
  const vocabulary = useVocabulary();
  const patient = useSearch({ strict: false }).patient;
  const { data, error, refetch } = useReview(patient);
  return (
    <div className="page review">
      <div className="page-head">
        <h1>{t('title')}</h1>
      </div>
      {error && <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />}
      {!data && !error && (
        <Panel title={t('decide')}>
          <SkeletonLines count={4} label={t('loading')} />
        </Panel>
      )}
      {data && <Triage data={data} />}
    </div>
  );
}

function Triage({ data }: { data: NonNullable<ReturnType<typeof useReview>['data']> }) {
  const { t } = useTranslation('review');
  const people = usePatients().filter(({ role }) => role === 'owner');
  const { answered, answer } = useAnswers();
  const [split, setSplit] = useState<ReadonlySet<string>>(new Set());
  const [entered, setEntered] = useState<string | null>(null);
  const items = itemsOf(data, split).filter(({ key }) => !answered.has(key));
  const { active, setActive } = useActiveItem(items);
  const choose = (item: Item, choice: Choice): void => {
    if (choice.kind === 'split') return setSplit((keys) => new Set([...keys, item.key]));
    if (choice.kind === 'enter') {
      setActive(item.key);
      return setEntered(item.key);
    }
    setEntered(null);
    const at = items.indexOf(item);
    setActive((items[at + 1] ?? items[at - 1])?.key ?? null);
    void answer(item, choice);
  };
  useTriageKeys({ items, active, people, setActive, choose });
  if (items.length === 0) return <EmptyState title={t('none')}>{t('none_text')}</EmptyState>;
  return (
    <Panel title={t('decide')} aside={t('open', { count: items.length })} className="review-panel">
      {items.some(({ kind }) => kind === 'patient') && <p className="panel-body cap">{t('waits')}</p>}
      {(['patient', 'result', 'document'] as const).map((kind) => {
        const ofKind = items.filter((item) => item.kind === kind);
        return (
          ofKind.length > 0 && (
            <section key={kind} aria-label={t(`group_${kind}`)}>
              <h3 className="review-group">{t(`group_${kind}`)}</h3>
              <ul className="review-items">
                {ofKind.map((item) => (
                  <ItemRow
                    key={item.key}
                    item={item}
                    choices={choicesOf(item, people)}
                    isActive={item === active}
                    isEntering={item === active && item.key === entered}
                    onCancelEntry={() => setEntered(null)}
                    onActivate={() => setActive(item.key)}
                    onChoose={(choice) => choose(item, choice)}
                  />
                ))}
              </ul>
            </section>
          )
        );
      })}
      <KeysLine />
    </Panel>
  );
}

/** The open item: the selected one, otherwise the first. */
function useActiveItem(items: readonly Item[]) {
  const [key, setActive] = useState<string | null>(null);
  return { active: items.find((item) => item.key === key) ?? items[0], setActive };
}

function useTriageKeys({
  items,
  active,
  people,
  setActive,
  choose,
}: {
  items: readonly Item[];
  active: Item | undefined;
  people: Parameters<typeof choicesOf>[1];
  setActive: (key: string) => void;
  choose: (item: Item, choice: Choice) => void;
}): void {
  const navigate = useNavigate();
  const go = (step: 1 | -1) => (): void => {
    const next = active && items[items.indexOf(active) + step];
    if (next) setActive(next.key);
  };
  const choices = active ? choicesOf(active, people) : [];
  const open = (): void => {
    const document = active && openedOf(active);
    if (document)
      void navigate({
        to: '/documents/$id',
        params: { id: String(document.id) },
        search: active.kind === 'result' ? { value: `lab:${active.result.id}` } : {},
      });
  };
  useEffect(() => {
    document.querySelector('.review-item[aria-current="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active?.key]);
  useShortcuts({
    j: go(1),
    k: go(-1),
    Enter: open,
    ...Object.fromEntries(choices.map((choice, index) => [String(index + 1), () => active && choose(active, choice)])),
  });
}

/** The document of an item, opened at the doubtful result. */
const openedOf = (item: Item) => (item.kind === 'patient' ? item.question.documents[0] : item.document);

function KeysLine() {
  const { t } = useTranslation('review');
  return (
    <p className="review-keys" aria-label={t('keys')}>
      <span>
        <Kbd keys="1" />–<Kbd keys="9" /> {t('key_answer')}
      </span>
      <span>
        <Kbd keys="j" /> <Kbd keys="k" /> {t('key_move')}
      </span>
      <span>
        <Kbd keys="Enter" /> {t('key_open')}
      </span>
      <span>
        <Kbd keys="mod z" /> {t('key_undo')}
      </span>
    </p>
  );
}
