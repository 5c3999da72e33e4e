import { useCallback, useEffect, useState } from 'react';
import { now } from '../../client/clock.ts';
import { door, DoorError, type Me, type Seat } from './door.ts';
import { useLeaveOnClose } from './use-leave-on-close.ts';

export type Screen =
  | { kind: 'starting' }
  | { kind: 'landing'; isPlaceOver: boolean }
  | { kind: 'code'; requestedAt: number }
  | { kind: 'waiting'; seat: Seat }
  | { kind: 'open'; me: Me; documentId: number | null; areImages: boolean }
  | { kind: 'ended'; isOwnWish: boolean };

/** How often the page makes sure that its session goes on, which also keeps it from becoming idle. */
const KEEP_MS = 30_000;

/**
 * Where this tab remembers the link that it opened, and the names of its share and session, so that another link or
 * another tab begins anew: all tabs of a browser send the same cookie, and it may be that of another share by now.
 */
const OPENED = {
  link: 'hearth.opened-link',
  share: 'hearth.opened-share',
  session: 'hearth.opened-session',
} as const;

function remember(key: keyof typeof OPENED, value: string): void {
  try {
    sessionStorage.setItem(OPENED[key], value);
  } catch {
    // If storage is blocked, a page that is loaded again asks for a new code.
  }
}
function hasOpened(key: keyof typeof OPENED, value: string): boolean {
  try {
    return sessionStorage.getItem(OPENED[key]) === value;
  } catch {
    return false;
  }
}
function forgetOpened(): void {
  try {
    for (const key of Object.values(OPENED)) sessionStorage.removeItem(key);
  } catch {
    // Nothing was stored.
  }
}

const ENDED: Screen = { kind: 'ended', isOwnWish: false };
const opened = (me: Me): Screen => ({ kind: 'open', me, documentId: null, areImages: false });
const isOver = ({ session_expires_at: end }: Me): boolean => Date.parse(`${end}Z`) <= now();

export interface Visit {
  screen: Screen;
  request: () => Promise<void>;
  enter: (seat: Seat) => Promise<void>;
  leaveQueue: (isPlaceOver: boolean) => void;
  /** Shows a document, or its images; null shows the list. */
  show: (documentId: number | null, areImages?: boolean) => void;
  /** Asks whether the session goes on, and what is shared now. */
  check: () => Promise<void>;
  finish: () => Promise<void>;
}

/** The way of a recipient from the link to the documents, and to the end. */
export function useVisit(token: string): Visit {
  const [screen, setScreen] = useState<Screen>({ kind: 'starting' });
  const leaveQueue = useCallback((isPlaceOver: boolean) => setScreen({ kind: 'landing', isPlaceOver }), []);
  const enter = useCallback(
    async (seat: Seat): Promise<void> => {
      remember('link', token);
      remember('share', seat.share);
      if (seat.status !== 'active') return setScreen({ kind: 'waiting', seat });
      const me = await door.me();
      // Another tab was let in between.
      if (me.share !== seat.share) return leaveQueue(true);
      remember('session', me.session);
      setScreen(opened(me));
    },
    [token, leaveQueue],
  );
  // A page that is loaded again goes on where it was: with its session, or its place in the queue.
  useEffect(() => {
    const resume = async (): Promise<void> => {
      if (!hasOpened('link', token)) return leaveQueue(false);
      const me = await door.me().catch(() => null);
      if (me === null) {
        const seat = await door.claim();
        return hasOpened('share', seat.share) ? enter(seat) : leaveQueue(true);
      }
      if (hasOpened('session', me.session)) setScreen(opened(me));
      else leaveQueue(false);
    };
    resume().catch(() => leaveQueue(false));
  }, [token, enter, leaveQueue]);
  const check = useCallback(async (): Promise<void> => {
    try {
      const me = await door.me();
      setScreen((shown) => {
        if (shown.kind !== 'open') return shown;
        return shown.me.session === me.session ? { ...shown, me } : ENDED;
      });
    } catch (error) {
      const hasEnded = error instanceof DoorError && error.code === 'share.session_ended';
      // Without a connection, the end that is known counts.
      setScreen((shown) => (shown.kind === 'open' && (hasEnded || isOver(shown.me)) ? ENDED : shown));
    }
  }, []);
  /** The page is closed, or kept by the browser for whoever goes back: nothing is to be seen on it then. */
  const leave = useCallback(() => {
    setScreen((shown) => {
      if (shown.kind === 'open') return ENDED;
      return shown.kind === 'waiting' ? { kind: 'landing', isPlaceOver: true } : shown;
    });
  }, []);
  useKeepOpen(screen.kind === 'open', check);
  const session = screen.kind === 'open' ? screen.me.session : null;
  useLeaveOnClose(session, screen.kind === 'waiting' ? screen.seat.share : null, leave);
  return {
    screen,
    enter,
    check,
    leaveQueue,
    async request() {
      await door.requestCode(token);
      setScreen({ kind: 'code', requestedAt: now() });
    },
    show: (documentId, areImages = false) =>
      setScreen((shown) => (shown.kind === 'open' ? { ...shown, documentId, areImages } : shown)),
    async finish() {
      if (session !== null) await door.logout(session);
      forgetOpened();
      setScreen({ kind: 'ended', isOwnWish: true });
    },
  };
}

/** Checks the session while somebody looks at the page; a page in the background becomes idle and frees its seat. */
function useKeepOpen(isOpen: boolean, check: () => Promise<void>): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const checkIfSeen = (): void => {
      if (document.visibilityState === 'visible') void check();
    };
    const timer = setInterval(checkIfSeen, KEEP_MS);
    document.addEventListener('visibilitychange', checkIfSeen);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', checkIfSeen);
    };
  }, [isOpen, check]);
}
