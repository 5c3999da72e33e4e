import { ArrowRight } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NameProposal, NameRow, NameType } from '../../../src-shared/contract/names.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { useShortcuts } from '../../client/shortcuts.ts';
import { Button } from '../../ui/button.tsx';
import { Tag } from '../../ui/chip.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useProposals } from './queries.ts';
import type { NameActions } from './use-actions.ts';

const FIRST = 4;

interface Shown {
  proposal: NameProposal;
  target: NameRow;
  sources: NameRow[];
}

/** What could be one entry, with why and how sure that is. The marked one is accepted by `a`, parted by `d`; `n` marks the next. */
export function Proposals({
  type,
  actions,
  onOpen,
}: {
  type: NameType;
  actions: NameActions;
  onOpen: (id: number) => void;
}) {
  const { t } = useTranslation(['names', 'app']);
  const words = useVocabulary();
  const { data, error, refetch } = useProposals(type, true);
  const [at, setAt] = useState(0);
  const [all, setAll] = useState(false);
  const rows = new Map((data?.entries ?? []).map((entry) => [entry.id, entry]));
  const proposals = (data?.proposals ?? []).flatMap((proposal): Shown[] => {
    const target = rows.get(proposal.target_id),
      sources = proposal.source_ids.flatMap((id) => rows.get(id) ?? []);
    return target && sources.length > 0 ? [{ proposal, target, sources }] : [];
  });
  const shown = all ? proposals : proposals.slice(0, FIRST);
  const marked = Math.min(at, shown.length - 1);
  const accept = ({ sources, target }: Shown): void => void actions.merge(sources, target);
  const part = ({ sources, target }: Shown): void => void actions.keepApart([target, ...sources]);
  const current = (): Shown | undefined => (actions.busy ? undefined : shown[marked]);
  useShortcuts({
    a: () => {
      const one = current();
      if (one) accept(one);
    },
    d: () => {
      const one = current();
      if (one) part(one);
    },
    n: () => setAt(shown.length > 0 ? (marked + 1) % shown.length : 0),
  });
  if (error)
    return (
      <Panel className="proposals" title={t('proposals')}>
        <ErrorState message={words.error(error)} retryLabel={t('app:action.retry')} onRetry={() => void refetch()} />
      </Panel>
    );
  if (proposals.length === 0) return null;
  return (
    <Panel
      className="proposals"
      title={t('proposals')}
      aside={proposals.length}
      actions={
        <span className="row wide-only">
          <Kbd keys="a" /> {t('accept')} <Kbd keys="d" /> {t('apart')} <Kbd keys="n" /> {t('next')}
        </span>
      }
    >
      <ul className="lines">
        {shown.map((one, index) => (
          <li
            key={`${one.proposal.target_id} ${one.proposal.source_ids.join()}`}
            className={classNames('proposal', index === marked && 'active')}
            onFocus={() => setAt(index)}
          >
            <span className="proposal-names">
              {one.sources.map((source) => (
                <button key={source.id} type="button" className="names-open" onClick={() => onOpen(source.id)}>
                  {source.canonical_display}
                </button>
              ))}
              <Icon glyph={ArrowRight} size={14} />
              <span className="sr-only">{t('becomes')}</span>
              <button type="button" className="names-open proposal-target" onClick={() => onOpen(one.target.id)}>
                {one.target.canonical_display}
              </button>
            </span>
            <span className="proposal-why">
              <span className="muted">
                {t(`reason_${one.proposal.reason_code}`, { code: one.proposal.code ?? '' })}
              </span>
              <Tag>{t(`source_${one.proposal.source}`)}</Tag>
              <Tag tone={one.proposal.confidence === 'high' ? 'ok' : 'warn'}>
                {t(`confidence_${one.proposal.confidence}`)}
              </Tag>
            </span>
            <span className="row proposal-acts">
              <Button size="small" disabled={actions.busy} onClick={() => accept(one)}>
                {t('accept')}
              </Button>
              <Button size="small" variant="quiet" disabled={actions.busy} onClick={() => part(one)}>
                {t('apart')}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {proposals.length > FIRST && (
        <div className="proposals-more">
          <Button size="small" variant="quiet" onClick={() => setAll(!all)}>
            {all ? t('proposals_fewer') : t('proposals_more', { count: proposals.length })}
          </Button>
        </div>
      )}
    </Panel>
  );
}
