import { afterEach, expect, it, vi } from 'vitest';
import { watchDensity } from './watch-density.ts';

afterEach(() => vi.unstubAllGlobals());

/** Screens of a window: its queries for the density, of which those that no longer match fire (CSSOM View, 4.2). */
function openWindow(): { moveTo: (density: number) => void } {
  const queries: { text: string; target: EventTarget }[] = [];
  vi.stubGlobal('devicePixelRatio', 1);
  vi.stubGlobal('matchMedia', (text: string) => {
    const target = new EventTarget();
    queries.push({ text, target });
    return target;
  });
  return {
    moveTo(density) {
      const before = devicePixelRatio;
      vi.stubGlobal('devicePixelRatio', density);
      for (const { text, target } of [...queries])
        if (text === `(resolution: ${before}dppx)` || text === `(resolution: ${density}dppx)`)
          target.dispatchEvent(new Event('change'));
    },
  };
}

it('calls back once for each screen that a window moves to, until it is stopped', () => {
  const window = openWindow();
  const densities: number[] = [];
  const stop = watchDensity(() => densities.push(devicePixelRatio));
  for (const density of [2, 1.5, 2, 1]) window.moveTo(density);
  expect(densities).toEqual([2, 1.5, 2, 1]);
  stop();
  window.moveTo(3);
  expect(densities).toHaveLength(4);
});
