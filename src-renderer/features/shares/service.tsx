import { Link } from '@tanstack/react-router';
import { Check, ChevronRight, Power, PowerOff, X, type LucideIcon } from 'lucide-react';
import type { Share, ShareService } from '../../../src-shared/contract/shares.ts';
import { useMe } from '../../client/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SkeletonLines } from '../../ui/states.tsx';
import type { ShareLabels } from './labels.ts';
import { useAllSessions, useCloseService, useListener, useOpenService } from './queries.ts';
import { ReachPanel } from './reach.tsx';
import { Seats } from './seats.tsx';
import './service.css';

/** Whether recipients can reach something, at the foot of the list; leads to the overview. */
export function ServiceLink({ labels: { t } }: { labels: ShareLabels }) {
  const { data } = useListener();
  if (!data) return null;
  return (
    <Link
      to="/shares"
      search={(before) => ({ ...before, share: undefined, view: 'service' })}
      className="sh-service"
      resetScroll={false}
    >
      <span className="sh-dot" data-state={data.tunnel.state === 'failed' ? 'failed' : data.state} />
      <span className="strong truncate">
        {data.tunnel.state === 'failed' ? t('tunnel_is_failed') : t(`service_${data.state}`)}
      </span>
      <Icon glyph={ChevronRight} />
      <span className="cap mono truncate">{data.public_url.replace(/^https?:\/\//, '')}</span>
    </Link>
  );
}

/** The service for recipients: on or off, its address, what it exposes and who is connected. */
export function ServiceOverview({ shares, labels }: { shares: readonly Share[]; labels: ShareLabels }) {
  const { t } = labels;
  const { data, isLoading } = useListener();
  const open = shares.filter(({ status }) => status === 'active');
  return (
    <div className="sh-overview">
      {data ? (
        <>
          <Switch service={data} labels={labels} />
          <ReachPanel service={data} labels={labels} />
        </>
      ) : (
        isLoading && (
          <div className="panel">
            <SkeletonLines count={7} label={t('loading')} />
          </div>
        )
      )}
      <Panel title={t('exposes')} {...(data && { aside: t('exposes_port', { port: String(data.port) }) })}>
        <ul>
          <Exposed glyph={Check} title={t('exposes_page')} text={t('exposes_page_text')} path="/share/…" />
          <Exposed
            glyph={Check}
            title={t('exposes_documents', { count: new Set(open.flatMap(({ document_ids }) => document_ids)).size })}
            text={t('exposes_documents_text')}
            path="/api/share/…"
          />
          <Exposed glyph={X} title={t('exposes_rest')} text={t('exposes_rest_text')} path="404" />
        </ul>
      </Panel>
      <Connected shares={open} labels={labels} />
    </div>
  );
}

function Switch({ service, labels }: { service: ShareService; labels: ShareLabels }) {
  const { t, formats } = labels;
  const { state, port, trial_until: trialUntil } = service;
  const isAdmin = useMe()?.role === 'admin';
  const open = useOpenService();
  const close = useCloseService();
  const isOff = state === 'off';
  return (
    <section className="panel sh-switch" aria-labelledby="sh-service">
      <div>
        <div className="row">
          <span className="sh-dot" data-state={state} />
          <h2 id="sh-service">{t(`service_${state}`)}</h2>
        </div>
        <p className="muted">
          {t(`service_${state}_text`, { port: String(port) })} {!isAdmin && t('service_admin')}
        </p>
        {trialUntil !== null && <p className="muted">{t('service_trial', { time: formats.time(trialUntil) })}</p>}
      </div>
      {isAdmin && (
        <Button
          size="large"
          glyph={isOff ? Power : PowerOff}
          className={isOff ? undefined : 'sh-close'}
          disabled={open.isPending || close.isPending}
          onClick={() => (isOff ? open.mutate() : close.mutate())}
        >
          {isOff ? t('service_open') : t('service_close')}
        </Button>
      )}
    </section>
  );
}

function Exposed({ glyph, title, text, path }: { glyph: LucideIcon; title: string; text: string; path: string }) {
  return (
    <li className="sh-exposed" data-refused={glyph === X || undefined}>
      <Icon glyph={glyph} />
      <span>
        <span className="strong num">{title}</span>
        <span className="cap">{text}</span>
      </span>
      <span className="mono">{path}</span>
    </li>
  );
}

function Connected({ shares, labels }: { shares: readonly Share[]; labels: ShareLabels }) {
  const { t } = labels;
  const used = shares.filter(({ active_session_count, queued_count }) => active_session_count + queued_count > 0);
  const sessions = useAllSessions(used.map(({ share_id }) => share_id));
  const sum = (name: 'active_session_count' | 'queued_count'): number =>
    used.reduce((total, share) => total + share[name], 0);
  const counts = [
    sum('active_session_count') > 0 && t('seats_viewing', { count: sum('active_session_count') }),
    sum('queued_count') > 0 && t('seats_waiting', { count: sum('queued_count') }),
  ];
  return (
    <Panel title={t('connected')} aside={counts.filter(Boolean).join(' · ') || t('seats_nobody')}>
      {used.length === 0 && <p className="panel-body muted">{t('connected_none')}</p>}
      {used.map(({ share_id, recipient_label: name }, index) => {
        const found = sessions[index]?.data;
        return found && <Seats key={share_id} sessions={found} name={name} labels={labels} />;
      })}
    </Panel>
  );
}
