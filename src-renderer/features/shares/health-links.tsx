import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { HealthLinkRow } from '../../../src-shared/contract/health-links.ts';
import type { SharedDocument } from '../../../src-shared/contract/share.ts';
import type { Share } from '../../../src-shared/contract/shares.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Tag, type Tone } from '../../ui/chip.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ErrorState, Notice, SkeletonLines } from '../../ui/states.tsx';
import { AskDialog } from './ask.tsx';
import { HealthLinkDialog } from './health-link-dialog.tsx';
import { useEndHealthLink, useHealthLinks } from './health-link-queries.ts';
import { Explanation, LinkProgress } from './health-link-state.tsx';
import type { ShareLabels } from './labels.ts';
import './health-links.css';

interface Props {
  share: Share;
  /** Undefined for somebody who may not read them. */
  documents: readonly SharedDocument[] | undefined;
  isOver: boolean;
  labels: ShareLabels;
}

/** Links with which programs of others fetch the documents of a share, and the way to make one. */
export function HealthLinksPanel({ share, documents, isOver, labels }: Props) {
  const { t } = labels;
  const vocabulary = useVocabulary();
  const { data, error, refetch } = useHealthLinks(share.share_id);
  /** The form that is open: for another link, or for one in the place of a link. */
  const [making, setMaking] = useState<'new' | HealthLinkRow | null>(null);
  const [ended, setEnded] = useState<HealthLinkRow | null>(null);
  const end = useEndHealthLink(share.share_id);
  const mayMake = !isOver && documents !== undefined && documents.length > 0;
  if (isOver && data?.length === 0) return null;
  return (
    <Panel
      title={t('hl_title')}
      actions={
        mayMake && (
          <Button size="small" glyph={Plus} className="push" onClick={() => setMaking('new')}>
            {t('hl_new')}
          </Button>
        )
      }
    >
      {error && !data && (
        <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />
      )}
      {!data && !error && <SkeletonLines count={1} label={t('loading')} />}
      {data?.length === 0 && <p className="panel-body muted">{t('hl_none')}</p>}
      {data?.some(({ status }) => status === 'moved') && (
        <div className="panel-body">
          <Notice tone="warn">{t('hl_moved_notice')}</Notice>
        </div>
      )}
      {data && data.length > 0 && (
        <ul>
          {data.map((link) => (
            <LinkLine
              key={link.link_id}
              link={link}
              documents={documents}
              labels={labels}
              onRenew={link.status === 'moved' && mayMake ? () => setMaking(link) : undefined}
              onEnd={() => (link.status === 'failed' ? end.mutate(link) : setEnded(link))}
            />
          ))}
        </ul>
      )}
      {making !== null && documents && (
        <HealthLinkDialog
          share={share}
          documents={documents}
          replaced={making === 'new' ? null : making}
          labels={labels}
          onClose={() => setMaking(null)}
        />
      )}
      {ended && (
        <AskDialog
          title={t('hl_end_title', { name: ended.label || t('hl_unnamed') })}
          text={ended.status === 'making' ? t('hl_cancel_text') : t('hl_end_text')}
          cancel={t('cancel')}
          confirm={t('hl_end')}
          onClose={() => setEnded(null)}
          onConfirm={() => end.mutate(ended)}
        />
      )}
    </Panel>
  );
}

const TONES: Readonly<Record<HealthLinkRow['status'], Tone>> = {
  making: 'accent',
  failed: 'bad',
  active: 'ok',
  used: 'plain',
  locked: 'bad',
  changed: 'warn',
  moved: 'bad',
  paused: 'warn',
  expired: 'plain',
  revoked: 'plain',
};
/** States in which ending a link changes something. */
const ENDABLE: ReadonlySet<HealthLinkRow['status']> = new Set([
  'making',
  'failed',
  'active',
  'changed',
  'moved',
  'paused',
]);

function LinkLine({
  link,
  documents,
  labels,
  onRenew,
  onEnd,
}: {
  link: HealthLinkRow;
  documents: readonly SharedDocument[] | undefined;
  labels: ShareLabels;
  /** Undefined where a link needs no other address. */
  onRenew: (() => void) | undefined;
  onEnd: () => void;
}) {
  const { t } = labels;
  const name = link.label || t('hl_unnamed');
  const isFailed = link.status === 'failed';
  return (
    <li className="hl-line">
      <span className="hl-words">
        <span className="row hl-name">
          <span className="strong truncate" translate="no">
            {name}
          </span>
          <Tag tone={TONES[link.status]}>{t(`hl_${link.status}`)}</Tag>
        </span>
        <span className="cap num">{factsOf(link, labels).join(' · ')}</span>
        {link.progress && <LinkProgress progress={link.progress} labels={labels} />}
        <Explanation link={link} documents={documents} labels={labels} />
      </span>
      <span className="hl-buttons">
        {onRenew && (
          <Button size="small" variant="primary" aria-label={t('hl_renew_label', { name })} onClick={onRenew}>
            {t('hl_renew')}
          </Button>
        )}
        {ENDABLE.has(link.status) && (
          <Button size="small" aria-label={t(isFailed ? 'hl_remove_label' : 'hl_end_label', { name })} onClick={onEnd}>
            {isFailed ? t('remove') : t('hl_end')}
          </Button>
        )}
      </span>
    </li>
  );
}

/** What is in a link, what protects it, and its use. */
function factsOf(link: HealthLinkRow, { t, formats }: ShareLabels): string[] {
  const facts = [
    t('documents', { count: link.document_count }),
    link.size !== null && formats.bytes(link.size),
    link.has_passcode ? t('hl_tries', { count: link.tries_left ?? 0 }) : t('hl_no_passcode'),
    link.is_one_time && t('hl_once'),
    t('until', { date: formats.moment(link.expires_at) }),
    link.last_opened_at === null
      ? t('opened_never')
      : `${t('opened', { count: link.opened_count })}, ${formats.moment(link.last_opened_at)}`,
  ];
  return facts.filter((fact) => fact !== false);
}
