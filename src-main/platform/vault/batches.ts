const BATCH_FILES = 64;
const BATCH_BYTES = 64 * 2 ** 20;

/** Parts a list into batches that a thread takes at a time: few enough that progress shows and an abort is soon felt. */
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
