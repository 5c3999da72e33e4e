import { systemClock } from '../../src-main/platform/kernel/clock.ts';
import { createLargeWork } from '../../src-main/platform/kernel/large-work.ts';
import { createWatermark } from '../../src-main/reading/providers/watermark/watermark.ts';

/** Streams a stamped copy of the PDF in its argument to nobody, and prints its figures as JSON. */
const [path = ''] = process.argv.slice(2);
// Tells `loop-delay.ts` that its measurement begins.
process.kill(process.pid, 'SIGUSR2');
const watermark = createWatermark({
  clock: systemClock,
  largeWork: createLargeWork(),
  limits: { maxPages: 2000, maxPixels: 100e6 },
});
const before = process.memoryUsage.rss();
const start = performance.now();
let [first, bytes, largest, own] = [0, 0, 0, 0];
const parts = watermark.streamWatermarkedPdf(
  { path, mime: 'application/pdf', turns: {} },
  {
    stamp: { label: 'Dr. med. Ruth Oesch', at: systemClock.now() },
    unreadable: 'This page could not be shown.',
    signal: new AbortController().signal,
    onPage: () => void (own = Math.max(own, process.memoryUsage.rss())),
  },
);
for await (const part of parts) {
  first ||= performance.now() - start;
  bytes += part.length;
  largest = Math.max(largest, part.length);
}
const seconds = (performance.now() - start) / 1000;
process.stdout.write(JSON.stringify({ first, bytes, largest, before, own, seconds }));
await watermark.close();
