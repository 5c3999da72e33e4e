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

/** Where this tab remembers the link that it opened, so that another link or another tab begins anew. */
const OPENED_LINK = 'hearth.opened-link';

function rememberLink(token: string): void {
  try {
    sessionStorage.setItem(OPENED_LINK, token);
  } catch {
    // If storage is blocked, a page that is loaded again asks for a new code.
  }
}
function hasOpenedLink(token: string): boolean {
  try {
    return sessionStorage.getItem(OPENED_LINK) === token;
  } catch {
    return false;
  }
}

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
  const showDocuments = useCallback(async (): Promise<void> => {
    const me = await door.me();
    setScreen({ kind: 'open', me, documentId: null, areImages: false });
  }, []);
  const enter = useCallback(
    (seat: Seat): Promise<void> => {
      rememberLink(token);
      if (seat.status === 'active') return showDocuments();
      setScreen({ kind: 'waiting', seat });
      return Promise.resolve();
    },
    [token, showDocuments],
  );
  const leaveQueue = useCallback((isPlaceOver: boolean) => setScreen({ kind: 'landing', isPlaceOver }), []);
  // A page that is loaded again goes on where it was: with its session, or its place in the queue.
  useEffect(() => {
    const resume = async (): Promise<void> => {
      if (!hasOpenedLink(token)) return leaveQueue(false);
      await showDocuments().catch(async () => enter(await door.claim()));
    };
    resume().catch(() => leaveQueue(false));
  }, [token, showDocuments, enter, leaveQueue]);
  const check = useCallback(async (): Promise<void> => {
    try {
      const me = await door.me();
      setScreen((shown) => (shown.kind === 'open' ? { ...shown, me } : shown));
    } catch (error) {
      if (error instanceof DoorError && error.code === 'share.session_ended')
        setScreen((shown) => (shown.kind === 'open' ? { kind: 'ended', isOwnWish: false } : shown));
    }
  }, []);
  useKeepOpen(screen.kind === 'open', check);
  useLeaveOnClose(screen.kind === 'open' || screen.kind === 'waiting', check);
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
      await door.logout();
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
