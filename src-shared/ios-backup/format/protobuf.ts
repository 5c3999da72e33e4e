/** Wire format of protocol buffers: https://protobuf.dev/programming-guides/encoding/ */

/** The bytes are not a protocol buffers message. */
export class ProtobufError extends Error {}

/** Varints above 2^53 lose their low digits, which no field that Hearth reads needs. */
type Value = number | Uint8Array;

/** A message: the values of its fields by number, in order. Nested messages stay bytes until they are read. */
export class Message {
  readonly #fields = new Map<number, Value[]>();

  /** Throws `ProtobufError` unless the bytes are a message. */
  constructor(bytes: Uint8Array) {
    let at = 0;
    const varint = (): number => {
      let value = 0;
      for (let shift = 0; shift < 70; shift += 7) {
        const byte = bytes[at];
        if (byte === undefined) throw new ProtobufError('a number ends early');
        at += 1;
        value += (byte & 0x7f) * 2 ** shift;
        if (byte < 0x80) return value;
      }
      throw new ProtobufError('a number does not end');
    };
    const take = (length: number): Uint8Array => {
      if (!(at + length <= bytes.length)) throw new ProtobufError('a field exceeds its message');
      at += length;
      return bytes.subarray(at - length, at);
    };
    while (at < bytes.length) {
      const key = varint();
      const field = Math.floor(key / 8);
      const wire = key % 8;
      if (field < 1 || field > 536_870_911) throw new ProtobufError('an invalid field number');
      if (wire === 0) this.#add(field, varint());
      else if (wire === 1) this.#add(field, take(8));
      else if (wire === 2) this.#add(field, take(varint()));
      else if (wire === 5) this.#add(field, take(4));
      else throw new ProtobufError('an unknown wire type');
    }
  }

  #add(field: number, value: Value): void {
    const values = this.#fields.get(field);
    if (values) values.push(value);
    else this.#fields.set(field, [value]);
  }

  /** Returns the last value of a field, as the encoding demands; null if it has none. */
  number(field: number): number | null {
    const value = this.#fields.get(field)?.at(-1);
    return typeof value === 'number' ? value : null;
  }

  bytes(field: number): Uint8Array | null {
    const value = this.#fields.get(field)?.at(-1);
    return value instanceof Uint8Array ? value : null;
  }

  text(field: number): string | null {
    const value = this.bytes(field);
    return value && new TextDecoder().decode(value);
  }

  message(field: number): Message | null {
    const value = this.bytes(field);
    return value && new Message(value);
  }

  allBytes(field: number): Uint8Array[] {
    return (this.#fields.get(field) ?? []).filter((value) => value instanceof Uint8Array);
  }

  all(field: number): Message[] {
    return this.allBytes(field).map((value) => new Message(value));
  }
}
