import { unreachable } from './api.ts';

/**
 * Loads scripts of a page. If Hearth does not answer, the error says so; otherwise they are of an earlier version, for
 * which the router starts the page anew.
 */
export const reached =
  <Scripts>(load: () => Promise<Scripts>): (() => Promise<Scripts>) =>
  () =>
    load().catch(async (error: unknown) => {
      if (await isReachable()) throw error;
      throw unreachable();
    });

/** Whether Hearth answers at all. */
export const isReachable = (): Promise<boolean> =>
  fetch('/health').then(
    () => true,
    () => false,
  );
