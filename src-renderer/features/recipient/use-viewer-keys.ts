import { useEffect, useRef } from 'react';
import type { PageZoom } from './use-page-zoom.ts';

interface Commands {
  turn: (by: 1 | -1) => void;
  zoom: PageZoom;
  leave: () => void;
}

/** Keys without modifiers; arrows up and down scroll, as everywhere. */
const KEYS: Readonly<Record<string, (commands: Commands) => void>> = {
  ArrowLeft: ({ turn, zoom }) => zoom.canShrink || turn(-1),
  ArrowRight: ({ turn, zoom }) => zoom.canShrink || turn(1),
  PageUp: ({ turn }) => turn(-1),
  PageDown: ({ turn }) => turn(1),
  '+': ({ zoom }) => zoom.step(1),
  '-': ({ zoom }) => zoom.step(-1),
  '0': ({ zoom }) => zoom.fit(),
  Escape: ({ leave }) => leave(),
};

/** The keys of the viewer, wherever the focus is; fields and lists of choices have keys of their own. */
export function useViewerKeys(commands: Commands): void {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const run = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : undefined;
      const isChoosing = event.target instanceof HTMLSelectElement && event.key !== 'Escape';
      const isTyping = event.target instanceof HTMLInputElement;
      if (!run || isChoosing || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      // In an enlarged page, arrows to the side scroll.
      if (!(event.key.startsWith('Arrow') && latest.current.zoom.canShrink)) event.preventDefault();
      run(latest.current);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
