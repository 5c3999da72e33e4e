const BATCH_FILES = 64;
const BATCH_BYTES = 64 * 2 ** 20;

/** Splits a list into batches for a worker thread, small enough to report progress and to abort quickly. */
export function* batchesOf<T extends { size: number }>(items: Iterable<T>): Generator<T[]> {
  let batch: T[] = [],
    bytes = 0;
  for (const item of items) {
    batch.push(item);
    bytes += item.size;
    if (batch.length < BATCH_FILES && bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}
