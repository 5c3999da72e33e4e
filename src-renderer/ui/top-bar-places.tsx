import { useSyncExternalStore, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** Places in the top bar for what the open page puts there. */
export const TOP_BAR = { crumb: 'crumb', tools: 'page-tools' } as const;

/** Nothing tells of changes: React looks once more after the frame and the page are in the document. */
const subscribe = (): (() => void) => () => undefined;

/** A place in the top bar, which exists once the frame has rendered; null before. */
export const useTopBar = (place: keyof typeof TOP_BAR): HTMLElement | null =>
  useSyncExternalStore(subscribe, () => document.getElementById(TOP_BAR[place]));

/** Shows what a page is about at the end of the path in the top bar. */
export function Crumb({ children }: { children: ReactNode }) {
  const place = useTopBar('crumb');
  return place && createPortal(children, place);
}
