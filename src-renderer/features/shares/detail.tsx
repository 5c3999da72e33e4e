import { Link } from '@tanstack/react-router';
import { Eye, Link as LinkGlyph, Printer, QrCode as QrGlyph } from 'lucide-react';
import { useState } from 'react';
import type { Share } from '../../../src-shared/contract/shares.ts';
import type { ListedDocument } from '../../../src-shared/contract/share.ts';
import { useMayShare } from '../../client/session.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Tag } from '../../ui/chip.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/states.tsx';
import { CodePanel } from './code.tsx';
import { DocumentsPanel } from './documents.tsx';
import { HealthLinksPanel } from './health-links.tsx';
import { AskDialog } from './ask.tsx';
import type { ShareLabels } from './labels.ts';
import { PreviewDialog } from './preview.tsx';
import { QrCode } from './qr-code.tsx';
import {
  useEndShare,
  useListener,
  usePurgeShare,
  useRenewLink,
  useReopenShare,
  useSharedDocuments,
  useTrail,
} from './queries.ts';
import { SeatsPanel } from './seats.tsx';
import { StoryPanel } from './story-panel.tsx';
import { useCopy } from './use-copy.ts';

interface Props {
  share: Share;
  labels: ShareLabels;
}

/** One share: its code, who is there, its documents, and what happened. */
export function ShareDetail({ share, labels }: Props) {
  const { t } = labels;
  const mayManage = useMayShare()(share.patient_id);
  if (mayManage) return <ManagedShare share={share} labels={labels} />;
  return (
    <>
      <header className="sh-title">
        <Names share={share} labels={labels} />
      </header>
      <Notice tone="warn">{t('read_only')}</Notice>
    </>
  );
}

const isOver = ({ status }: Share): boolean => status === 'expired' || status === 'revoked';

function ManagedShare({ share, labels }: Props) {
  const { t } = labels;
  const reopen = useReopenShare();
  const trail = useTrail(share.share_id);
  const documents = useSharedDocuments(share.share_id);
  const events = trail.data?.events ?? [];
  const shown = documents.data ?? [];
  return (
    <>
      <header className="sh-title">
        <Names share={share} labels={labels} />
        <Actions share={share} labels={labels} documents={shown} />
      </header>
      {share.share_url === null && !isOver(share) && <Notice tone="warn">{t('no_link')}</Notice>}
      {!isOver(share) && <ClosedWay labels={labels} />}
      {share.link_moved && <MovedLink share={share} labels={labels} />}
      {share.status === 'locked' && (
        <div className="panel sh-locked">
          <p>{t('locked_text')}</p>
          <Button variant="primary" disabled={reopen.isPending} onClick={() => reopen.mutate(share)}>
            {t('reopen')}
          </Button>
        </div>
      )}
      {share.status === 'active' && (
        <div className="sh-two">
          <CodePanel share={share} trail={events} labels={labels} />
          <SeatsPanel share={share} trail={events} documents={shown} labels={labels} />
        </div>
      )}
      <DocumentsPanel share={share} query={documents} trail={events} labels={labels} isOver={isOver(share)} />
      <HealthLinksPanel share={share} documents={documents.data} labels={labels} isOver={isOver(share)} />
      <StoryPanel share={share} query={trail} documents={shown} labels={labels} />
    </>
  );
}

/** Says that the link that was given out leads nowhere any more, and copies the one that does. */
function MovedLink({ share, labels: { t } }: Props) {
  const copy = useCopy();
  const renew = useRenewLink();
  const link = share.share_url;
  if (link === null) return null;
  const copyAnew = async (): Promise<void> => {
    if (await copy(link, (words) => words.t('link_copied', { ns: 'shares' }))) renew.mutate(share);
  };
  return (
    <div className="panel sh-locked">
      <p>{t('link_moved_text', { name: share.recipient_label })}</p>
      <Button variant="primary" glyph={LinkGlyph} disabled={renew.isPending} onClick={() => void copyAnew()}>
        {t('copy_new_link')}
      </Button>
    </div>
  );
}

/** Says that the link leads nowhere while its tunnel is not open. */
function ClosedWay({ labels: { t } }: { labels: ShareLabels }) {
  const { data } = useListener();
  if (data?.state !== 'running' || data.tunnel.kind === 'fixed' || data.tunnel.state === 'open') return null;
  return <Notice tone="warn">{data.tunnel.state === 'opening' ? t('link_opening') : t('link_closed')}</Notice>;
}

