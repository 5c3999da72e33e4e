import { useEffect, useMemo, useRef, useState } from 'react';
import type { RenderingEngine } from '@cornerstonejs/core';
import { closeVolume, emptyMemory, startEngine } from '../engine/engine.ts';
import { createRenderer, EMPTY_VIEW, type Pane, type PaneView } from '../engine/pane.ts';
import { activate, createTools, showReferenceLines, type ToolGroup, type ToolName } from '../engine/tools.ts';
import { firstIndex, imageIdsOf, paneCount, type Layout, type ShownSeries } from './series.ts';
import type { ViewerWords } from './use-words.ts';

/** The engine of one viewer. */
export interface Machine {
  renderer: RenderingEngine;
  group: ToolGroup;
}

/** Starts the engine with the page and ends it with it. */
function useMachine(words: ViewerWords): Machine | null {
  const current = useRef(words);
  current.current = words;
  const [machine, setMachine] = useState<Machine | null>(null);
  useEffect(() => {
    startEngine();
    const renderer = createRenderer();
    setMachine({ renderer, group: createTools((...measured) => current.current.linesOf(...measured)) });
    return () => {
      renderer.destroy();
      emptyMemory();
    };
  }, []);
  return machine;
}

export type Viewer = ReturnType<typeof useViewer>;

/** The panes of a study, which of them is active, what they show, and the tool of the mouse. */
export function useViewer(
  series: readonly ShownSeries[],
  words: ViewerWords,
  { firstTool, firstSeries }: { firstTool: ToolName; firstSeries: ShownSeries | undefined },
) {
  const machine = useMachine(words);
  const [layout, setLayout] = useState<Layout>('1x1');
  const [active, setActive] = useState(0);
  const [tool, setTool] = useState<ToolName>(firstTool);
  const [shown, setShown] = useState<readonly (ShownSeries | null)[]>(() => [firstSeries ?? null, null, null, null]);
  const [views, setViews] = useState<readonly PaneView[]>([EMPTY_VIEW, EMPTY_VIEW, EMPTY_VIEW, EMPTY_VIEW]);
  const [isLinked, setLinked] = useState(true);
  const [hasOverlays, setOverlays] = useState(true);
  const panes = useRef<(Pane | null)[]>([null, null, null, null]);
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
    void panes.current[slot]?.showStack(imageIdsOf(next), index);
  };
  return {
    ...{ machine, layout, active, tool, shown, views, isLinked, hasOverlays, panes, count },
    ...{ setActive, setTool, setLinked, setOverlays, show },
    pane: (): Pane | null => panes.current[active] ?? null,
    view: views[active] ?? EMPTY_VIEW,
    setView: useMemo(
      () => (slot: number, view: PaneView) =>
        setViews((before) => before.map((one, index) => (index === slot ? view : one))),
      [],
    ),
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
      cuts.forEach((cut, slot) => void panes.current[slot]?.showStack(imageIdsOf(cut), firstIndex(cut)));
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
