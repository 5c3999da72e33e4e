/** Calls back whenever the window moves to a screen of another density, or is zoomed; returns what ends that. */
export function watchDensity(onChange: () => void): () => void {
  const ended = new AbortController();
  const watch = (): void =>
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener(
      'change',
      () => {
        onChange();
        watch();
      },
      { once: true, signal: ended.signal },
    );
  watch();
  return () => ended.abort();
}
