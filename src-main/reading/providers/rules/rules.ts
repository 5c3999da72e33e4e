import type { Extraction } from '../../extraction/extraction.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { createWorkerPool, TaskTimeout } from '../../../platform/kernel/worker-pool.ts';
import type { ReaderProvider } from '../provider.ts';

/** A long file takes a second or two; more is a fault. */
const TIMEOUT_MS = 120_000;

/** The reader that needs no model: rules over page texts, in a thread of their own. */
export function createBuiltinReader({ clock, idleMs }: { clock: Clock; idleMs: number }): ReaderProvider {
  const pool = createWorkerPool({ script: new URL('./rules-thread.ts', import.meta.url), size: 1, idleMs, clock });
  return {
    type: 'builtin',
    async extract(pages, context, { signal }) {
      try {
        return { ok: true, value: await pool.run<Extraction>({ pages, context }, { signal, timeoutMs: TIMEOUT_MS }) };
      } catch (error) {
        if (signal.aborted) return { ok: false, reason: 'cancelled', detail: 'Cancelled.' };
        if (error instanceof TaskTimeout)
          return {
            ok: false,
            reason: 'too_large',
            detail: 'The document is too large to be understood as a whole. Enter its fields by hand.',
          };
        throw error;
      }
    },
    close: () => pool.close(),
  };
}
