import { useEffect } from 'react';
import { flushSync } from 'react-dom';
import { door, type PlaceOfTab } from './door.ts';

/**
 * Gives the seat or the place in the queue back when the page is closed, so that the next device does not wait until it
 * is idle, and nobody finds the documents in the history. A page that is loaded again keeps it, where the browser tells
 * the difference, and another tab keeps what it has opened meanwhile. `session` is the name of the session, and `waitsFor`
 * that of the share in whose queue the tab is; each is null otherwise. `leave` clears the page: the browser may keep it
 * as it is, and show it to whoever goes back.
 */
export function useLeaveOnClose(session: string | null, waitsFor: string | null, leave: () => void): void {
  useEffect(() => {
    const place = placeOf(session, waitsFor);
    if (place === null) return undefined;
    let isReload = false;
    const onNavigate = ({ navigationType }: NavigateEvent): void => {
      isReload = navigationType === 'reload';
    };
    const onHide = (): void => {
      if (isReload) return;
      door.leaveOnClose(place);
      flushSync(leave);
    };
    const { navigation } = window as Partial<Window>;
    navigation?.addEventListener('navigate', onNavigate);
    addEventListener('pagehide', onHide);
    return () => {
      navigation?.removeEventListener('navigate', onNavigate);
      removeEventListener('pagehide', onHide);
    };
  }, [session, waitsFor, leave]);
}

function placeOf(session: string | null, waitsFor: string | null): PlaceOfTab | null {
  if (session !== null) return { session };
  return waitsFor === null ? null : { session: null, share: waitsFor };
}
