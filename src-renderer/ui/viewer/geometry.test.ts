import { describe, expect, it } from 'vitest';
import {
  anchorAt,
  boxAround,
  boxBetween,
  currentPage,
  imageWidth,
  layoutPages,
  PAGE_GAP,
  scaleOf,
  scrollToAnchor,
  scrollToPage,
  scrollToPlace,
  stepScale,
  visiblePages,
} from './geometry.ts';

/** Pages of 300×400 pixels at scale 1 (225×300 points). */
const sizes = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ page: index + 1, width: 225, height: 300 }));
const view = (top: number, height = 500) => ({ top, left: 0, width: 400, height });

describe('zoom', () => {
  it('fits the widest page to the width', () => {
    const mixed = [...sizes(1), { page: 2, width: 450, height: 300 }];
    expect(scaleOf('width', mixed, { width: 640, height: 100 })).toBeCloseTo((640 - 2 * PAGE_GAP) / 600);
  });
  it('fits a whole page by its limiting side', () => {
    expect(scaleOf('page', sizes(1), { width: 2000, height: 240 })).toBeCloseTo(0.5);
  });
  it('steps through the usual values and stops at the ends', () => {
    expect(stepScale(1, 1)).toBe(1.1);
    expect(stepScale(0.97, -1)).toBe(0.9);
    expect(stepScale(6, 1)).toBe(6);
    expect(stepScale(0.1, -1)).toBe(0.1);
  });
});

describe('layout', () => {
  const layout = layoutPages(sizes(100), 1, 400);
  it('places pages below each other, centered', () => {
    expect(layout.pages[1]).toEqual({ page: 2, top: PAGE_GAP + 400 + PAGE_GAP, left: 50, width: 300, height: 400 });
    expect(layout.width).toBe(400);
  });
  it('renders only pages near the viewport', () => {
    expect(visiblePages(layout, view(4230), 0).map((page) => page.page)).toEqual([11, 12]);
    expect(visiblePages(layout, view(0), 500).map((page) => page.page)).toEqual([1, 2, 3]);
    expect(visiblePages(layoutPages([], 1, 400), view(0), 100)).toEqual([]);
  });
  it('tells the current page', () => {
    expect(currentPage(layout, view(0))).toBe(1);
    expect(currentPage(layout, view(300))).toBe(2);
    expect(currentPage(layout, view(layout.height - 500))).toBe(100);
  });
});

describe('scrolling to a place', () => {
  const layout = layoutPages(sizes(3), 1, 400);
  it('does not scroll if the place is visible', () => {
    expect(scrollToPlace(layout, { page: 1, bbox: [0.1, 0.1, 0.2, 0.05] }, view(0))).toBeNull();
  });
  it('scrolls to a place on another page', () => {
    const target = scrollToPlace(layout, { page: 3, bbox: [0.1, 0.5, 0.2, 0.05] }, view(0));
    expect(target).not.toBeNull();
    expect(scrollToPlace(layout, { page: 3, bbox: [0.1, 0.5, 0.2, 0.05] }, view(target?.top ?? 0))).toBeNull();
  });
  it('scrolls to the top of a page', () => {
    expect(scrollToPage(layout, 2)).toBe(PAGE_GAP + 400);
    expect(scrollToPage(layout, 9)).toBe(0);
  });
  it('returns null for missing pages', () => {
    expect(scrollToPlace(layout, { page: 9, bbox: [0, 0, 1, 1] }, view(0))).toBeNull();
  });
});

describe('anchor', () => {
  it('keeps the spot under the pointer when the scale changes', () => {
    const before = layoutPages(sizes(3), 1, 400);
    const anchor = anchorAt(before, view(450), 200, 100);
    const after = layoutPages(sizes(3), 2, 400);
    const scroll = scrollToAnchor(after, anchor as NonNullable<typeof anchor>);
    const again = anchorAt(after, { ...view(scroll.top), left: scroll.left }, 200, 100);
    expect(again?.page).toBe(2);
    expect(again?.x).toBeCloseTo(anchor?.x ?? -1);
    expect(again?.y).toBeCloseTo(anchor?.y ?? -1);
  });
});

it('requests a sufficient image width from a short list', () => {
  expect(imageWidth(600, 1)).toBe(640);
  expect(imageWidth(700, 2)).toBe(1600);
  expect(imageWidth(4000, 2)).toBe(4000);
});

it('builds boxes from corners in any order, clipped to the page', () => {
  const box = boxBetween([0.9, 0.8], [-0.2, 0.5]);
  expect(box.map((value) => Math.round(value * 10) / 10)).toEqual([0, 0.5, 0.9, 0.3]);
  expect(
    boxAround([
      [0.1, 0.1, 0.1, 0.1],
      [0.5, 0, 0.25, 0.05],
    ]),
  ).toEqual([0.1, 0, 0.65, 0.2]);
});
