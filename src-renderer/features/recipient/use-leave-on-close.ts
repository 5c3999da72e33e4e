import { useEffect } from 'react';
import { door } from './door.ts';

/**
 * Gives the seat or the place in the queue back when the page is closed, so that the next device does not wait until it
 * is idle, and nobody finds the documents in the history. A page that is loaded again keeps it, where the browser tells
 * the difference. `check` runs when the browser shows the closed page again.
 */
export function useLeaveOnClose(hasPlace: boolean, check: () => Promise<void>): void {
  useEffect(() => {
    if (!hasPlace) return undefined;
    let isReload = false;
    const onNavigate = ({ navigationType }: NavigateEvent): void => {
      isReload = navigationType === 'reload';
    };
    const onHide = (): void => {
      if (!isReload) door.leaveOnClose();
    };
    const onShow = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) void check();
    };
    const { navigation } = window as Partial<Window>;
    navigation?.addEventListener('navigate', onNavigate);
    addEventListener('pagehide', onHide);
    addEventListener('pageshow', onShow);
    return () => {
      navigation?.removeEventListener('navigate', onNavigate);
      removeEventListener('pagehide', onHide);
      removeEventListener('pageshow', onShow);
    };
  }, [hasPlace, check]);
}
