/** Loaded before the program: how long its event loop was held, from SIGUSR2 until its end, as JSON into LOOP_DELAY_FILE. */
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const NS_PER_MS = 1e6;

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  process.on('SIGUSR2', () => delay.reset());
  process.on('exit', () => {
    const file = process.env['LOOP_DELAY_FILE'];
    if (file) writeFileSync(file, JSON.stringify({ p50: delay.percentile(50) / NS_PER_MS, p99: delay.percentile(99) / NS_PER_MS, max: delay.max / NS_PER_MS }));
  });
}
