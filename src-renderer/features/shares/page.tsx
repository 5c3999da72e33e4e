import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeft, Plus } from 'lucide-react';
import { useId } from 'react';
import type { Share } from '../../../src-shared/contract/shares.ts';
import { useItemTitle } from '../../client/page-title.ts';
import { useMayShare, usePatients } from '../../client/session.tsx';
import { useShares } from '../../client/shares.ts';
import { useShortcuts } from '../../client/shortcuts.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Crumb } from '../../ui/top-bar-places.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx';
import { ShareDetail } from './detail.tsx';
import { groupsOf } from './groups.ts';
import { useShareLabels, type ShareLabels } from './labels.ts';
import { ShareFilters, ShareList, SHOWN } from './list.tsx';
import { ServiceLink, ServiceOverview } from './service.tsx';
import './parts.css';
import './shares.css';

/** Shares: what is shared with whom, who has it open, and the service for recipients. */
export default function SharesPage() {
  const labels = useShareLabels();
  const { t } = labels;
  const vocabulary = useVocabulary();
  const search = useSearch({ from: '/frame/shares' });
  const { data, error, refetch } = useShares(search.patient);
  const heading = useId();
  const show = SHOWN.find((name) => name === search.show) ?? 'all';
  const groups = groupsOf(data ?? [], show);
  const open = data?.find(({ share_id }) => share_id === search.share);
  useShareKeys(
    groups.flatMap((group) => group.shares),
    open,
  );
  return (
    <div className="sh" data-open={search.share !== undefined || search.view === 'service' || undefined}>
      <section className="sh-side" aria-labelledby={heading}>
        <div className="sh-head">
          <div className="row">
            <h1 id={heading}>{t('title')}</h1>
            <NewShareLink labels={labels} isPrimary />
          </div>
          {data && data.length > 0 && <ShareFilters shares={data} show={show} labels={labels} />}
        </div>
        <div className="sh-list">
          {error && !data && (
            <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />
          )}
          {!data && !error && <SkeletonLines count={6} label={t('loading')} />}
          {data?.length === 0 && <NothingShared labels={labels} />}
          {data && data.length > 0 && groups.length === 0 && <EmptyState title={t('none_here')} />}
          <ShareList groups={groups} openId={open?.share_id} labels={labels} />
        </div>
        <ServiceLink labels={labels} />
      </section>
      <section
        className="sh-main"
        aria-label={open ? t('detail') : t('exposes')}
        data-page-start={search.share !== undefined || undefined}
      >
        <Link
          to="/shares"
          search={(before) => ({ ...before, share: undefined, view: undefined })}
          className={`${buttonClass({ variant: 'quiet', size: 'small' })} sh-back`}
        >
          <Icon glyph={ArrowLeft} />
          {t('back')}
        </Link>
        {open && <OpenShare key={open.share_id} share={open} labels={labels} />}
        {!open && search.share !== undefined && data && <EmptyState title={t('none_here')} />}
        {!open && search.share === undefined && <ServiceOverview shares={data ?? []} labels={labels} />}
      </section>
    </div>
  );
}

function OpenShare({ share, labels }: { share: Share; labels: ShareLabels }) {
  useItemTitle(share.recipient_label);
  return (
    <>
      <Crumb>{share.recipient_label}</Crumb>
      <ShareDetail share={share} labels={labels} />
    </>
  );
}

/** What a share is, and the way to the first one. */
function NothingShared({ labels }: { labels: ShareLabels }) {
  const { t } = labels;
  const mayShareAny = useMayShareAny();
  return (
    <EmptyState title={t('none')} actions={<NewShareLink labels={labels} />}>
      {t('none_text')} {!mayShareAny && t('none_owner')}
    </EmptyState>
  );
}

/** Whether there is anybody whose documents the user may share. */
function useMayShareAny(): boolean {
  const mayShare = useMayShare();
  return usePatients().some(({ id }) => mayShare(id));
}

function NewShareLink({ labels: { t }, isPrimary = false }: { labels: ShareLabels; isPrimary?: boolean }) {
  const patient = useSearch({ strict: false }).patient;
  if (!useMayShareAny()) return null;
  return (
    <Link
      to="/shares/new"
      search={(before) => ({ patient: before.patient, of: patient })}
      className={`${buttonClass({ variant: isPrimary ? 'primary' : 'plain' })} push`}
    >
      <Icon glyph={Plus} />
      {t('new')}
    </Link>
  );
}

/** `j` and `k` open the next and the previous share of the list, Escape closes it. */
function useShareKeys(shares: readonly Share[], open: Share | undefined): void {
  const navigate = useNavigate();
  const select = (share: string | undefined): void =>
    void navigate({
      to: '/shares',
      search: (before) => ({ ...before, share, view: undefined }),
      replace: true,
      resetScroll: false,
    });
  const step = (by: 1 | -1): void => {
    const at = shares.findIndex(({ share_id }) => share_id === open?.share_id);
    const next = shares[Math.min(shares.length - 1, Math.max(0, at + by))];
    if (next) select(next.share_id);
  };
  useShortcuts({ j: () => step(1), k: () => step(-1), Escape: () => select(undefined) });
}
