import { useSyncExternalStore } from 'react';

const themeNow = (): string => document.documentElement.dataset['theme'] ?? 'light';

function watch(notify: () => void): () => void {
  const observer = new MutationObserver(notify);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}

/** The theme in force, as the document carries it: what is painted on a canvas must be painted again when it changes. */
export const useThemeOf = (): string => useSyncExternalStore(watch, themeNow);
