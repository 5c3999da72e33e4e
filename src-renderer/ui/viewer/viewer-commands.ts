import type { FindState } from './use-find.ts';
import type { GoTo } from './use-go-to.ts';
import type { RegionState } from './use-region.ts';
import type { ViewerCommand } from './use-viewer-keys.ts';
import type { ZoomControl } from './use-zoom.ts';

interface Deps {
  page: number;
  pageCount: number;
  goTo: GoTo;
  zoom: ZoomControl;
  find: FindState;
  region: RegionState;
  toggleRail: () => void;
  onRotate: ((page: number, degrees: 90 | -90) => void) | undefined;
}

const commandsOf = ({
  page,
  pageCount,
  goTo,
  zoom,
  find,
  region,
  toggleRail,
  onRotate,
}: Deps): Record<ViewerCommand, () => void> => ({
  previous_page: () => goTo({ page: Math.max(1, page - 1) }),
  next_page: () => goTo({ page: Math.min(pageCount, page + 1) }),
  first_page: () => goTo({ page: 1 }),
  last_page: () => goTo({ page: pageCount }),
  zoom_in: () => zoom.step(1),
  zoom_out: () => zoom.step(-1),
  fit_width: () => zoom.setZoom('width'),
  fit_page: () => zoom.setZoom('page'),
  find: find.show,
  rotate: () => onRotate?.(page, 90),
  rotate_back: () => onRotate?.(page, -90),
  region: region.toggleDrawing,
  rail: toggleRail,
});

/** Returns the function that runs a command of the viewer; keys and toolbar share it. */
export const runnerOf =
  (deps: Deps) =>
  (command: ViewerCommand): void =>
    commandsOf(deps)[command]();
