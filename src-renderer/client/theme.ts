import { useEffect, useSyncExternalStore } from 'react';
import { remember, remembered } from './storage.ts';

export type ThemeChoice = 'light' | 'dark' | 'system';

const CHANGED = 'hearth:theme';
const systemDark = () => matchMedia('(prefers-color-scheme: dark)');

const choice = (): ThemeChoice => {
  const stored = remembered('theme');
  return stored === 'light' || stored === 'dark' ? stored : 'system';
};

function apply(): void {
  const stored = choice();
  document.documentElement.dataset['theme'] =
    stored === 'dark' || (stored === 'system' && systemDark().matches) ? 'dark' : 'light';
}

/** The reader's choice of theme and how to change it; public/theme-boot.js makes the same decision before the first paint. */
export function useTheme(): { theme: ThemeChoice; setTheme: (theme: ThemeChoice) => void } {
  const theme = useSyncExternalStore((notify) => {
    window.addEventListener(CHANGED, notify);
    return () => window.removeEventListener(CHANGED, notify);
  }, choice);
  useEffect(() => {
    apply();
    const system = systemDark();
    system.addEventListener('change', apply);
    return () => system.removeEventListener('change', apply);
  }, [theme]);
  return {
    theme,
    setTheme: (next) => {
      remember('theme', next);
      apply();
      window.dispatchEvent(new Event(CHANGED));
    },
  };
}
