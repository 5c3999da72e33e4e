import { useEffect, useRef } from 'react';
import type { PageZoom } from './use-page-zoom.ts';

interface Commands {
  index: number;
  total: number;
  goTo: (index: number) => void;
  zoom: PageZoom;
  invert: () => void;
  leave: () => void;
}

/** As in the household's own viewer. */
const KEYS: Readonly<Record<string, (commands: Commands) => void>> = {
  ArrowUp: ({ goTo, index }) => goTo(index - 1),
  ArrowDown: ({ goTo, index }) => goTo(index + 1),
  Home: ({ goTo }) => goTo(0),
  End: ({ goTo, total }) => goTo(total - 1),
  i: ({ invert }) => invert(),
  '+': ({ zoom }) => zoom.step(1),
  '-': ({ zoom }) => zoom.step(-1),
  '0': ({ zoom }) => zoom.fit(),
  Escape: ({ leave }) => leave(),
};

/** The keys of the viewer, wherever the focus is; sliders and lists of choices have keys of their own. */
export function useFrameKeys(commands: Commands): void {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const run = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : undefined;
      const hasOwnKeys = event.target instanceof HTMLSelectElement || event.target instanceof HTMLInputElement;
      if (!run || event.ctrlKey || event.metaKey || event.altKey || (hasOwnKeys && event.key !== 'Escape')) return;
      event.preventDefault();
      run(latest.current);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
