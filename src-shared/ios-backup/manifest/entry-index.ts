import { isSafeFileId, kindOf, type Entry } from './entry.ts';
import { NumberColumn, TextColumn } from './typed-columns.ts';
import { createLikeMatcher } from './sql-like.ts';

export interface EntryQuery {
  /** Exact domain. */
  domain?: string;
  /** A pattern of SQL's LIKE for the relative path; ASCII letters match either case. */
  pathLike?: string;
  /** At least 0; 100 by default. */
  limit?: number;
  offset?: number;
}

export interface EntryPage {
  items: Entry[];
  /** The number of all entries that match the query. */
  total: number;
}

export interface DomainCount {
  domain: string;
  /** Number of files, without folders and links. */
  files: number;
  /** Sum of the sizes in the manifest. */
  bytes: number;
}

export type IndexRow = Omit<Entry, 'kind'>;

/** Number of queries whose matches are cached, so that the next page needs no new search. */
const MAX_CACHED_QUERIES = 16;
/** Number of paths to search before yielding to other tasks. */
const SLICE_ROWS = 200_000;
/** A key of the lookup by id consists of 24 bits of the id and the row: exact in a double up to 2^29 rows. */
const MAX_ROWS = 2 ** 29;

/** Lets other tasks run. */
const yieldToOthers = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

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

/** All entries of a manifest in memory, ordered by domain, relative path and file id: about 320 bytes per entry. */
export class EntryIndex {
  private readonly columns: Columns;
  /** In the order of their UTF-8 bytes. */
  private readonly domainNames: string[];
  /** The first row of each domain, and the end of the last one. */
  private readonly domainStarts: Uint32Array;
  private readonly byId: Float64Array;
  private readonly matchesByQuery = new Map<string, Promise<Uint32Array>>();
  private domainCounts: DomainCount[] | null = null;

  private constructor(columns: Columns, domainNames: string[], domainStarts: Uint32Array) {
    this.columns = columns;
    this.domainNames = domainNames;
    this.domainStarts = domainStarts;
    this.byId = Float64Array.from(
      { length: this.count },
      (_, row) => keyOf(columns.fileIds.at(row)) * MAX_ROWS + row,
    ).sort();
  }

