import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Share } from '../../../src-shared/contract/shares.ts';
import { fromTimestamp, now } from '../../client/clock.ts';
import { useFormats } from '../../client/format.ts';
import { RowPerson } from '../../client/people.tsx';
import { useShares } from '../../client/shares.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';

/** A share that ends within this time is shown, so that it can be made anew in time. */
const SOON_MS = 2 * 86_400_000;

type Reason = 'code' | 'locked' | 'ends';

/** Why somebody should look at a share; null for those that go on by themselves. */
function reasonOf({ status, has_live_code, expires_at }: Share): Reason | null {
  if (status === 'locked') return 'locked';
  if (status !== 'active') return null;
  if (has_live_code) return 'code';
  return fromTimestamp(expires_at) - now() < SOON_MS ? 'ends' : null;
}

/** Shares that wait for their owner: for the code to be read aloud, to be reopened, or about to end. */
export function SharesPanel({ patient }: { patient: string | undefined }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data = [] } = useShares(patient);
  const due = data.flatMap((share) => {
    const reason = reasonOf(share);
    return reason ? [{ share, reason }] : [];
  });
  if (due.length === 0) return null;
  return (
    <Panel className="today-wide" title={t('today.shares')}>
      <ul className="lines">
        {due.map(({ share, reason }) => (
          <li key={share.share_id} className="review-row">
            <span className="who-line strong">
              <RowPerson of={share} />
              <span className="truncate" translate="no">
                {share.recipient_label}
              </span>
            </span>
            <span className="muted truncate">
              {t(`today.share_${reason}`, { date: formats.moment(share.expires_at) })}
            </span>
            <Link
              className={buttonClass({ size: 'small' })}
              to="/shares"
              search={(before) => ({ patient: before.patient, share: share.share_id })}
            >
              {t('action.open')}
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
