import { Link, useNavigate } from '@tanstack/react-router';
import type { Share } from '../../../src-shared/contract/shares.ts';
import { RowPerson } from '../../client/people.tsx';
import { Chip, Tag } from '../../ui/chip.tsx';
import { groupOf, type groupsOf, type Group } from './groups.ts';
import type { ShareLabels } from './labels.ts';
import { useNow } from './use-now.ts';

const MINUTE_MS = 60_000;
/** The filters of the list. */
export const SHOWN = ['all', 'open', 'locked', 'ended'] as const;

/** Filter chips with the number of shares. */
export function ShareFilters({
  shares,
  show,
  labels: { t },
}: {
  shares: readonly Share[];
  show: Group | 'all';
  labels: ShareLabels;
}) {
  const navigate = useNavigate();
  const select = (next: Group | 'all'): void =>
    void navigate({
      to: '/shares',
      search: (before) => ({ ...before, show: next === 'all' ? undefined : next }),
      replace: true,
      resetScroll: false,
    });
  return (
    <div className="row sh-chips" role="group" aria-label={t('show')}>
      {SHOWN.map((name) => {
        const number = shares.filter((share) => groupOf(share) === name).length;
        const label = t(`show_${name}`);
        return (
          <Chip
            key={name}
            isOn={show === name}
            aria-pressed={show === name}
            disabled={name !== 'all' && number === 0}
            onClick={() => select(name)}
          >
            {name === 'open' || name === 'locked' ? withNumber(t, label, number) : label}
          </Chip>
        );
      })}
    </div>
  );
}

const withNumber = (t: ShareLabels['t'], label: string, number: number): string =>
  number > 0 ? t('counted', { label, number }) : label;

/** Shares by state. */
export function ShareList({
  groups,
  openId,
  labels,
}: {
  groups: ReturnType<typeof groupsOf<Share>>;
  openId: string | undefined;
  labels: ShareLabels;
}) {
  const nowMs = useNow(MINUTE_MS);
  return groups.map(({ name, shares }) => (
    <section key={name} aria-labelledby={`sh-${name}`}>
      <h2 id={`sh-${name}`} className="sh-group">
        {labels.t(`show_${name}`)}
      </h2>
      <ul>
        {shares.map((share) => (
          <li key={share.share_id}>
            <ShareRow share={share} isOpen={share.share_id === openId} nowMs={nowMs} labels={labels} />
          </li>
        ))}
      </ul>
    </section>
  ));
}

function ShareRow({
  share,
  isOpen,
  nowMs,
  labels,
}: {
  share: Share;
  isOpen: boolean;
  nowMs: number;
  labels: ShareLabels;
}) {
  const { tone, text } = labels.status(share);
  return (
    <Link
      to="/shares"
      search={(before) => ({ ...before, share: share.share_id, view: undefined })}
      resetScroll={false}
      className="sh-row"
      aria-current={isOpen ? 'true' : undefined}
    >
      <span className="row">
        <span className="strong truncate">{share.recipient_label}</span>
        <RowPerson of={share} />
      </span>
      <span className="sh-end">
        <Tag tone={tone}>{text}</Tag>
      </span>
      <span className="cap num truncate">
        {labels.t('documents', { count: share.document_count })} · {labels.opened(share)}
      </span>
      <span className="cap num sh-end">{labels.remaining(share, nowMs)}</span>
    </Link>
  );
}
