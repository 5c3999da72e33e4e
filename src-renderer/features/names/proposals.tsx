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

const FIRST_SHOWN = 4;

interface MergeProposal {
  proposal: NameProposal;
  target: NameRow;
  sources: NameRow[];
}

interface Props {
  type: NameType;
  actions: NameActions;
  onOpen: (id: number) => void;
}

function proposalsOf(data: ReturnType<typeof useProposals>['data']): MergeProposal[] {
  const rows = new Map((data?.entries ?? []).map((entry) => [entry.id, entry]));
  return (data?.proposals ?? []).flatMap((proposal) => {
    const target = rows.get(proposal.target_id);
    const sources = proposal.source_ids.flatMap((id) => rows.get(id) ?? []);
    return target && sources.length > 0 ? [{ proposal, target, sources }] : [];
  });
}

/**
 * Entries that could be merged, with the reason and how certain it is.
 * `a` accepts the marked proposal, `d` keeps its entries apart, `n` marks the next one.
 */
export function Proposals({ type, actions, onOpen }: Props) {
  const { t } = useTranslation(['names', 'app']);
  const vocabulary = useVocabulary();
  const { data, error, refetch } = useProposals(type, true);
  const [at, setAt] = useState(0);
  const [all, setAll] = useState(false);
  const proposals = proposalsOf(data);
  const shown = all ? proposals : proposals.slice(0, FIRST_SHOWN);
  const marked = Math.min(at, shown.length - 1);
  const accept = ({ sources, target }: MergeProposal): void => void actions.merge(sources, target);
  const keepApart = ({ sources, target }: MergeProposal): void => void actions.keepApart([target, ...sources]);
  const current = actions.busy ? undefined : shown[marked];
  useShortcuts({
    a: () => {
      if (current) accept(current);
    },
    d: () => {
      if (current) keepApart(current);
    },
    n: () => setAt(shown.length > 0 ? (marked + 1) % shown.length : 0),
  });
  if (error)
    return (
      <Panel className="proposals" title={t('proposals')}>
        <ErrorState
          message={vocabulary.error(error)}
          retryLabel={t('app:action.retry')}
          onRetry={() => void refetch()}
        />
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
            <ProposalText {...one} onOpen={onOpen} />
            <span className="row proposal-acts">
              <Button size="small" disabled={actions.busy} onClick={() => accept(one)}>
                {t('accept')}
              </Button>
              <Button size="small" variant="quiet" disabled={actions.busy} onClick={() => keepApart(one)}>
                {t('apart')}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {proposals.length > FIRST_SHOWN && (
        <div className="proposals-more">
          <Button size="small" variant="quiet" onClick={() => setAll(!all)}>
            {all ? t('proposals_fewer') : t('proposals_more', { count: proposals.length })}
          </Button>
        </div>
      )}
    </Panel>
  );
}

function ProposalText({ proposal, sources, target, onOpen }: MergeProposal & Pick<Props, 'onOpen'>) {
  const { t } = useTranslation('names');
  return (
    <>
      <span className="proposal-names">
        {sources.map((source) => (
          <button key={source.id} type="button" className="names-open" onClick={() => onOpen(source.id)}>
            {source.canonical_display}
          </button>
        ))}
        <Icon glyph={ArrowRight} size={14} />
        <span className="sr-only">{t('becomes')}</span>
        <button type="button" className="names-open proposal-target" onClick={() => onOpen(target.id)}>
          {target.canonical_display}
        </button>
      </span>
      <span className="proposal-why">
        <span className="muted">{t(`reason_${proposal.reason_code}`, { code: proposal.code ?? '' })}</span>
        <Tag>{t(`source_${proposal.source}`)}</Tag>
        <Tag tone={proposal.confidence === 'high' ? 'ok' : 'warn'}>{t(`confidence_${proposal.confidence}`)}</Tag>
      </span>
    </>
  );
}
