import { useLayoutEffect, type RefObject } from 'react';
import { useSearchState } from './use-search-state.ts';
import { useOpenBackups } from './source/open-backups.ts';

/** Events of scrolling by the user. */
const USER_EVENTS = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

/** A place that held for so many frames is reached. */
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
    const savedPosition = backups.places.get(key);
    // The list's height may still change: restore the position until it holds or the user scrolls.
    let isSettled = savedPosition === undefined,
      held = 0,
      tries = 0,
      frame = 0;
    const settle = (): void => {
      isSettled = true;
      cancelAnimationFrame(frame);
    };
    const goBack = (): void => {
      if (isSettled || savedPosition === undefined) return;
      held = Math.abs(element.scrollTop - savedPosition) < 2 ? held + 1 : 0;
      if (held === 0) element.scrollTop = savedPosition;
      tries += 1;
      if (held >= STABLE_FRAMES || tries >= MAX_FRAMES) settle();
      else frame = requestAnimationFrame(goBack);
    };
    goBack();
    const keep = (): void => {
      if (isSettled) backups.places.set(key, element.scrollTop);
    };
    element.addEventListener('scroll', keep, { passive: true });
    for (const use of USER_EVENTS) element.addEventListener(use, settle, { passive: true, once: true });
    return () => {
      cancelAnimationFrame(frame);
      element.removeEventListener('scroll', keep);
      for (const use of USER_EVENTS) element.removeEventListener(use, settle);
    };
  }, [box, key, isReady, backups]);
  return (backups.places.get(key) ?? 0) > 0;
}
