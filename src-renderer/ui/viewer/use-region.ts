import { useCallback, useState } from 'react';
import type { BBox } from '../../../src-shared/medical/page.ts';

export interface RegionState {
  isDrawing: boolean;
  region: { page: number; bbox: BBox } | null;
  /** Starts or ends drawing; removes the region that was drawn. */
  toggleDrawing: () => void;
  onRegion: (page: number, bbox: BBox | null) => void;
  /** Translates what is in the rectangle; undefined if nobody can. */
  onTranslate: ((page: number, bbox: BBox) => void) | undefined;
}

/** The rectangle that the user draws on a page to copy or translate its text. */
export function useRegion(onTranslate: RegionState['onTranslate']): RegionState {
  const [isDrawing, setIsDrawing] = useState(false);
  const [region, setRegion] = useState<RegionState['region']>(null);
  const onRegion = useCallback((page: number, bbox: BBox | null) => {
    setRegion(bbox && { page, bbox });
    setIsDrawing(false);
  }, []);
  const toggleDrawing = (): void => {
    setRegion(null);
    setIsDrawing(!isDrawing);
  };
  return { isDrawing, region, toggleDrawing, onRegion, onTranslate };
}
