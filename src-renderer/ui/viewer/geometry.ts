import type { BBox } from '../../../src-shared/medical/page.ts';
import type { PagePlace } from './page.ts';

/** Zoom of pages: fitted, or a scale where 1 is the printed size at 96 pixels per inch. */
export type Zoom = 'width' | 'page' | number;

/** The visible part of the pages in CSS pixels. */
export interface Viewport {
  top: number;
  left: number;
  width: number;
  height: number;
}

export interface PlacedPage {
  page: number;
  top: number;
  left: number;
  width: number;
  height: number;
}

export interface Layout {
  pages: PlacedPage[];
  width: number;
  height: number;
}

interface Size {
  page: number;
  width: number;
  height: number;
}

/** Space around and between pages, in CSS pixels. */
export const PAGE_GAP = 20;
const PIXELS_PER_POINT = 96 / 72;
const MIN_SCALE = 0.1;
const MAX_SCALE = 6;
const ZOOM_STEPS = [0.1, 0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5, 6];
/** Image widths to request; a short list, so that small zoom changes reuse cached images. */
const IMAGE_WIDTHS = [160, 320, 480, 640, 800, 1000, 1240, 1600, 2000, 2480, 3200, 4000];

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), Math.max(low, high));

export function clampScale(scale: number): number {
  return clamp(scale, MIN_SCALE, MAX_SCALE);
}

/** The scale (1 = printed size) of a zoom for these pages and viewport. */
export function scaleOf(zoom: Zoom, sizes: readonly Size[], viewport: { width: number; height: number }): number {
  if (typeof zoom === 'number') return clampScale(zoom);
  const widest = Math.max(...sizes.map((size) => size.width), 1) * PIXELS_PER_POINT;
  const highest = Math.max(...sizes.map((size) => size.height), 1) * PIXELS_PER_POINT;
  const byWidth = (viewport.width - 2 * PAGE_GAP) / widest;
  return clampScale(zoom === 'width' ? byWidth : Math.min(byWidth, (viewport.height - 2 * PAGE_GAP) / highest));
}

/** The next zoom step above (+1) or below (−1) a scale. */
export function stepScale(scale: number, direction: 1 | -1): number {
  const margin = 0.005;
  const next =
    direction === 1
      ? ZOOM_STEPS.find((step) => step > scale + margin)
      : ZOOM_STEPS.findLast((step) => step < scale - margin);
  return next ?? clampScale(scale);
}

/** Places pages below each other, centered, in CSS pixels. `minWidth` is the width of the viewport. */
export function layoutPages(sizes: readonly Size[], scale: number, minWidth: number): Layout {
  const widest = Math.max(...sizes.map((size) => size.width * scale * PIXELS_PER_POINT), 0);
  const width = Math.max(widest + 2 * PAGE_GAP, minWidth);
  let top = PAGE_GAP;
  const pages = sizes.map((size) => {
    const placed = {
      page: size.page,
      top,
      left: (width - size.width * scale * PIXELS_PER_POINT) / 2,
      width: size.width * scale * PIXELS_PER_POINT,
      height: size.height * scale * PIXELS_PER_POINT,
    };
    top += placed.height + PAGE_GAP;
    return placed;
  });
  return { pages, width, height: top };
}

/** The page at a vertical position, found by bisection; the nearest one in gaps and beyond the ends. */
function pageAt(layout: Layout, y: number): number {
  let low = 0;
  let high = layout.pages.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    const page = layout.pages[middle];
    if (page && page.top + page.height + PAGE_GAP / 2 <= y) low = middle + 1;
    else high = middle;
  }
  return Math.max(low, 0);
}

/** The pages to render: those in view plus `overscan` pixels. */
export function visiblePages(layout: Layout, viewport: Viewport, overscan: number): PlacedPage[] {
  if (layout.pages.length === 0) return [];
  return layout.pages.slice(
    pageAt(layout, viewport.top - overscan),
    pageAt(layout, viewport.top + viewport.height + overscan) + 1,
  );
}

