/**
 * Tells when the page is left or halted by the browser, and when it is looked at again. A halted page has no timers: what it holds would
 * outlive every limit (developer.chrome.com/docs/web-platform/page-lifecycle-api: `freeze`; `pagehide` also of pages kept for going back).
 */
export function watchLeaving({ left, seen }: { left: () => void; seen: () => void }): () => void {
  const shown = (): void => {
    if (document.visibilityState === 'visible') seen();
  };
  window.addEventListener('pagehide', left);
  document.addEventListener('freeze', left);
  document.addEventListener('visibilitychange', shown);
  return () => {
    window.removeEventListener('pagehide', left);
    document.removeEventListener('freeze', left);
    document.removeEventListener('visibilitychange', shown);
  };
}
