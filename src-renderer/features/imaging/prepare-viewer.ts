/** Loads the viewer and starts its engine while nobody waits for it; returns what stops that. */
export function prepareViewer(): () => void {
  const load = async (): Promise<void> => {
    const [{ startEngine }] = await Promise.all([import('./engine/engine.ts'), import('./study/page.tsx')]);
    startEngine();
  };
  // Without it, the scripts are loaded when the first study is opened.
  const begin = (): void => void load().catch(() => undefined);
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(begin, 500);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(begin);
  return () => cancelIdleCallback(handle);
}
