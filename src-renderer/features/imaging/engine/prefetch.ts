import { cache, Enums, imageLoader, imageLoadPoolManager } from '@cornerstonejs/core';
import { isCut } from './frames.ts';

/** Frames that are fetched in the direction of scrolling, and in the other one. */
const AHEAD = 12;
const BEHIND = 4;

/** The indices around the shown one that are fetched, the nearest first. */
export function indicesAround(index: number, total: number, direction: 1 | -1): number[] {
  const ahead = Array.from({ length: AHEAD }, (_, step) => ({ index: index + direction * (step + 1), far: step }));
  const behind = Array.from({ length: BEHIND }, (_, step) => ({
    index: index - direction * (step + 1),
    far: step * 3,
  }));
  return [...ahead, ...behind]
    .sort((a, b) => a.far - b.far)
    .map((candidate) => candidate.index)
    .filter((candidate) => candidate >= 0 && candidate < total);
}

/** Fetches the frames around the shown one before they are asked for, instead of those that waited. */
export function prefetch(paneId: string, imageIds: readonly string[], index: number, direction: 1 | -1): void {
  imageLoadPoolManager.filterRequests(
    ({ additionalDetails }) => (additionalDetails as { paneId?: string }).paneId !== paneId,
  );
  indicesAround(index, imageIds.length, direction).forEach((near, priority) => {
    const imageId = imageIds[near]!;
    // Pictures of a volume are cut as fast as they are shown.
    if (isCut(imageId) || cache.getImageLoadObject(imageId)) return;
    imageLoadPoolManager.addRequest(
      // A frame that fails says why when it is shown.
      () =>
        imageLoader.loadAndCacheImage(imageId).then(
          () => undefined,
          () => undefined,
        ),
      Enums.RequestType.Prefetch,
      { paneId, imageId },
      priority,
    );
  });
}
