import { useEffect, useRef } from 'react';
import { headerOf } from '../engine/engine.ts';
import { dot, nearestSlice, normalOf, planeOf } from '../engine/planes.ts';
import { usePositions } from '../queries.ts';
import { imageIdsOf, type ShownSeries } from './series.ts';
import type { Viewer } from './use-viewer.ts';

/** Directions of slices that differ less are the same. */
const PARALLEL = 0.95;

/**
 * Linked panes scroll together: series of one space show the same place, others, such as an earlier study, move as far
 * as the active one did.
 */
export function useSync(viewer: Viewer): void {
  const { shown, views, active, isLinked, count, panes } = viewer;
  const positions = [
    usePositionsOf(shown[0] ?? null),
    usePositionsOf(shown[1] ?? null),
    usePositionsOf(shown[2] ?? null),
    usePositionsOf(shown[3] ?? null),
  ];
  const latest = useRef({ shown, views, positions, panes });
  latest.current = { shown, views, positions, panes };
  const last = useRef<{ slot: number; series: number | undefined; position: number } | null>(null);
  const index = views[active]?.index ?? 0;
  const isDrawn = views[active]?.isDrawn ?? false;
  useEffect(() => {
    // Only a move of the active pane moves the others, whatever they show.
    const { shown, views, positions, panes } = latest.current;
    const source = shown[active];
    const at = positions[active]?.[index];
    if (!source || !isDrawn || at === null || at === undefined) return;
    const before = last.current;
    last.current = { slot: active, series: source.id, position: at };
    if (!isLinked || count < 2) return;
    const moved = before?.slot === active && before.series === source.id ? at - before.position : 0;
    for (let slot = 0; slot < count; slot += 1) {
      const target = shown[slot];
      if (slot === active || !target) continue;
      const next = targetIndex({ source, index, at, moved }, target, views[slot]?.index ?? 0, positions[slot] ?? []);
      if (next !== null) panes.current[slot]?.goTo(next);
    }
  }, [index, isDrawn, active, isLinked, count]);
}

const usePositionsOf = (series: ShownSeries | null): (number | null)[] | undefined =>
  usePositions(series?.study ?? 0, series?.id ?? null);

function targetIndex(
  { source, index, at, moved }: { source: ShownSeries; index: number; at: number; moved: number },
  target: ShownSeries,
  targetNow: number,
  positions: readonly (number | null)[],
): number | null {
  const [from, to] = [headerOf(imageIdsOf(source)[index]!), headerOf(imageIdsOf(target)[targetNow]!)];
  const now = positions[targetNow];
  if (!from?.orientation || !to?.orientation || now === null || now === undefined) return null;
  const direction = dot(normalOf(planeOf(from)), normalOf(planeOf(to)));
  if (Math.abs(direction) < PARALLEL) return null;
  const sign = Math.sign(direction);
  const isSameSpace = from.frameOfReference !== null && from.frameOfReference === to.frameOfReference;
  return nearestSlice(positions, isSameSpace ? at * sign : now + moved * sign);
}
