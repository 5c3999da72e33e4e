import type { Hit } from './find.ts';
import type { Mark } from './mark-layer.tsx';
import type { PagePlace } from './page.ts';

export const NO_MARKS: readonly Mark[] = [];

/** Marks by page: hits below, the current hit and highlighted places above. */
export function marksByPage(
  places: readonly PagePlace[],
  hits: readonly Hit[],
  at: number,
): ReadonlyMap<number, readonly Mark[]> {
  const marks = new Map<number, Mark[]>();
  const add = (page: number, mark: Mark) => marks.set(page, [...(marks.get(page) ?? []), mark]);
  const byHit = Map.groupBy(
    hits.map((hit, index) => ({ hit, index })),
    ({ hit }) => hit.page,
  );
  for (const [page, pageHits] of byHit) {
    marks.set(
      page,
      pageHits.flatMap(({ hit, index }) =>
        hit.boxes.map((bbox, part) => ({
          key: `hit-${index}-${part}`,
          bbox,
          kind: index === at ? ('hit-on' as const) : ('hit' as const),
        })),
      ),
    );
  }
  for (const place of places) add(place.page, { key: `place-${place.bbox.join()}`, bbox: place.bbox, kind: 'place' });
  return marks;
}
