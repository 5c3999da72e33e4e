import { useEffect, useMemo, useRef } from 'react';
import type { PixelHeader } from '../../../../src-shared/contract/imaging-pixels.ts';
import { headerOf } from '../engine/engine.ts';
import { EMPTY_VIEW, type PaneView } from '../engine/pane.ts';
import { dot, nearestSlice, normalOf, planeOf, type Vector } from '../engine/planes.ts';
import { sectionPositions } from '../engine/volume.ts';
import { sectionOf } from '../engine/volumes.ts';
import { usePositions } from '../queries.ts';
import { imageIdAt, type ShownSeries } from './series.ts';
import type { Viewer } from './use-viewer.ts';

/** Directions of slices that differ less are the same. */
const PARALLEL = 0.95;

/**
 * Linked panes scroll together: series of one space show the same place, others, such as an earlier study, move as far
 * as the active one did.
 */
export function useSync(viewer: Viewer): { locate: (slot: number, point: Vector) => void } {
  const { shown, active, isLinked, count, panes, store } = viewer;
  const positions = [
    usePositionsOf(shown[0] ?? null),
    usePositionsOf(shown[1] ?? null),
    usePositionsOf(shown[2] ?? null),
    usePositionsOf(shown[3] ?? null),
  ];
  const latest = useRef({ shown, positions, panes });
  latest.current = { shown, positions, panes };
  const last = useRef<{ slot: number; series: ShownSeries; position: number } | null>(null);
  useEffect(() => {
    let seen: number | null = null;
    const move = (): void => {
      const { shown, positions, panes } = latest.current;
      const views = store.get();
      // The place that is seen: while frames are loading, the others don't run ahead of the picture.
      const index = views[active]?.shown ?? null;
      // Only a move of the active pane moves the others, whatever they show.
      if (index === null) seen = null;
      if (index === null || index === seen) return;
      const source = shown[active];
      const at = positions[active]?.[index];
      if (!source || at === null || at === undefined) return;
      seen = index;
      const before = last.current;
      last.current = { slot: active, series: source, position: at };
      if (!isLinked || count < 2) return;
      const moved = before?.slot === active && before.series === source ? at - before.position : 0;
      for (let slot = 0; slot < count; slot += 1) {
        const target = shown[slot];
        if (slot === active || !target) continue;
        const next = targetIndex(
          { source, index, at, moved },
          target,
          views[slot] ?? EMPTY_VIEW,
          positions[slot] ?? [],
        );
        if (next !== null) panes.current[slot]?.goTo(next);
      }
    };
    move();
    return store.subscribe(move);
  }, [store, active, isLinked, count]);
  return {
    /** Shows a point of one pane in the others of its space. */
    locate(from, point) {
      const views = store.get();
      const frameOfReference = headerAt(shown[from], views[from])?.frameOfReference;
      for (let slot = 0; slot < count; slot += 1) {
        const header = headerAt(shown[slot], views[slot]);
        if (slot === from || !header?.orientation || header.frameOfReference !== frameOfReference) continue;
        const next = nearestSlice(positions[slot] ?? [], dot(point, normalOf(planeOf(header))));
        if (next !== null) panes.current[slot]?.goTo(next);
      }
    },
  };
}

const headerAt = (series: ShownSeries | null | undefined, view: PaneView | undefined): PixelHeader | null =>
  series && view && view.shown !== null ? headerOf(imageIdAt(series, view.shown)) : null;

function usePositionsOf(series: ShownSeries | null): readonly (number | null)[] | undefined {
  const ofImages = usePositions(series?.study ?? 0, series?.section === null ? series.id : null);
  return useMemo(() => {
    const grid = series?.section ? sectionOf(series, series.section) : null;
    return grid ? sectionPositions(grid) : ofImages;
  }, [series, ofImages]);
}

function targetIndex(
  { source, index, at, moved }: { source: ShownSeries; index: number; at: number; moved: number },
  target: ShownSeries,
  view: PaneView,
  positions: readonly (number | null)[],
): number | null {
  const [from, to] = [headerOf(imageIdAt(source, index)), headerAt(target, view)];
  const now = positions[view.index];
  if (!from?.orientation || !to?.orientation || now === null || now === undefined) return null;
  const direction = dot(normalOf(planeOf(from)), normalOf(planeOf(to)));
  if (Math.abs(direction) < PARALLEL) return null;
  const sign = Math.sign(direction);
  const isSameSpace = from.frameOfReference !== null && from.frameOfReference === to.frameOfReference;
  return nearestSlice(positions, isSameSpace ? at * sign : now + moved * sign);
}
