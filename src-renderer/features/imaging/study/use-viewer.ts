import { useEffect, useRef, useState, useSyncExternalStore, type RefObject } from 'react';
import type { RenderingEngine } from '@cornerstonejs/core';
import { closeVolume, emptyMemory, startEngine } from '../engine/engine.ts';
import { createRenderer, EMPTY_VIEW, type Pane, type PaneView } from '../engine/pane.ts';
import { activate, createTools, showReferenceLines, type ToolGroup, type ToolName } from '../engine/tools.ts';
import { firstIndex, imageIdsOf, paneCount, type Layout, type ShownSeries } from './series.ts';
import type { ViewerWords } from './use-words.ts';
import { createViewStore } from './view-store.ts';

/** The engine of one viewer. */
export interface Machine {
  renderer: RenderingEngine;
  group: ToolGroup;
}

/** Starts the engine with the page and ends it with it. */
function useMachine(words: ViewerWords, panes: RefObject<(Pane | null)[]>): Machine | null {
  const current = useRef(words);
  current.current = words;
  const [machine, setMachine] = useState<Machine | null>(null);
  useEffect(() => {
    startEngine();
    const renderer = createRenderer();
    const group = createTools(
      (...measured) => current.current.linesOf(...measured),
      (paneId, by) => panes.current.find((pane) => pane?.id === paneId)?.step(by),
    );
    setMachine({ renderer, group });
    return () => {
      renderer.destroy();
      emptyMemory();
    };
  }, [panes]);
  return machine;
}

export type Viewer = ReturnType<typeof useViewer>;

/** The panes of a study, which of them is active, what they show, and the tool of the mouse. */
export function useViewer(
  series: readonly ShownSeries[],
  words: ViewerWords,
  { firstTool, firstSeries }: { firstTool: ToolName; firstSeries: ShownSeries | undefined },
) {
  const panes = useRef<(Pane | null)[]>([null, null, null, null]);
  const machine = useMachine(words, panes);
  const [layout, setLayout] = useState<Layout>('1x1');
  const [active, setActive] = useState(0);
  const [tool, setTool] = useState<ToolName>(firstTool);
  const [shown, setShown] = useState<readonly (ShownSeries | null)[]>(() => [firstSeries ?? null, null, null, null]);
  const [store] = useState(() => createViewStore(MAX_PANES));
  const views = useSyncExternalStore(store.subscribeSlowly, store.get);
  const [isLinked, setLinked] = useState(true);
  const [hasOverlays, setOverlays] = useState(true);
  const count = paneCount(layout);
  useEffect(() => {
    if (machine) activate(machine.group, tool);
  }, [machine, tool, count]);
  useEffect(() => {
    const source = count > 1 && isLinked ? panes.current[active]?.id : undefined;
    if (machine) showReferenceLines(machine.group, source ?? null);
  }, [machine, active, count, isLinked, views]);
  const show = (slot: number, next: ShownSeries, index = firstIndex(next)): void => {
    setShown((before) => before.map((one, at) => (at === slot ? next : one)));
    panes.current[slot]?.showStack(imageIdsOf(next), index);
  };
  return {
    ...{ machine, layout, active, tool, shown, views, isLinked, hasOverlays, panes, count, store },
    ...{ setActive, setTool, setLinked, setOverlays, show },
    pane: (): Pane | null => panes.current[active] ?? null,
    /** What the active pane shows; `views` and it may be a moment behind. */
    view: views[active] ?? EMPTY_VIEW,
    /** What it shows now, for what people do. */
    viewNow: (): PaneView => store.get()[active] ?? EMPTY_VIEW,
    /** Panes that appear show the series that no other one shows. */
    setLayout(next: Layout): void {
      const images = withoutCuts(shown, series);
      const free = series.filter((one) => images.every((other) => other?.id !== one.id));
      const filled = images.map((one, slot) => one ?? (slot < paneCount(next) ? (free.shift() ?? null) : null));
      setShown(filled);
      setLayout(next);
      if (active >= paneCount(next)) setActive(0);
      if (layout !== 'planes') return;
      closeVolume();
      if (filled[0]) show(0, filled[0]);
      if (filled[1] && count > 1) show(1, filled[1]);
      if (filled[2] && count > 2) show(2, filled[2]);
    },
    /** Shows the planes of a volume, each in a pane. */
    showCuts(cuts: readonly ShownSeries[]): void {
      setShown([...cuts, null].slice(0, MAX_PANES));
      setLayout('planes');
      setActive(0);
      cuts.forEach((cut, slot) => panes.current[slot]?.showStack(imageIdsOf(cut), firstIndex(cut)));
    },
  };
}

const MAX_PANES = 4;

/** Instead of planes, the images that they were cut from, once. */
function withoutCuts(shown: readonly (ShownSeries | null)[], series: readonly ShownSeries[]): (ShownSeries | null)[] {
  const source = shown.find((one) => one?.section)?.id;
  const images = shown.map((one) => (one?.section ? null : one));
  if (source === undefined) return images;
  const own = series.find(({ id }) => id === source) ?? null;
  return [own ?? images[0] ?? null, ...images.slice(1).map((one) => (one?.id === source ? null : one))];
}
