import { useEffect, useRef, useState } from 'react';
import type { Viewer } from './use-viewer.ts';

const RATE = 10;

export interface Cine {
  isPlaying: boolean;
  /** Images per second. */
  rate: number;
  toggle(): void;
  setRate(rate: number): void;
}

/** Plays the images of the active pane as a film, as fast as they load. `ownRate` is what its header asks for. */
export function useCine(viewer: Viewer, ownRate: number | null): Cine {
  const [isPlaying, setPlaying] = useState(false);
  const [chosenRate, setRate] = useState<number | null>(null);
  const rate = chosenRate ?? Math.max(1, Math.min(60, Math.round(ownRate ?? RATE)));
  const current = useRef(viewer);
  current.current = viewer;
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setInterval(() => {
      const { viewNow, pane } = current.current;
      const view = viewNow();
      if (view.isDrawn && view.total > 1) pane()?.goTo((view.index + 1) % view.total);
    }, 1000 / rate);
    return () => clearInterval(timer);
  }, [isPlaying, rate]);
  return { isPlaying, rate, toggle: () => setPlaying(!isPlaying), setRate };
}
