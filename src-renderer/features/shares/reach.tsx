import { Copy, Pencil, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ErrorReference } from '../../../src-shared/contract/errors.ts';
import type { ShareService } from '../../../src-shared/contract/shares.ts';
import { useMe } from '../../client/session.tsx';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Notice } from '../../ui/states.tsx';
import type { ShareLabels } from './labels.ts';
import { useOpenService } from './queries.ts';
import { TunnelForm } from './tunnel-form.tsx';
import { SETTING_OF_FIELD } from './tunnel-settings.ts';
import { useCopy } from './use-copy.ts';

interface Props {
  service: ShareService;
  labels: ShareLabels;
}

/** Where links lead, and whether recipients reach it; administrators choose how. */
export function ReachPanel({ service, labels }: Props) {
  const { t } = labels;
  const isAdmin = useMe()?.role === 'admin';
  const [isChanging, setChanging] = useState(false);
  return (
    <Panel
      title={t('address')}
      actions={
        isAdmin && (
          <Button
            size="small"
            className="push"
            glyph={Pencil}
            aria-expanded={isChanging}
            onClick={() => setChanging(!isChanging)}
          >
            {t('address_change')}
          </Button>
        )
      }
    >
      <div className="panel-body stack">
        {service.tunnel.kind === 'fixed' ? (
          <FixedAddress service={service} labels={labels} />
        ) : (
          <TunnelAddress service={service} labels={labels} />
        )}
        {isAdmin && service.state === 'waiting' && <TryButton labels={labels} />}
      </div>
      {isAdmin && isChanging && (
        <TunnelForm isOn={service.state !== 'off'} labels={labels} onClose={() => setChanging(false)} />
      )}
    </Panel>
  );
}

const isOnThisComputer = (url: string): boolean => /^https?:\/\/(127\.|localhost|\[::1\])/.test(url);

function FixedAddress({ service: { public_url: url, url: ownUrl, port, tunnel }, labels }: Props) {
  const { t } = labels;
  const isLocal = url === ownUrl || isOnThisComputer(url);
  return (
    <>
      {tunnel.error && <TunnelError error={tunnel.error} />}
      <CopiedAddress url={url} labels={labels} />
      <p className="muted">{isLocal ? t('address_local') : t('address_public', { port: String(port) })}</p>
      {!isLocal && <PlainWarning url={url} labels={labels} />}
    </>
  );
}

function CopiedAddress({ url, labels: { t } }: { url: string; labels: ShareLabels }) {
  const copy = useCopy();
  return (
    <div className="sh-url">
      <span className="mono">{url}</span>
      <Button
        size="small"
        glyph={Copy}
        onClick={() => void copy(url, (words) => words.t('address_copied', { ns: 'shares' }))}
      >
        {t('copy')}
      </Button>
    </div>
  );
}

function PlainWarning({ url, labels: { t } }: { url: string; labels: ShareLabels }) {
  return url.startsWith('http:') && <Notice tone="warn">{t('address_plain')}</Notice>;
}

/** The state of the tunnel in words, and its address while it is open. */
function TunnelAddress({ service, labels }: Props) {
  const { t, formats } = labels;
  const { kind, state, address, since, error, retry_at: retryAt } = service.tunnel;
  return (
    <>
      <p className="row sh-tunnel-state" role="status">
        <span className="sh-dot" data-state={state} />
        <span className="strong">{t(`tunnel_is_${state}`)}</span>
        {since !== null && <span className="cap num">{t('tunnel_since', { time: formats.time(since) })}</span>}
      </p>
      {state === 'off' && <p className="muted">{service.state === 'off' ? t('tunnel_closed') : t('tunnel_waits')}</p>}
      {state === 'failed' && <FailedTunnel error={error} retryAt={retryAt} labels={labels} />}
      {address !== null && (
        <>
          <CopiedAddress url={address} labels={labels} />
          <p className="muted">{t('address_tunnel')}</p>
          <PlainWarning url={address} labels={labels} />
        </>
      )}
      {kind === 'cloudflared' && <p className="cap">{t('tunnel_new_name')}</p>}
    </>
  );
}

function FailedTunnel({
  error,
  retryAt,
  labels: { t, formats },
}: {
  error: ErrorReference | null;
  retryAt: string | null;
  labels: ShareLabels;
}) {
  const isAdmin = useMe()?.role === 'admin';
  const open = useOpenService();
  return (
    <>
      {error ? <TunnelError error={error} /> : <Notice tone="bad">{t('tunnel_ask')}</Notice>}
      <div className="row sh-tunnel-state">
        {isAdmin && (
          <Button size="small" glyph={RotateCw} disabled={open.isPending} onClick={() => open.mutate()}>
            {t('retry')}
          </Button>
        )}
        <span className="cap num">
          {retryAt === null ? t('tunnel_no_retry') : t('tunnel_retry', { time: formats.time(retryAt) })}
        </span>
      </div>
    </>
  );
}

/** Why the tunnel failed, and how its program is installed if it is missing. */
function TunnelError({ error }: { error: ErrorReference }) {
  const vocabulary = useVocabulary();
  const { t } = useTranslation('settings');
  const { t: tShares } = useTranslation('shares');
  const setting = SETTING_OF_FIELD[String(error.params?.['field'])];
  const params = setting === undefined ? error.params : { field: t(`field_${setting}`) };
  const missing = error.code === 'tunnel.program_missing' ? error.params?.['program'] : undefined;
  return (
    <Notice tone="bad">
      {vocabulary.failure({ code: error.code, params })}
      {(missing === 'cloudflared' || missing === 'ssh') && (
        <span className="sh-install">{tShares(`install_${missing}`)}</span>
      )}
    </Notice>
  );
}

/** Opens the service although nothing is shared. */
function TryButton({ labels: { t } }: { labels: ShareLabels }) {
  const open = useOpenService();
  return (
    <div className="row sh-tunnel-state">
      <Button disabled={open.isPending} onClick={() => open.mutate()}>
        {t('tunnel_try')}
      </Button>
      <span className="cap">{t('tunnel_try_text')}</span>
    </div>
  );
}
