import { MonitorSmartphone } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SharedDocument } from '../../../src-shared/contract/share.ts';
import { IDLE_MINUTES, type Share, type ShareEvent } from '../../../src-shared/contract/shares.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ErrorState, SkeletonLines } from '../../ui/states.tsx';
import type { ShareLabels } from './labels.ts';
import { useDisconnect, useDropWaiter, useSessions } from './queries.ts';
import { readNow } from './story.ts';

type Sessions = NonNullable<ReturnType<typeof useSessions>['data']>;

/** Who has the share open, and who waits. */
export function SeatsPanel({
  share,
  trail,
  documents,
  labels,
}: {
  share: Share;
  trail: readonly ShareEvent[];
  documents: readonly SharedDocument[];
  labels: ShareLabels;
}) {
  const { t } = labels;
  const vocabulary = useVocabulary();
  const { data, error } = useSessions(share.share_id);
  const titleOf = (rowid: number): string | undefined => {
    const document = documents.find(({ id }) => id === readNow(trail, rowid));
    return document && labels.documentTitle(document);
  };
  const counts = data && [
    data.active.length > 0 && t('seats_viewing', { count: data.active.length }),
    data.queued.length > 0 && t('seats_waiting', { count: data.queued.length }),
  ];
  return (
    <Panel title={t('seats')} aside={counts?.filter(Boolean).join(' · ') || t('seats_nobody')}>
      {error && !data && <ErrorState message={vocabulary.error(error)} />}
      {!data && !error && <SkeletonLines count={2} label={t('loading')} />}
      {data?.active.length === 0 && data.queued.length === 0 && <p className="panel-body muted">{t('seats_none')}</p>}
      {data && <Seats sessions={data} titleOf={titleOf} labels={labels} />}
      <p className="cap sh-note">{t('seats_text', { minutes: IDLE_MINUTES })}</p>
    </Panel>
  );
}

/** The sessions of a share and its queue, each with what ends it. */
export function Seats({
  sessions: { active, queued },
  titleOf,
  name,
  labels,
}: {
  sessions: Sessions;
  titleOf?: (rowid: number) => string | undefined;
  /** For whom the share is, if the list is of several. */
  name?: string;
  labels: ShareLabels;
}) {
  const { t, formats, device } = labels;
  const disconnect = useDisconnect();
  const drop = useDropWaiter();
  const whose = name === undefined ? [] : [t('seat_of', { name })];
  return (
    <ul>
      {active.map((seat) => {
        const document = titleOf?.(seat.rowid);
        return (
          <Seat
            key={seat.rowid}
            mark={<Icon glyph={MonitorSmartphone} />}
            title={device(seat.user_agent)}
            text={[
              ...whose,
              document !== undefined && t('seat_reading', { document }),
              t('seat_since', { time: formats.time(seat.created_at) }),
              seat.is_idle && t('seat_idle', { minutes: IDLE_MINUTES }),
              seat.client_ip,
            ]}
            action={
              <Button size="small" disabled={disconnect.isPending} onClick={() => disconnect.mutate(seat)}>
                {t('disconnect')}
              </Button>
            }
          />
        );
      })}
      {queued.map((seat, index) => (
        <Seat
          key={seat.rowid}
          mark={
            <>
              <span aria-hidden="true">{index + 1}</span>
              <span className="sr-only">{t('seat_place', { number: index + 1 })}</span>
            </>
          }
          isQueued
          title={device(seat.user_agent)}
          text={[...whose, t('seat_kept', { time: formats.time(seat.queue_expires_at) }), seat.client_ip]}
          action={
            <Button size="small" disabled={drop.isPending} onClick={() => drop.mutate(seat)}>
              {t('remove')}
            </Button>
          }
        />
      ))}
    </ul>
  );
}

function Seat({
  mark,
  title,
  text,
  action,
  isQueued = false,
}: {
  mark: ReactNode;
  title: string;
  text: readonly (string | false | null)[];
  action: ReactNode;
  isQueued?: boolean;
}) {
  return (
    <li className="seat">
      <span className="seat-mark num" data-queue={isQueued || undefined}>
        {mark}
      </span>
      <span>
        <span className="strong">{title}</span>
        <span className="cap num">{text.filter(Boolean).join(' · ')}</span>
      </span>
      {action}
    </li>
  );
}
