import { useSyncExternalStore } from 'react';
import { EMPTY_VIEW, type PaneView } from '../engine/pane.ts';

/** What the panes show now, by slot. */
export interface ViewStore {
  get(): readonly PaneView[];
  set(slot: number, view: PaneView): void;
  subscribe(listener: () => void): () => void;
  /** Calls back at once after a pause, and not more often than people can read while pictures change quickly. */
  subscribeSlowly(listener: () => void): () => void;
}

const SLOW_MS = 100;

export function createViewStore(slots: number): ViewStore {
  let views: readonly PaneView[] = Array.from({ length: slots }, () => EMPTY_VIEW);
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get: () => views,
    set(slot, view) {
      views = views.map((one, at) => (at === slot ? view : one));
      for (const listener of listeners) listener();
    },
    subscribe,
    subscribeSlowly(listener) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      let isChanged = false;
      const pass = (): void => {
        timer = undefined;
        if (!isChanged) return;
        isChanged = false;
        listener();
        timer = setTimeout(pass, SLOW_MS);
      };
      const stop = subscribe(() => {
        isChanged = true;
        if (timer === undefined) pass();
      });
      return () => {
        clearTimeout(timer);
        stop();
      };
    },
  };
}

/** What a pane shows now; the rest of the page follows it more slowly, so that it does not slow pictures down. */
export const usePaneView = (store: ViewStore, slot: number): PaneView =>
  useSyncExternalStore(store.subscribe, () => store.get()[slot] ?? EMPTY_VIEW);
