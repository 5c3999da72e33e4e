import {
  BookOpenText,
  CircleX,
  Clock,
  Download,
  FileMinus,
  FilePlus,
  FileText,
  KeyRound,
  Languages,
  Link as LinkGlyph,
  Lock,
  LockOpen,
  LogOut,
  Mail,
  QrCode,
  Share2,
  Unlink,
  UserMinus,
  UserPlus,
  type LucideIcon,
} from 'lucide-react';
import { useState } from 'react';
import type { SharedDocument } from '../../../src-shared/contract/share.ts';
import type { Share, ShareAction } from '../../../src-shared/contract/shares.ts';
import { today } from '../../client/clock.ts';
import { fileNameOf, saveFile } from '../../client/save-file.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ErrorState, SkeletonLines } from '../../ui/states.tsx';
import type { ShareLabels } from './labels.ts';
import type { useTrail } from './queries.ts';
import { wordEvents } from './sentences.ts';
import { storyOf, type Line } from './story.ts';

/** Lines that are shown at first. */
const FIRST_LINES = 30;
const DAY_MS = 86_400_000;

const GLYPHS: Record<ShareAction, LucideIcon> = {
  otp_request: KeyRound,
  otp_email_sent: Mail,
  otp_email_failed: Mail,
  otp_email_rate_limited: Mail,
  otp_verify_ok: LockOpen,
  otp_verify_fail: CircleX,
  otp_verify_queued: UserPlus,
  queue_claim_ok: LockOpen,
  queue_cancel: UserMinus,
  view_doc: FileText,
  view_file: FileText,
  view_text: BookOpenText,
  view_file_failed: FileText,
  translate: Languages,
  translate_region_done: Languages,
  logout: LogOut,
  session_expired: Clock,
  'share.locked': Lock,
  'share.session.revoke': UserMinus,
  'share.queue.drop': UserMinus,
  'share.create': Share2,
  'share.revoke': Lock,
  'share.reopen': LockOpen,
  'share.link.renew': LinkGlyph,
  'share.documents.add': FilePlus,
  'share.health_link.create': QrCode,
  'share.health_link.revoke': Unlink,
  'share.health_link.failed': CircleX,
  health_link_open: QrCode,
  health_link_file: Download,
  health_link_wrong_passcode: CircleX,
  health_link_locked: Lock,
  'share.documents.remove': FileMinus,
  'share.otp.cancel': CircleX,
};
/** What was refused or failed. */
const BAD: ReadonlySet<ShareAction> = new Set<ShareAction>([
  'otp_verify_fail',
  'otp_email_failed',
  'otp_email_rate_limited',
  'view_file_failed',
  'share.locked',
  'share.health_link.failed',
  'health_link_wrong_passcode',
  'health_link_locked',
]);

/** What happened to a share, as sentences by day, and as CSV. */
export function StoryPanel({
  share,
  query: { data, error, refetch },
  documents,
  labels,
}: {
  share: Share;
  query: ReturnType<typeof useTrail>;
  documents: readonly SharedDocument[];
  labels: ShareLabels;
}) {
  const { t, formats } = labels;
  const vocabulary = useVocabulary();
  const [isWhole, setWhole] = useState(false);
  const words = wordEvents(labels, documents);
  const events = data?.events ?? [];
  const days = storyOf(events);
  const lines = days.reduce((sum, day) => sum + day.lines.length, 0);
  const save = (): void =>
    saveFile(
      new Blob([words.csv(events)], { type: 'text/csv;charset=utf-8' }),
      fileNameOf([t('csv_name', { name: share.recipient_label })], 'csv'),
    );
  return (
    <Panel
      title={t('story')}
      actions={
        events.length > 0 && (
          <Button size="small" glyph={Download} className="push" aria-label={t('story_csv_label')} onClick={save}>
            {t('story_csv')}
          </Button>
        )
      }
    >
      {error && !data && (
        <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />
      )}
      {!data && !error && <SkeletonLines count={4} label={t('loading')} />}
      {data && lines === 0 && <p className="panel-body muted">{t('story_empty')}</p>}
      {lines > 0 && (
        <div className="story">
          {limited(days, isWhole ? lines : FIRST_LINES).map(({ day, lines: ofDay }) => (
            <section key={day} aria-label={dayName(day, labels)}>
              <h3>{dayName(day, labels)}</h3>
              <ol>
                {ofDay.map(({ event, count }) => (
                  <li key={event.id} data-bad={BAD.has(event.action) || undefined}>
                    <time
                      className="cap num"
                      dateTime={`${event.created_at}Z`}
                      title={formats.momentExact(event.created_at)}
                    >
                      {formats.time(event.created_at)}
                    </time>
                    <Icon glyph={GLYPHS[event.action]} size={15} />
                    <span>{words.sentence(event)}</span>
                    <span className="cap num" title={event.client_ip ?? undefined}>
                      {words.fact(event, count)}
                    </span>
                  </li>
                ))}
              </ol>
            </section>
          ))}
          {!isWhole && lines > FIRST_LINES && (
            <Button size="small" onClick={() => setWhole(true)}>
              {t('story_more', { number: formats.count(lines) })}
            </Button>
          )}
        </div>
      )}
    </Panel>
  );
}

/** The first lines of a story. */
function limited(days: readonly { day: string; lines: Line[] }[], max: number): { day: string; lines: Line[] }[] {
  let left = max;
  return days.flatMap(({ day, lines }) => {
    const shown = lines.slice(0, left);
    left -= shown.length;
    return shown.length > 0 ? [{ day, lines: shown }] : [];
  });
}

/** "Today", "Yesterday", or the date. */
function dayName(day: string, { t, formats }: ShareLabels): string {
  const daysAgo = Math.round((Date.parse(today()) - Date.parse(day)) / DAY_MS);
  if (daysAgo === 0) return t('today');
  return daysAgo === 1 ? t('yesterday') : formats.dateFull(day);
}
