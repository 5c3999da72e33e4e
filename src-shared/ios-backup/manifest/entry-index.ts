import { isSafeFileId, kindOf, type Entry } from './entry.ts';
import { NumberColumn, TextColumn } from './typed-columns.ts';
import { like } from './sql-like.ts';

export interface EntryQuery {
  /** Exact domain. */
  domain?: string;
  /** SQL LIKE on the relative path, ignoring the case of ASCII letters. */
  pathLike?: string;
  /** At least 0; 100 by default. */
  limit?: number;
  offset?: number;
}

export interface EntryPage {
  items: Entry[];
  /** How many entries fit the query in all. */
  total: number;
}

export interface DomainCount {
  domain: string;
  /** Entries with bytes; folders and links are not counted. */
  files: number;
  /** Sum of the sizes that the manifest names. */
  bytes: number;
}

export type IndexRow = Omit<Entry, 'kind'>;

/** Answers of the latest queries, so that turning a page is a look-up. */
const KEPT_ANSWERS = 16;
/** Paths looked at before others get their turn. */
const SLICE = 200_000;
/** A key of the look-up by id is 24 bits of the id and the row: exact in a double up to 2^29 rows. */
const ROWS = 2 ** 29;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

interface Columns {
  fileIds: TextColumn;
  paths: TextColumn;
  domains: NumberColumn;
  flags: NumberColumn;
  sizes: NumberColumn;
  times: NumberColumn;
  classes: NumberColumn;
  encrypted: NumberColumn;
}

/** All entries of a manifest in memory, ordered by domain, relative path, file id: about 200 bytes an entry. */
export class EntryIndex {
  private readonly columns: Columns;
  /** In the order of their UTF-8 bytes. */
  private readonly domainNames: string[];
  /** Where a domain's rows begin; one more than there are domains. */
  private readonly domainStarts: Uint32Array;
  private readonly byId: Float64Array;
  private readonly answers = new Map<string, Promise<Uint32Array>>();
  private counted: DomainCount[] | null = null;

  private constructor(columns: Columns, domainNames: string[], domainStarts: Uint32Array) {
    this.columns = columns;
    this.domainNames = domainNames;
    this.domainStarts = domainStarts;
    this.byId = Float64Array.from(
      { length: this.count },
      (_, row) => keyOf(columns.fileIds.at(row)) * ROWS + row,
    ).sort();
  }

  /** Reads all batches, then sorts. Others get their turn in between. */
  static async of(batches: AsyncIterable<IndexRow[]>, onRows?: (rows: number) => void): Promise<EntryIndex> {
    const unsorted: Columns = {
      fileIds: new TextColumn(),
      paths: new TextColumn(),
      domains: new NumberColumn(),
      flags: new NumberColumn(),
      sizes: new NumberColumn(),
      times: new NumberColumn(),
      classes: new NumberColumn(),
      encrypted: new NumberColumn(),
    };
    const numbers = new Map<string, number>();
    for await (const rows of batches) {
      for (const row of rows) append(unsorted, row, numbers);
      onRows?.(unsorted.flags.length);
    }
    const names = [...numbers.keys()],
      buckets = bucketsOf(unsorted.domains, names.length);
    const ranked = byteOrder(names),
      order = new Uint32Array(unsorted.flags.length),
      starts = new Uint32Array(names.length + 1);
    let filled = 0;
    for (const [rank, number] of ranked.entries()) {
      const rows = buckets[number] ?? new Uint32Array();
      order.set(
        rows.sort((a, b) => unsorted.paths.compare(a, b) || unsorted.fileIds.compare(a, b)),
        filled,
      );
      filled += rows.length;
      starts[rank + 1] = filled;
      if (rows.length > 1000) await pause();
    }
    const columns = Object.fromEntries(
      Object.entries(unsorted).map(([name, column]: [string, TextColumn | NumberColumn]) => [
        name,
        column.reordered(order),
      ]),
    ) as unknown as Columns;
    return new EntryIndex(
      columns,
      ranked.map((number) => names[number] ?? ''),
      starts,
    );
  }

  get count(): number {
    return this.columns.flags.length;
  }

  async page({ domain, pathLike, limit = 100, offset = 0 }: EntryQuery): Promise<EntryPage> {
    const [from, to] = this.range(domain);
    if (pathLike === undefined) {
      const start = Math.min(to, from + offset);
      return {
        items: Array.from({ length: Math.min(limit, to - start) }, (_, i) => this.at(start + i)),
        total: to - from,
      };
    }
    const rows = await this.matching(from, to, pathLike);
    return { items: Array.from(rows.subarray(offset, offset + limit), (row) => this.at(row)), total: rows.length };
  }

  find(fileId: string): Entry | null {
    const { byId, columns } = this,
      key = keyOf(fileId);
    for (
      let i = firstAtLeast(byId.length, (position) => (byId[position] ?? 0) >= key * ROWS);
      i < byId.length && (byId[i] ?? 0) < (key + 1) * ROWS;
      i += 1
    ) {
      const row = (byId[i] ?? 0) % ROWS;
      if (columns.fileIds.at(row) === fileId) return this.at(row);
    }
    return null;
  }

  findPath(domain: string, relativePath: string): Entry | null {
    const [from, to] = this.range(domain),
      path = new TextEncoder().encode(relativePath);
    const row = from + firstAtLeast(to - from, (position) => this.columns.paths.compareTo(from + position, path) >= 0);
    return row < to && this.columns.paths.compareTo(row, path) === 0 ? this.at(row) : null;
  }

