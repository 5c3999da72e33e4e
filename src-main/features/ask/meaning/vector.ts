/** The largest value of a signed byte. */
const MAX = 127;

/** A vector with one signed byte for each dimension; only its direction counts. */
export function toBytes(vector: readonly number[]): Buffer {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  return Buffer.from(Int8Array.from(vector, (value) => Math.round((value / largest) * MAX)).buffer);
}
