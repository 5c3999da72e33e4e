/** A column of numbers whose buffer grows by doubling. */
export class NumberColumn {
  private values = new Float64Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) this.values = copyInto(this.values, new Float64Array(this.length * 2));
    this.values[this.length] = value;
    this.length += 1;
  }

  at(row: number): number {
    return this.values[row] ?? NaN;
  }

  /**
   * Returns a column with the rows in another order: row `i` is the previous row `order[i]`. This column gives up its
   * memory.
   */
  reorder(order: Uint32Array): NumberColumn {
    const out = new NumberColumn();
    out.values = new Float64Array(order.length);
    for (let i = 0; i < order.length; i += 1) out.values[i] = this.at(order[i] ?? 0);
    out.length = order.length;
    this.values = new Float64Array(0);
    this.length = 0;
    return out;
  }
}

/** A column of UTF-8 texts in a single buffer, so that a million paths are one object. */
export class TextColumn {
  bytes = new Uint8Array(64 * 1024);
  private readonly ends = new NumberColumn();
  private readonly encoder = new TextEncoder();
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  push(text: string): void {
    const start = this.endOf(this.ends.length - 1),
      neededBytes = start + text.length * 3;
    if (neededBytes > this.bytes.length)
      this.bytes = copyInto(this.bytes, new Uint8Array(Math.max(neededBytes, this.bytes.length * 2)));
    this.ends.push(start + this.encoder.encodeInto(text, this.bytes.subarray(start)).written);
  }

  /** Calls `visit` with the bounds of each row of [from, to): one pass over memory, in order. */
  forEachRow(from: number, to: number, visit: (row: number, start: number, end: number) => void): void {
    let start = this.startOf(from);
    for (let row = from; row < to; row += 1) {
      const end = this.ends.at(row);
      visit(row, start, end);
      start = end;
    }
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

  reorder(order: Uint32Array): TextColumn {
    const out = new TextColumn();
    out.bytes = new Uint8Array(this.endOf(this.ends.length - 1));
    let at = 0;
    for (const row of order) {
      const part = this.bytes.subarray(this.startOf(row), this.endOf(row));
      out.bytes.set(part, at);
      at += part.length;
      out.ends.push(at);
    }
    this.wipe();
    this.bytes = new Uint8Array(0);
    return out;
  }

  /** Compares two rows by their bytes, like SQLite's BINARY collation. */
  compare(a: number, b: number): number {
    return compareBytes(this.bytes, this.startOf(a), this.endOf(a), this.bytes, this.startOf(b), this.endOf(b));
  }

  /** Compares a row with UTF-8 text in the same order. */
  compareTo(row: number, text: Uint8Array): number {
    return compareBytes(this.bytes, this.startOf(row), this.endOf(row), text, 0, text.length);
  }

  wipe(): void {
    this.bytes.fill(0);
  }
}

function compareBytes(a: Uint8Array, i: number, endA: number, b: Uint8Array, j: number, endB: number): number {
  while (i < endA && j < endB) {
    const difference = (a[i] ?? 0) - (b[j] ?? 0);
    if (difference !== 0) return difference;
    i += 1;
    j += 1;
  }
  return endA - i - (endB - j);
}

function copyInto<T extends Float64Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
