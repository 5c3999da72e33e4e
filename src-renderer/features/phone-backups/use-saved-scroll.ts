import { useLayoutEffect, type RefObject } from 'react';
import { useSearchState } from './use-search-state.ts';
import { useOpenBackups } from './source/open-backups.ts';

/** Events of scrolling by the user. */
const USER_EVENTS = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

/** The position is restored once it held for this many frames. */
const STABLE_FRAMES = 10;
/** Gives up after this many frames: the list has become shorter. */
const MAX_FRAMES = 120;

/**
 * Saves the scroll position of a list by view, filter and `label`, and restores it when the user returns. Locking the
 * backup clears it. `isReady`: the list has its height.
 * @returns whether a saved position is being restored
 */
export function useSavedScroll(box: RefObject<HTMLElement | null>, label: string, isReady: boolean): boolean {
  const { backups } = useOpenBackups();
  const { search } = useSearchState();
  const key = [search.view, search.q, search.filter, search.domain, search.album, search.part, label].join('\n');
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !isReady) return undefined;
    const savedPosition = backups.scrollPositions.get(key);
    // The list's height may still change: restore the position until it holds or the user scrolls.
    let isSettled = savedPosition === undefined;
    let stableFrames = 0;
    let frames = 0;
    let frame = 0;
    const settle = (): void => {
      isSettled = true;
      cancelAnimationFrame(frame);
    };
    const restore = (): void => {
      if (isSettled || savedPosition === undefined) return;
      stableFrames = Math.abs(element.scrollTop - savedPosition) < 2 ? stableFrames + 1 : 0;
      if (stableFrames === 0) element.scrollTop = savedPosition;
      frames += 1;
      if (stableFrames >= STABLE_FRAMES || frames >= MAX_FRAMES) settle();
      else frame = requestAnimationFrame(restore);
    };
    restore();
    const savePosition = (): void => {
      if (isSettled) backups.scrollPositions.set(key, element.scrollTop);
    };
    element.addEventListener('scroll', savePosition, { passive: true });
    for (const event of USER_EVENTS) element.addEventListener(event, settle, { passive: true, once: true });
    return () => {
      cancelAnimationFrame(frame);
      element.removeEventListener('scroll', savePosition);
      for (const event of USER_EVENTS) element.removeEventListener(event, settle);
    };
  }, [box, key, isReady, backups]);
  return (backups.scrollPositions.get(key) ?? 0) > 0;
}
