import { ArrowRight } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Reply } from '../../../src-shared/contract/endpoint.ts';
import type { NameProposal, NameRow, NameType } from '../../../src-shared/contract/names.ts';
import type { contract } from '../../client/api.ts';
import { useEntryName } from '../../client/entry-name.ts';
import { ModelUsage } from '../../client/model-usage.tsx';
import { useVocabulary } from '../../client/vocabulary.ts';
import { useShortcuts } from '../../client/shortcuts.ts';
import { Button } from '../../ui/button.tsx';
import { Tag } from '../../ui/chip.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ErrorState, Notice } from '../../ui/states.tsx';
import { useModelProposals, useProposals } from './queries.ts';
import type { NameActions } from './use-actions.ts';

const COLLAPSED_COUNT = 4;

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

const keyOf = ({ target_id, source_ids }: NameProposal): string => `${target_id} ${source_ids.join()}`;

type ProposalList = Reply<typeof contract.names.autoMerge>;

function proposalsOf(data: ProposalList | undefined): MergeProposal[] {
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
  const [markedIndex, setMarkedIndex] = useState(0);
  const [showAll, setShowAll] = useState(false);
  const byModel = useModelProposals(type);
  const found = byModel.data?.type === type ? byModel.data.found : [];
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  const proposals = allOf([data, ...found]).filter(
    ({ proposal }) => proposal.source !== 'llm' || !decided.has(keyOf(proposal)),
  );
  const shownProposals = showAll ? proposals : proposals.slice(0, COLLAPSED_COUNT);
  const marked = Math.min(markedIndex, shownProposals.length - 1);
  // The service forgets no proposal of a model: it was asked once.
  const decide = (proposal: NameProposal): void => setDecided(new Set([...decided, keyOf(proposal)]));
  const accept = ({ proposal, sources, target }: MergeProposal): void => {
    decide(proposal);
    void actions.merge(sources, target);
  };
  const keepApart = ({ proposal, sources, target }: MergeProposal): void => {
    decide(proposal);
    void actions.keepApart([target, ...sources]);
  };
  const current = actions.busy ? undefined : shownProposals[marked];
  useShortcuts({
    a: () => current && accept(current),
    d: () => current && keepApart(current),
    n: () => setMarkedIndex(shownProposals.length > 0 ? (marked + 1) % shownProposals.length : 0),
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
  if (proposals.length === 0 && !byModel.mayAsk) return null;
  return (
    <Panel
      className="proposals"
      title={t('proposals')}
      {...(proposals.length > 0 && { aside: proposals.length })}
      actions={
        <span className="row wide-only">
          <Kbd keys="a" /> {t('accept')} <Kbd keys="d" /> {t('apart')} <Kbd keys="n" /> {t('next')}
        </span>
      }
    >
      <ul className="lines">
        {shownProposals.map((proposal, index) => (
          <ProposalItem
            key={keyOf(proposal.proposal)}
            {...proposal}
            isMarked={index === marked}
            isBusy={actions.busy}
            onFocus={() => setMarkedIndex(index)}
            onAccept={() => accept(proposal)}
            onKeepApart={() => keepApart(proposal)}
            onOpen={onOpen}
          />
        ))}
      </ul>
      <MoreButton count={proposals.length} isExpanded={showAll} onToggle={() => setShowAll(!showAll)} />
      {byModel.mayAsk && <AskModel byModel={byModel} found={found} />}
    </Panel>
  );
}

/** Both lists; a pair that was merged or kept apart since the model was asked has no second entry any more. */
function allOf(lists: readonly (ProposalList | undefined)[]): MergeProposal[] {
  const seen = new Set<number>();
  return lists.flatMap(proposalsOf).filter(({ proposal: { target_id, source_ids } }) => {
    const ids = [target_id, ...source_ids];
    if (source_ids.some((id) => seen.has(id))) return false;
    for (const id of ids) seen.add(id);
    return true;
  });
}

function AskModel({
  byModel: { mutate, isPending, error, isSuccess },
  found,
}: {
  byModel: ReturnType<typeof useModelProposals>;
  found: readonly ProposalList[];
}) {
  const { t } = useTranslation('names');
  const vocabulary = useVocabulary();
  const isEmpty = isSuccess && found.length > 0 && found.every(({ proposals }) => proposals.length === 0);
  return (
    <div className="proposals-more" role="status">
      <Button size="small" variant="quiet" disabled={isPending} onClick={() => mutate()}>
        {isPending ? t('proposals_asking') : t('proposals_ask')}
      </Button>
      <span className="cap">{isEmpty ? t('proposals_ask_none') : t('proposals_ask_text')}</span>
      {error && <Notice tone="bad">{vocabulary.error(error)}</Notice>}
      {found.map(({ usage }, index) => usage && <ModelUsage key={index} usage={usage} />)}
    </div>
  );
}

function ProposalItem({
  isMarked,
  isBusy,
  onFocus,
  onAccept,
  onKeepApart,
  onOpen,
  ...proposal
}: MergeProposal &
  Pick<Props, 'onOpen'> & {
    isMarked: boolean;
    isBusy: boolean;
    onFocus: () => void;
    onAccept: () => void;
    onKeepApart: () => void;
  }) {
  const { t } = useTranslation('names');
  return (
    <li className={classNames('proposal', isMarked && 'active')} onFocus={onFocus}>
      <ProposalText {...proposal} onOpen={onOpen} />
      <span className="row proposal-acts">
        <Button size="small" disabled={isBusy} onClick={onAccept}>
          {t('accept')}
        </Button>
        <Button size="small" variant="quiet" disabled={isBusy} onClick={onKeepApart}>
          {t('apart')}
        </Button>
      </span>
    </li>
  );
}

function MoreButton({ count, isExpanded, onToggle }: { count: number; isExpanded: boolean; onToggle: () => void }) {
  const { t } = useTranslation('names');
  if (count <= COLLAPSED_COUNT) return null;
  return (
    <div className="proposals-more">
      <Button size="small" variant="quiet" onClick={onToggle}>
        {isExpanded ? t('proposals_fewer') : t('proposals_more', { count })}
      </Button>
    </div>
  );
}

function ProposalText({ proposal, sources, target, onOpen }: MergeProposal & Pick<Props, 'onOpen'>) {
  const { t } = useTranslation('names');
  const nameOf = useEntryName();
  return (
    <>
      <span className="proposal-names">
        {sources.map((source) => (
          <button key={source.id} type="button" className="names-open" onClick={() => onOpen(source.id)}>
            {nameOf(source)}
          </button>
        ))}
        <Icon glyph={ArrowRight} size={14} />
        <span className="sr-only">{t('becomes')}</span>
        <button type="button" className="names-open proposal-target" onClick={() => onOpen(target.id)}>
          {nameOf(target)}
        </button>
      </span>
      <span className="proposal-why">
        <span className="muted">
          {proposal.source === 'llm'
            ? proposal.reason
            : t(`reason_${proposal.reason_code}`, { code: proposal.code ?? '' })}
        </span>
        <Tag>{t(`source_${proposal.source}`)}</Tag>
        <Tag tone={proposal.confidence === 'high' ? 'ok' : 'warn'}>{t(`confidence_${proposal.confidence}`)}</Tag>
      </span>
    </>
  );
}