/** For whom the share is, its state, and the facts about it. */
function Names({ share, labels: { t, formats, status } }: Props) {
  const { tone, text } = status(share);
  const open = t('open_until', { date: formats.moment(share.expires_at) });
  const end = {
    active: open,
    locked: open,
    expired: t('expired_on', { date: formats.moment(share.expires_at) }),
    revoked: t('ended_on', { date: formats.moment(share.revoked_at ?? share.expires_at) }),
  }[share.status];
  return (
    <div className="sh-names">
      <div className="row sh-name">
        <h1 translate="no">{share.recipient_label}</h1>
        <Tag tone={tone}>{text}</Tag>
      </div>
      <p className="cap num">
        <span translate="no">{share.patient_name}</span> · {end} ·{' '}
        {share.otp_delivery === 'email' ? t('by_mail') : t('by_voice')}
        {share.recipient_contact !== null && ` · ${share.recipient_contact}`}
      </p>
    </div>
  );
}

type Asked = 'end' | 'delete' | 'preview' | 'qr' | null;

function Actions({ share, labels, documents }: Props & { documents: readonly ListedDocument[] }) {
  const { t } = labels;
  const copy = useCopy();
  const [asked, setAsked] = useState<Asked>(null);
  const close = (): void => setAsked(null);
  const link = isOver(share) ? null : share.share_url;
  return (
    <div className="row sh-actions">
      {link !== null && (
        <>
          {!share.link_moved && (
            <Button
              glyph={LinkGlyph}
              onClick={() => void copy(link, (words) => words.t('link_copied', { ns: 'shares' }))}
            >
              {t('copy_link')}
            </Button>
          )}
          <IconButton variant="plain" glyph={QrGlyph} label={t('show_qr')} onClick={() => setAsked('qr')} />
          <Link
            to="/shares/slip"
            search={(before) => ({ patient: before.patient, share: share.share_id })}
            className={`${buttonClass()} icon-btn`}
            aria-label={t('print_slip')}
            title={t('print_slip')}
          >
            <Icon glyph={Printer} />
          </Link>
        </>
      )}
      <IconButton variant="plain" glyph={Eye} label={t('preview')} onClick={() => setAsked('preview')} />
      <Button className="sh-end-share" onClick={() => setAsked(isOver(share) ? 'delete' : 'end')}>
        {isOver(share) ? t('delete') : t('end')}
      </Button>
      <EndDialogs share={share} labels={labels} asked={asked} onClose={close} />
      {asked === 'preview' && (
        <PreviewDialog share={share} documents={documents} link={link} labels={labels} onClose={close} />
      )}
      {asked === 'qr' && link !== null && (
        <QrDialog link={link} name={share.recipient_label} labels={labels} onClose={close} />
      )}
    </div>
  );
}

/** The link to be scanned from the screen, by somebody in the same room. */
function QrDialog({
  link,
  name,
  labels: { t },
  onClose,
}: {
  link: string;
  name: string;
  labels: ShareLabels;
  onClose: () => void;
}) {
  return (
    <Dialog open onOpenChange={onClose} title={t('qr_title', { name })}>
      <div className="sh-qr">
        <QrCode text={link} label={t('qr_label')} />
      </div>
      <p className="mono sh-link">{link}</p>
      <p className="muted">{t('qr_text')}</p>
      <div className="dialog-actions">
        <Button onClick={onClose}>{t('close')}</Button>
      </div>
    </Dialog>
  );
}

/** The questions before what cannot be undone. */
function EndDialogs({ share, labels: { t }, asked, onClose }: Props & { asked: Asked; onClose: () => void }) {
  const end = useEndShare();
  const purge = usePurgeShare();
  const name = share.recipient_label;
  if (asked === 'end')
    return (
      <AskDialog
        title={t('end_title', { name })}
        text={t('end_text')}
        cancel={t('cancel')}
        confirm={t('end')}
        onClose={onClose}
        onConfirm={() => end.mutate(share)}
      />
    );
  if (asked === 'delete')
    return (
      <AskDialog
        title={t('delete_title', { name })}
        text={t('delete_text')}
        cancel={t('cancel')}
        confirm={t('delete')}
        onClose={onClose}
        onConfirm={() => purge.mutate(share)}
      />
    );
  return null;
}
