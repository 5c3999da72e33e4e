import { useEffect, useSyncExternalStore } from 'react';
import { storePreference, readPreference } from './storage.ts';

export type ThemeChoice = 'light' | 'dark' | 'system';

const THEME_CHANGED_EVENT = 'hearth:theme';
const systemDark = () => matchMedia('(prefers-color-scheme: dark)');

const choice = (): ThemeChoice => {
  const theme = readPreference('theme');
  return theme === 'light' || theme === 'dark' ? theme : 'system';
};

function apply(): void {
  const theme = choice();
  document.documentElement.dataset['theme'] =
    theme === 'dark' || (theme === 'system' && systemDark().matches) ? 'dark' : 'light';
}

function setTheme(next: ThemeChoice): void {
  storePreference('theme', next);
  apply();
  window.dispatchEvent(new Event(THEME_CHANGED_EVENT));
}

/** Changes from light to dark or back, whichever is visible. */
export const toggleTheme = (): void =>
  setTheme(document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark');

/** The theme and its setter; public/theme-boot.js applies the same choice before the first paint. */
export function useTheme(): { theme: ThemeChoice; setTheme: (theme: ThemeChoice) => void } {
  const theme = useSyncExternalStore((notify) => {
    window.addEventListener(THEME_CHANGED_EVENT, notify);
    return () => window.removeEventListener(THEME_CHANGED_EVENT, notify);
  }, choice);
  useEffect(() => {
    apply();
    const system = systemDark();
    system.addEventListener('change', apply);
    return () => system.removeEventListener('change', apply);
  }, [theme]);
  return { theme, setTheme };
}