/** The current page: the one at a third of the viewport's height, or the last one at the end. */
export function currentPage(layout: Layout, viewport: Viewport): number {
  const atEnd = viewport.top > 0 && viewport.top + viewport.height >= layout.height - 1;
  const index = atEnd ? layout.pages.length - 1 : pageAt(layout, viewport.top + viewport.height / 3);
  return layout.pages[index]?.page ?? 1;
}

/**
 * The scroll position that shows a place; null if it is already visible.
 * A place higher than the viewport counts as visible if its top is.
 */
export function scrollToPlace(
  layout: Layout,
  place: PagePlace,
  viewport: Viewport,
): { top: number; left: number } | null {
  const page = layout.pages.find((candidate) => candidate.page === place.page);
  if (!page) return null;
  const [x, y, w, h] = place.bbox;
  const top = page.top + y * page.height;
  const left = page.left + x * page.width;
  const height = h * page.height;
  const width = w * page.width;
  const seenDown =
    top >= viewport.top && top + Math.min(height, viewport.height * 0.5) <= viewport.top + viewport.height;
  const seenAcross = left >= viewport.left && left + Math.min(width, viewport.width) <= viewport.left + viewport.width;
  if (seenDown && seenAcross) return null;
  return {
    top: seenDown ? viewport.top : clamp(top + height / 2 - viewport.height * 0.4, 0, layout.height - viewport.height),
    left: seenAcross ? viewport.left : clamp(left + width / 2 - viewport.width / 2, 0, layout.width - viewport.width),
  };
}

/** The scroll position of the top of a page. */
export function scrollToPage(layout: Layout, page: number): number {
  const placed = layout.pages.find((candidate) => candidate.page === page);
  return placed ? Math.max(0, placed.top - PAGE_GAP) : 0;
}

/** Connects a point of the viewport (in pixels) with the spot of the page under it (in shares). */
export interface Anchor {
  page: number;
  x: number;
  y: number;
  atX: number;
  atY: number;
}

export function anchorAt(layout: Layout, viewport: Viewport, atX: number, atY: number): Anchor | null {
  const page = layout.pages[pageAt(layout, viewport.top + atY)];
  if (!page) return null;
  return {
    page: page.page,
    x: (viewport.left + atX - page.left) / page.width,
    y: (viewport.top + atY - page.top) / page.height,
    atX,
    atY,
  };
}

/** The scroll position that keeps an anchored spot in place after a layout change. */
export function scrollToAnchor(layout: Layout, anchor: Anchor): { top: number; left: number } {
  const page = layout.pages.find((candidate) => candidate.page === anchor.page);
  if (!page) return { top: 0, left: 0 };
  return {
    top: Math.max(0, page.top + anchor.y * page.height - anchor.atY),
    left: Math.max(0, page.left + anchor.x * page.width - anchor.atX),
  };
}

/** The image width to request: the smallest listed one that is sharp enough. */
export function imageWidth(cssWidth: number, pixelRatio: number): number {
  const devicePixels = cssWidth * pixelRatio;
  return IMAGE_WIDTHS.find((width) => width >= devicePixels) ?? 4000;
}

/** The box between two corners in any order, clipped to the page. */
export function boxBetween(a: readonly [number, number], b: readonly [number, number]): BBox {
  const left = clamp(Math.min(a[0], b[0]), 0, 1);
  const top = clamp(Math.min(a[1], b[1]), 0, 1);
  return [left, top, clamp(Math.max(a[0], b[0]), 0, 1) - left, clamp(Math.max(a[1], b[1]), 0, 1) - top];
}

/** The smallest box around at least one box. */
export function boxAround(boxes: readonly BBox[]): BBox {
  const left = Math.min(...boxes.map((box) => box[0]));
  const top = Math.min(...boxes.map((box) => box[1]));
  return [
    left,
    top,
    Math.max(...boxes.map((box) => box[0] + box[2])) - left,
    Math.max(...boxes.map((box) => box[1] + box[3])) - top,
  ];
}
