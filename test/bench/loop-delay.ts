/**
 * Loaded before the program: how long its event loop was held from SIGUSR2 until its end, as JSON into LOOP_DELAY_FILE.
 * `waited` by the clock,
 * also while other programs had the processor; `worked` by the processor time of the thread, which other programs
 * cannot lengthen.
 */
import { writeFileSync } from 'node:fs';
import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const US_PER_MS = 1e3,
  NS_PER_MS = 1e6;

if (isMainThread) {
  const waited = monitorEventLoopDelay({ resolution: 1 });
  const worked = createHistogram();
  let before = process.threadCpuUsage();
  waited.enable();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    worked.record(Math.max(1, Math.round(user + system)));
  }, 1).unref();
  process.on('SIGUSR2', () => {
    waited.reset();
    worked.reset();
  });
  process.on('exit', () => {
    const file = process.env['LOOP_DELAY_FILE'];
    const figures = ({ percentile, max }: { percentile: (share: number) => number; max: number }, unit: number) => ({
      p50: percentile(50) / unit,
      p99: percentile(99) / unit,
      max: max / unit,
    });
    if (file)
      writeFileSync(
        file,
        JSON.stringify({
          waited: figures({ percentile: (share) => waited.percentile(share), max: waited.max }, NS_PER_MS),
          worked: figures({ percentile: (share) => worked.percentile(share), max: worked.max }, US_PER_MS),
        }),
      );
  });
}
