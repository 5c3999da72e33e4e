import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { usePinch } from '../../ui/viewer/use-pinch.ts';

/** Widths of a page in parts of the stage. */
const MIN_ZOOM = 1;
const MAX_ZOOM = 6;
const STEP = 1.5;

const clampZoom = (zoom: number): number => Math.min(Math.max(zoom, MIN_ZOOM), MAX_ZOOM);

/** A spot of the page (in shares of it) and the point of the stage (in pixels) where it stays. */
interface Anchor {
  x: number;
  y: number;
  atX: number;
  atY: number;
}

export interface PageZoom {
  /** 1 = as wide as the stage. */
  zoom: number;
  canShrink: boolean;
  canGrow: boolean;
  /** One step smaller (−1) or larger (1), around the middle. */
  step: (direction: 1 | -1) => void;
  fit: () => void;
}

/** Zooms the page in a scrolling stage: by two fingers, wheel, buttons and keys. The spot in view stays in place. */
export function usePageZoom(stage: RefObject<HTMLElement | null>): PageZoom {
  const [zoom, setZoom] = useState(MIN_ZOOM);
  const anchor = useRef<Anchor | null>(null);
  const zoomBy = useCallback(
    (factor: number, atX: number, atY: number) => {
      const element = stage.current;
      if (!element) return;
      anchor.current = {
        x: (element.scrollLeft + atX) / element.scrollWidth,
        y: (element.scrollTop + atY) / element.scrollHeight,
        atX,
        atY,
      };
      setZoom((before) => clampZoom(before * factor));
    },
    [stage],
  );
  useLayoutEffect(() => {
    const [element, spot] = [stage.current, anchor.current];
    if (element && spot)
      element.scrollTo({
        left: spot.x * element.scrollWidth - spot.atX,
        top: spot.y * element.scrollHeight - spot.atY,
        behavior: 'instant',
      });
    anchor.current = null;
  }, [stage, zoom]);
  usePinch(stage, zoomBy);
  const zoomMiddle = (factor: number): void => {
    const { clientWidth = 0, clientHeight = 0 } = stage.current ?? {};
    zoomBy(factor, clientWidth / 2, clientHeight / 2);
  };
  return {
    zoom,
    canShrink: zoom > MIN_ZOOM,
    canGrow: zoom < MAX_ZOOM,
    step: (direction) => zoomMiddle(STEP ** direction),
    fit: () => zoomMiddle(MIN_ZOOM / zoom),
  };
}
