import { useCallback, useSyncExternalStore } from 'react';

/** The width below which the navigation becomes a drawer and panes cover the page; the same as in the style sheets. */
export const NARROW = '(max-width: 900px)';

/** The width of a phone, held upright; the same as in the style sheets. */
export const PHONE = '(max-width: 560px)';

/** A finger rather than a mouse. */
export const COARSE = '(pointer: coarse)';

/** Whether a media query matches now. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
