/** A small seeded generator (mulberry32): the same number gives the same input on every machine. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Values on which lengths, offsets and counts break. */
const ODD = [0, 1, 0x0f, 0x10, 0x7f, 0x80, 0xfe, 0xff];
/** No input grows beyond this; what a reader makes of it must stay small too. */
const LARGEST = 256 * 1024;

/** Input number `number` from the seeds: mostly one change, so that it breaks late in the reader, up to 8. */
export function mutated(seeds: readonly Uint8Array[], number: number): Uint8Array {
  const random = randomOf(number),
    below = (n: number): number => Math.floor(random() * n);
  const seed = seeds[below(seeds.length)] ?? new Uint8Array();
  if (random() < 0.02) return Uint8Array.from({ length: below(512) }, () => below(256));
  let bytes = Uint8Array.from(seed);
  for (let changes = random() < 0.6 ? 1 : 1 + below(8); changes > 0; changes -= 1) bytes = changed(bytes, seeds, below);
  return bytes.subarray(0, LARGEST);
}

function changed(
  bytes: Uint8Array<ArrayBuffer>,
  seeds: readonly Uint8Array[],
  below: (n: number) => number,
): Uint8Array<ArrayBuffer> {
  const at = below(bytes.length + 1),
    length = 1 + below(16);
  const joined = (...parts: Uint8Array[]): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.concat(parts));
  const over = (values: ArrayLike<number>): Uint8Array<ArrayBuffer> => {
    for (let i = 0; i < values.length && at + i < bytes.length; i += 1) bytes[at + i] = values[i] ?? 0;
    return bytes;
  };
  switch (below(15)) {
    case 8:
    case 9:
    case 10:
    case 0:
      return over([(bytes[at] ?? 0) ^ (1 << below(8))]);
    case 11:
    case 12:
    case 1:
      return over([ODD[below(ODD.length)] ?? 0]);
    case 13:
    case 2:
      return over([below(256), below(256), below(256), below(256)]);
    case 3:
      return over(Array.from({ length: 4 }, () => ODD[below(2) * 7] ?? 0));
    case 4:
      return bytes.slice(0, at);
    case 5:
      return joined(bytes.subarray(0, at), bytes.subarray(at + length));
    case 6:
      return joined(bytes.subarray(0, at), bytes.subarray(below(at + 1), at), bytes.subarray(at));
    case 7:
      return joined(
        bytes.subarray(0, at),
        Uint8Array.from({ length }, () => below(256)),
        bytes.subarray(at),
      );
    default: {
      const other = seeds[below(seeds.length)] ?? bytes,
        from = below(other.length + 1);
      return joined(bytes.subarray(0, at), other.subarray(from, from + length * 4), bytes.subarray(at + length * 4));
    }
  }
}
