import { Copy, KeyRound, Mail } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { CODE_MINUTES, type Share, type ShareEvent } from '../../../src-shared/contract/shares.ts';
import { fromTimestamp } from '../../client/clock.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useAnnounce } from '../../ui/live-region.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { ShareLabels } from './labels.ts';
import { useActiveCode, useCancelCode } from './queries.ts';
import { useCopy } from './use-copy.ts';
import { useNow } from './use-now.ts';

const SECOND_MS = 1_000;
const SECONDS_OF_MINUTE = 60;
/** Digits of a group, as they are read aloud. */
const GROUP = 3;

/** The code that the recipient has asked for, to be read aloud, and how long it is valid. */
export function CodePanel({
  share,
  trail,
  labels,
}: {
  share: Share;
  trail: readonly ShareEvent[];
  labels: ShareLabels;
}) {
  const { t, formats } = labels;
  const { data } = useActiveCode(share);
  const nowMs = useNow(SECOND_MS);
  const code = data?.active_otp ?? null;
  const leftMs = code === null ? 0 : fromTimestamp(code.expires_at) - nowMs;
  const shown = leftMs > 0 ? code : null;
  useAnnounceNew(shown?.code, t('code_here', { name: share.recipient_label }));
  const asked = trail.find(({ action }) => action === 'otp_request');
  return (
    <Panel title={t('code')} {...(shown && asked && { aside: formats.moment(asked.created_at) })}>
      {shown ? (
        <LiveCode share={share} code={shown} leftMs={leftMs} labels={labels} />
      ) : (
        <NoCode share={share} labels={labels} />
      )}
    </Panel>
  );
}

/** Says once that a code has come. The digits and the seconds are read on demand only. */
function useAnnounceNew(code: string | undefined, text: string): void {
  const announce = useAnnounce();
  const spoken = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (code !== undefined && code !== spoken.current) announce(text);
    spoken.current = code;
  }, [code, text, announce]);
}

function LiveCode({
  share,
  code: { code, attempts },
  leftMs,
  labels: { t },
}: {
  share: Share;
  code: { code: string; attempts: number };
  leftMs: number;
  labels: ShareLabels;
}) {
  const copy = useCopy();
  const cancel = useCancelCode();
  return (
    <div className="code">
      <Ring share={leftMs / (CODE_MINUTES * SECONDS_OF_MINUTE * SECOND_MS)} label={t('code_left_label')}>
        {clock(leftMs)}
        <small>{t('code_left')}</small>
      </Ring>
      <div>
        <div className="code-digits" translate="no">
          <span className="sr-only">{t('code_digits', { digits: [...code].join(' ') })}</span>
          <span aria-hidden="true">{code.slice(0, GROUP)}</span>
          <span aria-hidden="true">{code.slice(GROUP)}</span>
        </div>
        <p className="cap">
          {t('code_text')} {attempts > 0 && t('code_tries', { count: attempts })}
        </p>
        <div className="row">
          <Button
            size="small"
            glyph={Copy}
            onClick={() => void copy(code, (words) => words.t('code_copied', { ns: 'shares' }))}
          >
            {t('copy')}
          </Button>
          <Button size="small" variant="quiet" disabled={cancel.isPending} onClick={() => cancel.mutate(share)}>
            {t('code_cancel')}
          </Button>
        </div>
      </div>
    </div>
  );
}

/** "7:42" */
function clock(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / SECOND_MS));
  return `${Math.floor(seconds / SECONDS_OF_MINUTE)}:${String(seconds % SECONDS_OF_MINUTE).padStart(2, '0')}`;
}

const SIZE = 108;
const STROKE = 5;
const RADIUS = SIZE / 2 - STROKE;
const LENGTH = 2 * Math.PI * RADIUS;

/** A ring that empties; `share` is 0–1 of what is left. Its text is not announced every second. */
function Ring({ share, label, children }: { share: number; label: string; children: ReactNode }) {
  return (
    <div className="ring" role="timer" aria-live="off" aria-label={label}>
      <svg viewBox={`0 0 ${SIZE} ${SIZE}`} fill="none" strokeWidth={STROKE} aria-hidden="true">
        <circle className="ring-track" cx={SIZE / 2} cy={SIZE / 2} r={RADIUS} />
        <circle
          className="ring-left"
          cx={SIZE / 2}
          cy={SIZE / 2}
          r={RADIUS}
          strokeLinecap="round"
          strokeDasharray={`${LENGTH * Math.min(1, Math.max(0, share))} ${LENGTH}`}
        />
      </svg>
      <span className="num">{children}</span>
    </div>
  );
}

function NoCode({ share, labels: { t } }: { share: Share; labels: ShareLabels }) {
  const isMail = share.otp_delivery === 'email';
  return (
    <div className="code-none">
      <Icon glyph={isMail ? Mail : KeyRound} size={20} />
      <div>
        {!isMail && <strong>{t('code_none')}</strong>}
        <p className="muted">
          {isMail
            ? t('code_mail', { contact: share.recipient_contact ?? '' })
            : t('code_none_text', { name: share.recipient_label })}
        </p>
      </div>
    </div>
  );
}
