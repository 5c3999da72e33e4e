import { useEffect, useMemo, useRef, useState } from 'react';
import type { RenderingEngine } from '@cornerstonejs/core';
import { emptyMemory, startEngine } from '../engine/engine.ts';
import { createRenderer, EMPTY_VIEW, type Pane, type PaneView } from '../engine/pane.ts';
import { activate, createTools, showReferenceLines, type ToolGroup, type ToolName } from '../engine/tools.ts';
import { firstIndex, gridOf, imageIdsOf, type Layout, type ShownSeries } from './series.ts';
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
  const { columns, rows } = gridOf(layout);
  const count = columns * rows;
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
      const grid = gridOf(next);
      const free = series.filter((one) => shown.every((other) => other?.id !== one.id));
      setShown(shown.map((one, slot) => one ?? (slot < grid.columns * grid.rows ? (free.shift() ?? null) : null)));
      setLayout(next);
      if (active >= grid.columns * grid.rows) setActive(0);
    },
  };
}
