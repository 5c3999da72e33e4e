import { useSyncExternalStore } from 'react';

const themeNow = (): string => document.documentElement.dataset['theme'] ?? 'light';

function watch(notify: () => void): () => void {
  const observer = new MutationObserver(notify);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}

/** The current theme of the document; canvases repaint when it changes. */
export const useThemeOf = (): string => useSyncExternalStore(watch, themeNow);
