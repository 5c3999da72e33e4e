import { useEffect } from 'react';
import { flushSync } from 'react-dom';
import { door } from './door.ts';

/**
 * Gives the seat or the place in the queue back when the page is closed, so that the next device does not wait until it
 * is idle, and nobody finds the documents in the history. A page that is loaded again keeps it, where the browser tells
 * the difference, and another tab keeps what it has opened meanwhile. `session` is the name of the session, null in the
 * queue. `leave` clears the page: the browser may keep it as it is, and show it to whoever goes back.
 */
export function useLeaveOnClose(hasPlace: boolean, session: string | null, leave: () => void): void {
  useEffect(() => {
    if (!hasPlace) return undefined;
    let isReload = false;
    const onNavigate = ({ navigationType }: NavigateEvent): void => {
      isReload = navigationType === 'reload';
    };
    const onHide = (): void => {
      if (isReload) return;
      door.leaveOnClose(session);
      flushSync(leave);
    };
    const { navigation } = window as Partial<Window>;
    navigation?.addEventListener('navigate', onNavigate);
    addEventListener('pagehide', onHide);
    return () => {
      navigation?.removeEventListener('navigate', onNavigate);
      removeEventListener('pagehide', onHide);
    };
  }, [hasPlace, session, leave]);
}
