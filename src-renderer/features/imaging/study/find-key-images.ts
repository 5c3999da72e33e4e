import type { StudyMark } from '../../../../src-shared/contract/imaging.ts';
import { showsImagesOf, type ShownSeries } from './series.ts';
import type { Viewer } from './use-viewer.ts';

export type KeyImages = ReturnType<typeof findKeyImages>;

/** The key images of the series, in their order, and a way from one to the next, in the active pane. */
export function findKeyImages(items: readonly StudyMark[], series: readonly ShownSeries[], viewer: Viewer) {
  const places = series.flatMap(({ id }) =>
    items
      .filter(({ kind, series_id }) => kind === 'key_image' && series_id === id)
      .toSorted((a, b) => a.index - b.index),
  );
  const isAt = (mark: StudyMark, index: number | null): boolean =>
    showsImagesOf(viewer.shown[viewer.active], mark.series_id) && mark.index === index;
  return {
    total: places.length,
    /** Which one is shown, from 1; 0 if none is. */
    at: places.findIndex((mark) => isAt(mark, viewer.view.shown)) + 1,
    /** Goes to the one after or before that which is shown, and from the last to the first. */
    go(by: 1 | -1): void {
      const { index } = viewer.viewNow();
      const now = places.findIndex((mark) => isAt(mark, index));
      const next = now === -1 ? nearest(places, series, viewer, by) : now + by;
      const mark = places.at(next % Math.max(1, places.length));
      if (mark) showMark(mark, series, viewer);
    },
  };
}

/** Which key image comes after, or before, a picture that is none. */
function nearest(places: readonly StudyMark[], series: readonly ShownSeries[], viewer: Viewer, by: 1 | -1): number {
  const shown = series.findIndex(({ id }) => showsImagesOf(viewer.shown[viewer.active], id));
  const { index } = viewer.viewNow();
  const isAfter = ({ series_id, index: at }: StudyMark): boolean => {
    const of = series.findIndex(({ id }) => id === series_id);
    return of > shown || (of === shown && at > index);
  };
  const after = places.findIndex(isAfter);
  const next = after === -1 ? places.length : after;
  return by === 1 ? next : next - 1;
}

/** Shows the picture that a measurement or key image belongs to in the active pane. */
export function showMark(mark: StudyMark, series: readonly ShownSeries[], viewer: Viewer): void {
  const of = series.find(({ id }) => id === mark.series_id);
  if (!of) return;
  if (showsImagesOf(viewer.shown[viewer.active], of.id)) viewer.pane()?.goTo(mark.index);
  else viewer.show(viewer.active, of, mark.index);
}