  /** All entries, with ids of the same prefix next to each other. */
  *byFolder(): Generator<Entry> {
    for (const key of this.byId) yield this.at(key % ROWS);
  }

  domains(): DomainCount[] {
    this.counted ??= this.domainNames.map((domain, rank) => this.countOf(domain, rank));
    return this.counted;
  }

  /** Overwrites names and paths. */
  wipe(): void {
    this.columns.paths.wipe();
    this.columns.fileIds.wipe();
    this.answers.clear();
    this.domainNames.length = 0;
    this.counted = null;
  }

  private countOf(domain: string, rank: number): DomainCount {
    const count = { domain, files: 0, bytes: 0 };
    for (let row = this.domainStarts[rank] ?? 0; row < (this.domainStarts[rank + 1] ?? 0); row += 1) {
      if (kindOf(this.columns.flags.at(row)) !== 'file') continue;
      count.files += 1;
      count.bytes += this.columns.sizes.at(row) || 0;
    }
    return count;
  }

  /** Rows of a domain, or all of them. */
  private range(domain: string | undefined): [from: number, to: number] {
    if (domain === undefined) return [0, this.count];
    const rank = this.domainNames.indexOf(domain);
    return rank < 0 ? [0, 0] : [this.domainStarts[rank] ?? 0, this.domainStarts[rank + 1] ?? 0];
  }

  private matching(from: number, to: number, pathLike: string): Promise<Uint32Array> {
    const key = `${from} ${to} ${pathLike}`,
      answer = this.answers.get(key) ?? this.select(from, to, pathLike);
    this.answers.delete(key);
    this.answers.set(key, answer);
    const oldest = this.answers.size > KEPT_ANSWERS ? this.answers.keys().next().value : undefined;
    if (oldest !== undefined) this.answers.delete(oldest);
    return answer;
  }

  private async select(from: number, to: number, pathLike: string): Promise<Uint32Array> {
    const { matches, mayEndSo } = like(pathLike),
      { paths } = this.columns,
      { bytes } = paths,
      out = new Uint32Array(to - from);
    let found = 0;
    for (let slice = from; slice < to; slice += SLICE) {
      if (slice > from) await pause();
      paths.walk(slice, Math.min(to, slice + SLICE), (row, start, end) => {
        if (mayEndSo(bytes, start, end) && matches(bytes, start, end)) out[found++] = row;
      });
    }
    return out.slice(0, found);
  }

  private at(row: number): Entry {
    const { fileIds, paths, flags, sizes, times, classes, encrypted } = this.columns;
    const known = (value: number): number | null => (Number.isNaN(value) ? null : value);
    return {
      fileId: fileIds.at(row),
      domain: this.domainNames[this.rankOf(row)] ?? '',
      relativePath: paths.at(row),
      flags: flags.at(row),
      kind: kindOf(flags.at(row)),
      size: known(sizes.at(row)),
      modifiedAt: known(times.at(row)),
      protectionClass: known(classes.at(row)),
      encrypted: encrypted.at(row) === 1,
    };
  }

  private rankOf(row: number): number {
    return firstAtLeast(this.domainNames.length, (rank) => (this.domainStarts[rank + 1] ?? 0) > row);
  }
}

function append(
  columns: Columns,
  { fileId, domain, relativePath, flags, size, modifiedAt, protectionClass, encrypted }: IndexRow,
  numbers: Map<string, number>,
): void {
  const number = numbers.get(domain) ?? numbers.size;
  numbers.set(domain, number);
  columns.fileIds.push(fileId);
  columns.paths.push(relativePath);
  columns.domains.push(number);
  columns.flags.push(flags);
  columns.sizes.push(size ?? NaN);
  columns.times.push(modifiedAt ?? NaN);
  columns.classes.push(protectionClass ?? NaN);
  columns.encrypted.push(encrypted ? 1 : 0);
}

/** Rows of each domain by its number. */
function bucketsOf(domains: NumberColumn, count: number): Uint32Array[] {
  const sizes = new Uint32Array(count);
  for (let row = 0; row < domains.length; row += 1) sizes[domains.at(row)] = (sizes[domains.at(row)] ?? 0) + 1;
  const buckets = Array.from(sizes, (size) => new Uint32Array(size)),
    filled = new Uint32Array(count);
  for (let row = 0; row < domains.length; row += 1) {
    const number = domains.at(row),
      bucket = buckets[number],
      at = filled[number] ?? 0;
    if (bucket) bucket[at] = row;
    filled[number] = at + 1;
  }
  return buckets;
}

/** Positions of texts in the order of their UTF-8 bytes. */
function byteOrder(texts: readonly string[]): number[] {
  const column = new TextColumn();
  for (const text of texts) column.push(text);
  return [...texts.keys()].sort((a, b) => column.compare(a, b));
}

/** 24 bits of an id: its first six digits, or a hash of another id from a hostile manifest. */
function keyOf(fileId: string): number {
  if (isSafeFileId(fileId)) return Number.parseInt(fileId.slice(0, 6), 16);
  let hash = 0;
  for (let i = 0; i < fileId.length; i += 1) hash = (Math.imul(hash, 31) + fileId.charCodeAt(i)) & 0xffffff;
  return hash;
}

/** The first position for which a test that turns true once is true; `length` when it never is. */
function firstAtLeast(length: number, reached: (position: number) => boolean): number {
  let low = 0,
    high = length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (reached(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
