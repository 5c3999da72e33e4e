/** A column of numbers that grows by doubling. */
export class NumberColumn {
  private values = new Float64Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) this.values = grown(this.values, new Float64Array(this.length * 2));
    this.values[this.length] = value;
    this.length += 1;
  }

  at(row: number): number {
    return this.values[row] ?? NaN;
  }
}

/** A column of texts in UTF-8, one after another in a single buffer: a million paths are one object, not a million. */
export class TextColumn {
  bytes = new Uint8Array(64 * 1024);
  private readonly ends = new NumberColumn();
  private readonly encoder = new TextEncoder();
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  push(text: string): void {
    const start = this.endOf(this.ends.length - 1), room = start + text.length * 3;
    if (room > this.bytes.length) this.bytes = grown(this.bytes, new Uint8Array(Math.max(room, this.bytes.length * 2)));
    this.ends.push(start + this.encoder.encodeInto(text, this.bytes.subarray(start)).written);
  }

  startOf(row: number): number {
    return this.endOf(row - 1);
  }

  endOf(row: number): number {
    return row < 0 ? 0 : this.ends.at(row);
  }

  at(row: number): string {
    return this.decoder.decode(this.bytes.subarray(this.startOf(row), this.endOf(row)));
  }

  /** Order of two rows by their bytes, as SQLite's BINARY collation has it. */
  compare(a: number, b: number): number {
    const { bytes } = this, endA = this.endOf(a), endB = this.endOf(b);
    let i = this.startOf(a), j = this.startOf(b);
    while (i < endA && j < endB && bytes[i] === bytes[j]) {
      i += 1;
      j += 1;
    }
    return i < endA && j < endB ? (bytes[i] ?? 0) - (bytes[j] ?? 0) : (endA - i) - (endB - j);
  }

  wipe(): void {
    this.bytes.fill(0);
  }
}

function grown<T extends Float64Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
