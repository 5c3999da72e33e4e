import type { Extraction } from '../../extraction/extraction.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { createWorkerPool, TaskTimeout } from '../../../platform/kernel/worker-pool.ts';
import type { ReaderProvider } from '../provider.ts';

/** A long file takes one or two seconds. */
const TIMEOUT_MS = 120_000;

/** Extraction by rules over page texts, in a worker thread; needs no model. `builtin` is its id on the wire. */
export function createRulesReader({ clock, idleMs }: { clock: Clock; idleMs: number }): ReaderProvider {
  const pool = createWorkerPool({ script: new URL('./rules-thread.ts', import.meta.url), size: 1, idleMs, clock });
  return {
    type: 'builtin',
    async extract(pages, context, { signal }) {
      try {
        return { ok: true, value: await pool.run<Extraction>({ pages, context }, { signal, timeoutMs: TIMEOUT_MS }) };
      } catch (error) {
        if (signal.aborted) return { ok: false, reason: 'cancelled', code: 'reading.cancelled' };
        if (error instanceof TaskTimeout)
          return {
            ok: false,
            reason: 'too_large',
            code: 'reading.document_too_large',
          };
        throw error;
      }
    },
    close: () => pool.close(),
  };
}
