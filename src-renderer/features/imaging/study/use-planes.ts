import { useEffect, useRef, useState } from 'react';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { openVolume } from '../engine/engine.ts';
import { refusalOfPositions } from '../engine/volume.ts';
import { isVolumeReduced } from '../engine/volumes.ts';
import { usePositions } from '../queries.ts';
import { cutSeries } from './series.ts';
import type { Viewer } from './use-viewer.ts';
import type { ViewerWords } from './use-words.ts';

/** Where the way to the planes of a series is. */
type Way = { loaded: number; total: number } | { refusal: string } | null;

export type Planes = ReturnType<typeof usePlanes>;

/** Shows the active series in three planes of the patient, and its images again. */
export function usePlanes(viewer: Viewer, words: ViewerWords) {
  const vocabulary = useVocabulary();
  const { t } = words;
  const [told, setTold] = useState<{ key: string | null; way: Way }>({ key: null, way: null });
  const loading = useRef<AbortController | null>(null);
  const latest = useRef(viewer);
  latest.current = viewer;
  const source = viewer.shown[viewer.active] ?? null;
  const positions = usePositions(source?.study ?? 0, source?.section === null ? source.id : null);
  const isShown = viewer.layout === 'planes';
  const key = source && `${source.study}/${source.id}`;
  // What was said of a series is not said of another one, whose choice also ends loading.
  const way = told.key === key ? told.way : null;
  const setWay = (next: Way): void => setTold({ key, way: next });
  useEffect(() => () => loading.current?.abort(), [key]);
  const open = async (): Promise<void> => {
    if (!source) return;
    const refusal = positions && refusalOfPositions(positions);
    if (refusal) return setWay({ refusal: t(`planes_${refusal}`) });
    const request = new AbortController();
    loading.current = request;
    const tell = (loaded: number): void => setWay({ loaded, total: source.total });
    tell(0);
    try {
      const found = await openVolume(source, request.signal, tell);
      if (request.signal.aborted) return;
      setWay(found && { refusal: t(`planes_${found}`) });
      if (!found) latest.current.showCuts(cutSeries(source, (section) => t(`plane_${section}`, { name: source.name })));
    } catch (error) {
      if (!request.signal.aborted) setWay({ refusal: vocabulary.error(error) });
    }
  };
  const stop = (): void => {
    loading.current?.abort();
    setWay(null);
  };
  return {
    way,
    isShown,
    /** Whether the planes are less fine than the images. */
    isReduced: isShown && isVolumeReduced(),
    stop,
    toggle(): void {
      if (isShown) viewer.setLayout('1x1');
      else if (way && 'loaded' in way) stop();
      else void open();
    },
  };
}
