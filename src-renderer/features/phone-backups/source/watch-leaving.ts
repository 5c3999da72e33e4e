/**
 * Calls `onLeave` when the page is closed or frozen by the browser, and `onReturn` when it becomes visible again.
 * Timers do not run in a frozen page, so its data would outlive every timeout
 * (developer.chrome.com/docs/web-platform/page-lifecycle-api: `freeze`; `pagehide` also fires for the back/forward
 * cache).
 */
export function watchLeaving({ onLeave, onReturn }: { onLeave: () => void; onReturn: () => void }): () => void {
  const handleVisibility = (): void => {
    if (document.visibilityState === 'visible') onReturn();
  };
  window.addEventListener('pagehide', onLeave);
  document.addEventListener('freeze', onLeave);
  document.addEventListener('visibilitychange', handleVisibility);
  return () => {
    window.removeEventListener('pagehide', onLeave);
    document.removeEventListener('freeze', onLeave);
    document.removeEventListener('visibilitychange', handleVisibility);
  };
}
