import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'minor' }) => void;
/** V8 would let the buffers of each thread that nothing refers to grow to 64 MB. */
const MAX_PASSED = 16 * 2 ** 20;

let collect: Collect | null = null;
let passed = 0;

/** Where V8 does not offer it, nothing is freed early. */
function prepareCollecting(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('globalThis.gc ?? (() => undefined)') as Collect;
}

/** Frees the buffers that this thread made lately and no longer needs, which takes about a millisecond. */
export function collectGarbage(): void {
  collect ??= prepareCollecting();
  collect({ type: 'minor' });
}

/** Counts bytes that have gone through buffers of this thread, and frees these from time to time. */
export function countPassedBytes(bytes: number): void {
  passed += bytes;
  if (passed < MAX_PASSED) return;
  passed = 0;
  collectGarbage();
}
