import { useCallback, useEffect, useRef, type RefObject } from 'react';
import type { BBox } from '../../../src-shared/medical/page.ts';
import type { Hit } from './find.ts';
import { scrollToPage, scrollToPlace, type Layout, type Viewport } from './geometry.ts';

/** A page, or a place on it, to scroll to. Each new object scrolls again, even to the same place. */
export interface Spot {
  page: number;
  bbox?: BBox;
}

export type GoTo = (spot: Spot) => void;

/** Returns a function that scrolls to a spot, smoothly unless the user prefers reduced motion. */
export function useGoTo(scroller: RefObject<HTMLElement | null>, layout: Layout, viewport: Viewport): GoTo {
  return useCallback(
    ({ page, bbox }: Spot) => {
      const scroll = bbox
        ? scrollToPlace(layout, { page, bbox }, viewport)
        : { top: scrollToPage(layout, page), left: viewport.left };
      if (!scroll) return;
      const isReduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
      scroller.current?.scrollTo({ ...scroll, behavior: isReduced ? 'instant' : 'smooth' });
    },
    [layout, scroller, viewport],
  );
}

/** Scrolls to the requested spot and to the current search hit whenever they change. */
export function useAutoScroll({
  isVisible,
  spot,
  hit,
  goTo,
}: {
  isVisible: boolean;
  spot: Spot | null;
  hit: Hit | null;
  goTo: GoTo;
}): void {
  const latest = useRef(goTo);
  useEffect(() => {
    latest.current = goTo;
  }, [goTo]);
  useEffect(() => {
    if (isVisible && spot) latest.current(spot);
  }, [isVisible, spot]);
  useEffect(() => {
    if (isVisible && hit) latest.current({ page: hit.page, bbox: hit.boxes[0] });
  }, [isVisible, hit]);
}
