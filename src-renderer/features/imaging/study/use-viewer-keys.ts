import { useShortcuts } from '../../../client/shortcuts.ts';
import { TOOLS } from '../engine/tools.ts';
import type { WindowChoice } from '../engine/windows.ts';
import type { ShownSeries } from './series.ts';
import { TOOL_KEYS } from './toolbar.tsx';
import type { Cine } from './use-cine.ts';
import type { KeyImages } from './find-key-images.ts';
import type { Marks } from './use-marks.ts';
import type { Planes } from './use-planes.ts';
import type { Viewer } from './use-viewer.ts';

const ZOOM_STEP = 1.2;
/** Windows that have a digit. */
const DIGITS = 9;

/** The keys of OHIF where it has them; the others are in the tooltips. */
export function useViewerKeys(
  viewer: Viewer,
  {
    series,
    choices,
    cine,
    marks,
    keyImages,
    planes,
  }: {
    series: readonly ShownSeries[];
    choices: readonly WindowChoice[];
    cine: Cine;
    marks: Marks;
    keyImages: KeyImages;
    planes: Planes;
  },
): void {
  const { pane, viewNow } = viewer;
  const neighbor = (by: 1 | -1): void => {
    const at = series.findIndex(({ id }) => id === viewer.shown[viewer.active]?.id);
    const next = series[at + by];
    if (next) viewer.show(viewer.active, next);
  };
  useShortcuts({
    ArrowDown: () => pane()?.step(1),
    ArrowUp: () => pane()?.step(-1),
    Home: () => pane()?.goTo(0),
    End: () => pane()?.goTo(viewNow().total - 1),
    PageDown: () => neighbor(1),
    PageUp: () => neighbor(-1),
    ArrowRight: () => viewer.setActive((viewer.active + 1) % viewer.count),
    ArrowLeft: () => viewer.setActive((viewer.active + viewer.count - 1) % viewer.count),
    '+': () => pane()?.zoomBy(ZOOM_STEP),
    '=': () => pane()?.zoomBy(ZOOM_STEP),
    '-': () => pane()?.zoomBy(1 / ZOOM_STEP),
    i: () => pane()?.invert(),
    r: () => pane()?.turn(90),
    l: () => pane()?.turn(-90),
    h: () => pane()?.flip('horizontal'),
    v: () => pane()?.flip('vertical'),
    space: () => pane()?.reset(),
    c: () => cine.toggle(),
    m: () => planes.toggle(),
    k: () => marks.toggleKeyImage?.(),
    n: () => keyImages.go(1),
    N: () => keyImages.go(-1),
    Delete: () => marks.removeSelected(),
    Backspace: () => marks.removeSelected(),
    o: () => viewer.setOverlays(!viewer.hasOverlays),
    ...Object.fromEntries(TOOLS.map((tool) => [TOOL_KEYS[tool], () => viewer.setTool(tool)])),
    ...Object.fromEntries(
      choices.slice(0, DIGITS).map((choice, index) => [String(index + 1), () => pane()?.setWindow(choice)]),
    ),
  });
}
