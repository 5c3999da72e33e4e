import { useTranslation } from 'react-i18next';
import { fromTimestamp } from '../../client/clock.ts';
import type { Share } from '../../../src-shared/contract/shares.ts';
import type { SharedDocument } from '../../../src-shared/contract/share.ts';
import { useTitles } from '../../client/document-title.ts';
import { useFormats } from '../../client/format.ts';
import type { Tone } from '../../ui/chip.tsx';
import { deviceOf } from './device.ts';

const HOUR_MS = 3_600_000;
const HOURS_OF_DAY = 24;

/** How shares, times and devices are worded. */
export function useShareLabels() {
  const { t } = useTranslation('shares');
  const formats = useFormats();
  const titles = useTitles();
  return {
    t,
    formats,
    /** What the state of a share is called, with its color. */
    status: (share: Share): { tone: Tone; text: string } => {
      if (share.status !== 'active')
        return { tone: share.status === 'locked' ? 'bad' : 'plain', text: t(`status_${share.status}`) };
      if (share.link_moved) return { tone: 'warn', text: t('link_moved') };
      if (share.has_live_code) return { tone: 'warn', text: t('status_code') };
      if (share.active_session_count > 0) return { tone: 'accent', text: t('status_viewing') };
      return share.access_count === 0
        ? { tone: 'plain', text: t('status_unopened') }
        : { tone: 'ok', text: t('status_open') };
    },
    /** "opened 4 times" */
    opened: ({ access_count: count }: Share): string => (count === 0 ? t('opened_never') : t('opened', { count })),
    /** How long an open share has left, or when an ended one ended. */
    remaining: (share: Share, nowMs: number): string => {
      if (share.status === 'revoked') return formats.moment(share.revoked_at ?? share.expires_at);
      if (share.status === 'expired') return formats.moment(share.expires_at);
      const hours = Math.floor((fromTimestamp(share.expires_at) - nowMs) / HOUR_MS);
      if (hours < 1) return t('left_soon');
      return hours < HOURS_OF_DAY
        ? t('left_hours', { count: hours })
        : t('left_days', { count: Math.floor(hours / HOURS_OF_DAY) });
    },
    device: (userAgent: string | null): string => deviceOf(userAgent) ?? t('device_unknown'),
    documentTitle: (document: SharedDocument): string => titles.title({ ...document, title: null, highlights: null }),
  };
}
export type ShareLabels = ReturnType<typeof useShareLabels>;
