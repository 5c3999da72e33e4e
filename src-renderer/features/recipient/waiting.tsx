import { useEffect, useState } from 'react';
import { now } from '../../client/clock.ts';
import { Problem, ScreenHeading, useAction, useElapsed } from './action.tsx';
import { door, DoorError, type Seat } from './door.ts';
import { timeText, useTexts } from './texts.ts';

/** Until the service says otherwise. */
const POLL_SECONDS = 5;

/** The queue: asks for the seat until it is free. */
export function WaitingScreen({
  seat,
  onSeat,
  onLeft,
}: {
  seat: Seat;
  onSeat: (seat: Seat) => Promise<void>;
  onLeft: (isPlaceOver: boolean) => void;
}) {
  const { t, language } = useTexts();
  const { problem, run } = useAction();
  const [checkedAt, setCheckedAt] = useState(now);
  const seconds = Math.floor(useElapsed(checkedAt) / 1000);
  useEffect(() => {
    const ask = async (): Promise<void> => {
      try {
        const next = await door.claim();
        setCheckedAt(now());
        // Another tab of this browser waits for another share by now, and the place here is lost.
        if (next.share === seat.share) await onSeat(next);
        else onLeft(true);
      } catch (error) {
        if (error instanceof DoorError && error.code === 'share.place_expired') onLeft(true);
      }
    };
    const timer = setInterval(() => void ask(), (seat.retry_after_seconds ?? POLL_SECONDS) * 1000);
    return () => clearInterval(timer);
  }, [seat, onSeat, onLeft]);
  const leave = (): Promise<void> =>
    run(async () => {
      await door.leave(seat);
      onLeft(false);
    });
  const position = seat.position ?? 1;
  return (
    <main className="rp-body">
      <div role="status">
        <ScreenHeading>{t.waiting_title(position)}</ScreenHeading>
      </div>
      <p>{t.waiting_text}</p>
      <p className="rp-place" aria-hidden="true">
        {position}
        <small>{t.waiting_place}</small>
      </p>
      <p className="rp-middle">{t.waiting_keep(timeText(language, seat.queue_expires_at ?? ''))}</p>
      <div className="rp-foot">
        {problem !== null && <Problem>{problem}</Problem>}
        <p className="rp-quiet rp-middle">{t.waiting_checked(seconds)}</p>
        <button type="button" className="rp-button" onClick={() => void leave()}>
          {t.waiting_leave}
        </button>
      </div>
    </main>
  );
}
