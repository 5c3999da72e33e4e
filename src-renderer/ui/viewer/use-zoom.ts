import { useCallback, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import {
  anchorAt,
  clampScale,
  layoutPages,
  scaleOf,
  scrollToAnchor,
  stepScale,
  type Anchor,
  type Layout,
  type Viewport,
  type Zoom,
} from './geometry.ts';
import type { ViewerPage } from './page.ts';

export interface ZoomControl {
  zoom: Zoom;
  /** 1 = printed size. */
  scale: number;
  layout: Layout;
  setZoom: (zoom: Zoom) => void;
  step: (direction: 1 | -1) => void;
  /** Multiplies the scale and keeps the spot under a point of the viewport in place. */
  zoomBy: (factor: number, atX: number, atY: number) => void;
}

/**
 * Zoom of the pages. Whenever the layout changes (zoom, window size, newly measured pages), the visible spot stays
 * in place.
 */
export function useZoom(
  element: RefObject<HTMLElement | null>,
  pages: readonly ViewerPage[],
  viewport: Viewport,
): ZoomControl {
  const [zoom, setZoomState] = useState<Zoom>('width');
  const scale = scaleOf(zoom, pages, viewport);
  const layout = useMemo(() => layoutPages(pages, scale, viewport.width), [pages, scale, viewport.width]);
  const before = useRef<{ layout: Layout; viewport: Viewport } | null>(null);
  const target = useRef<Anchor | null>(null);

  useLayoutEffect(() => {
    const last = before.current;
    if (last && last.layout !== layout && last.viewport.width > 0) {
      const visibleSpot =
        last.viewport.top === 0
          ? null
          : anchorAt(last.layout, last.viewport, last.viewport.width / 2, last.viewport.height / 3);
      const anchor = target.current ?? visibleSpot;
      if (anchor) element.current?.scrollTo({ ...scrollToAnchor(layout, anchor), behavior: 'instant' });
      target.current = null;
    }
    before.current = { layout, viewport };
  }, [element, layout, viewport]);

  const zoomAround = useCallback((next: Zoom, atX: number, atY: number) => {
    target.current = before.current ? anchorAt(before.current.layout, before.current.viewport, atX, atY) : null;
    setZoomState(next);
  }, []);
  const setZoom = useCallback(
    (next: Zoom) => zoomAround(next, viewport.width / 2, viewport.height / 3),
    [zoomAround, viewport],
  );
  const step = useCallback((direction: 1 | -1) => setZoom(stepScale(scale, direction)), [setZoom, scale]);
  const zoomBy = useCallback(
    (factor: number, atX: number, atY: number) => zoomAround(clampScale(scale * factor), atX, atY),
    [zoomAround, scale],
  );
  return { zoom, scale, layout, setZoom, step, zoomBy };
}