  /** Reads all batches and then sorts them, yielding to other tasks in between. */
  static async create(batches: AsyncIterable<IndexRow[]>, onRows?: (rows: number) => void): Promise<EntryIndex> {
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
      buckets = groupByDomain(unsorted.domains, names.length);
    const ranked = sortedByBytes(names),
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
      if (rows.length > 1000) await yieldToOthers();
    }
    const columns = Object.fromEntries(
      Object.entries(unsorted).map(([name, column]: [string, TextColumn | NumberColumn]) => [
        name,
        column.reorder(order),
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
    const rows = await this.findMatches(from, to, pathLike);
    return { items: Array.from(rows.subarray(offset, offset + limit), (row) => this.at(row)), total: rows.length };
  }

  find(fileId: string): Entry | null {
    const { byId, columns } = this,
      key = keyOf(fileId);
    for (
      let i = firstWhere(byId.length, (position) => (byId[position] ?? 0) >= key * MAX_ROWS);
      i < byId.length && (byId[i] ?? 0) < (key + 1) * MAX_ROWS;
      i += 1
    ) {
      const row = (byId[i] ?? 0) % MAX_ROWS;
      if (columns.fileIds.at(row) === fileId) return this.at(row);
    }
    return null;
  }

  findPath(domain: string, relativePath: string): Entry | null {
    const [from, to] = this.range(domain),
      path = new TextEncoder().encode(relativePath);
    const row = from + firstWhere(to - from, (position) => this.columns.paths.compareTo(from + position, path) >= 0);
    return row < to && this.columns.paths.compareTo(row, path) === 0 ? this.at(row) : null;
  }

  /** Yields all entries, those with the same first digits of the id together. */
  *byFolder(): Generator<Entry> {
    for (const key of this.byId) yield this.at(key % MAX_ROWS);
  }

  domains(): DomainCount[] {
    this.domainCounts ??= this.domainNames.map((domain, rank) => this.countOf(domain, rank));
    return this.domainCounts;
  }

  /** Overwrites ids and paths in memory. */
  wipe(): void {
    this.columns.paths.wipe();
    this.columns.fileIds.wipe();
    this.matchesByQuery.clear();
    this.domainNames.length = 0;
    this.domainCounts = null;
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

  /** The rows of a domain, or of all. */
  private range(domain: string | undefined): [from: number, to: number] {
    if (domain === undefined) return [0, this.count];
    const rank = this.domainNames.indexOf(domain);
    return rank < 0 ? [0, 0] : [this.domainStarts[rank] ?? 0, this.domainStarts[rank + 1] ?? 0];
  }

  private findMatches(from: number, to: number, pathLike: string): Promise<Uint32Array> {
    const key = `${from} ${to} ${pathLike}`,
      matches = this.matchesByQuery.get(key) ?? this.select(from, to, pathLike);
    this.matchesByQuery.delete(key);
    this.matchesByQuery.set(key, matches);
    const oldest = this.matchesByQuery.size > MAX_CACHED_QUERIES ? this.matchesByQuery.keys().next().value : undefined;
    if (oldest !== undefined) this.matchesByQuery.delete(oldest);
    return matches;
  }

  private async select(from: number, to: number, pathLike: string): Promise<Uint32Array> {
    const { matches, mayMatchEnd } = createLikeMatcher(pathLike),
      { paths } = this.columns,
      { bytes } = paths,
      out = new Uint32Array(to - from);
    let matchCount = 0;
    for (let slice = from; slice < to; slice += SLICE_ROWS) {
      if (slice > from) await yieldToOthers();
      paths.forEachRow(slice, Math.min(to, slice + SLICE_ROWS), (row, start, end) => {
        if (mayMatchEnd(bytes, start, end) && matches(bytes, start, end)) out[matchCount++] = row;
      });
    }
    return out.slice(0, matchCount);
  }

  private at(row: number): Entry {
    const { fileIds, paths, flags, sizes, times, classes, encrypted } = this.columns;
    const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);
    return {
      fileId: fileIds.at(row),
      domain: this.domainNames[this.rankOf(row)] ?? '',
      relativePath: paths.at(row),
      flags: flags.at(row),
      kind: kindOf(flags.at(row)),
      size: orNull(sizes.at(row)),
      modifiedAt: orNull(times.at(row)),
      protectionClass: orNull(classes.at(row)),
      encrypted: encrypted.at(row) === 1,
    };
  }

  private rankOf(row: number): number {
    return firstWhere(this.domainNames.length, (rank) => (this.domainStarts[rank + 1] ?? 0) > row);
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

/** Groups rows by the number of their domain. */
function groupByDomain(domains: NumberColumn, count: number): Uint32Array[] {
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

/** Returns the indexes of texts, sorted by their UTF-8 bytes. */
function sortedByBytes(texts: readonly string[]): number[] {
  const column = new TextColumn();
  for (const text of texts) column.push(text);
  return [...texts.keys()].sort((a, b) => column.compare(a, b));
}

/** Returns 24 bits of an id: its first six digits, or a hash of an id that is not hexadecimal (hostile manifests). */
function keyOf(fileId: string): number {
  if (isSafeFileId(fileId)) return Number.parseInt(fileId.slice(0, 6), 16);
  let hash = 0;
  for (let i = 0; i < fileId.length; i += 1) hash = (Math.imul(hash, 31) + fileId.charCodeAt(i)) & 0xffffff;
  return hash;
}

/** Binary search: returns the first position for which a monotonic test is true; `length` if there is none. */
function firstWhere(length: number, test: (position: number) => boolean): number {
  let low = 0,
    high = length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
