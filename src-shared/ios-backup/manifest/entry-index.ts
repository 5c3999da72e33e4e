import { kindOf, type Entry } from './entry.ts';
import { NumberColumn, TextColumn } from './growing.ts';
import { like } from './like.ts';

export interface EntryQuery {
  /** Exact domain. */
  domain?: string;
  /** SQL LIKE on the relative path, ASCII letters of either case. */
  pathLike?: string;
  /** At least 0; 100 unless told. */
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

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** All entries of a manifest in memory, in the order domain, relative path, file id: about 150 bytes an entry. */
export class EntryIndex {
  private readonly fileIds = new TextColumn();
  private readonly paths = new TextColumn();
  private readonly domainOf = new NumberColumn();
  private readonly flags = new NumberColumn();
  private readonly sizes = new NumberColumn();
  private readonly times = new NumberColumn();
  private readonly classes = new NumberColumn();
  private readonly domainNumbers = new Map<string, number>();
  private readonly domainNames: string[] = [];
  private order = new Uint32Array();
  private byId = new Uint32Array();
  private readonly answers = new Map<string, Promise<Uint32Array>>();

  /** Reads all batches, then sorts. The index is usable once this has resolved. */
  static async of(batches: AsyncIterable<IndexRow[]>, onRows?: (rows: number) => void): Promise<EntryIndex> {
    const index = new EntryIndex();
    for await (const rows of batches) {
      for (const row of rows) index.add(row);
      onRows?.(index.count);
    }
    await index.sort();
    return index;
  }

  get count(): number {
    return this.flags.length;
  }

  async page({ limit = 100, offset = 0, ...filter }: EntryQuery): Promise<EntryPage> {
    const rows = await this.matching(filter);
    return { items: Array.from(rows.subarray(offset, offset + limit), (row) => this.entry(row)), total: rows.length };
  }

  find(fileId: string): Entry | null {
    let low = 0, high = this.byId.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.fileIds.at(this.byId[middle] ?? 0) < fileId) low = middle + 1;
      else high = middle;
    }
    const row = this.byId[low];
    return row !== undefined && this.fileIds.at(row) === fileId ? this.entry(row) : null;
  }

  /** All entries in order, without building them at once. */
  *entries(): Generator<Entry> {
    for (const row of this.order) yield this.entry(row);
  }

  domains(): DomainCount[] {
    const counts = this.domainNames.map((domain) => ({ domain, files: 0, bytes: 0 }));
    for (let row = 0; row < this.count; row += 1) {
      const count = counts[this.domainOf.at(row)];
      if (count === undefined || kindOf(this.flags.at(row)) !== 'file') continue;
      count.files += 1;
      count.bytes += this.sizes.at(row) || 0;
    }
    const rank = this.domainRanks();
    return counts.sort((a, b) => (rank[this.domainNumbers.get(a.domain) ?? 0] ?? 0) - (rank[this.domainNumbers.get(b.domain) ?? 0] ?? 0));
  }

  wipe(): void {
    this.paths.wipe();
    this.fileIds.wipe();
    this.answers.clear();
    this.domainNames.length = 0;
    this.domainNumbers.clear();
    this.order = new Uint32Array();
    this.byId = new Uint32Array();
  }

  private add({ fileId, domain, relativePath, flags, size, modifiedAt, protectionClass }: IndexRow): void {
    let number = this.domainNumbers.get(domain);
    if (number === undefined) {
      number = this.domainNames.push(domain) - 1;
      this.domainNumbers.set(domain, number);
    }
    this.fileIds.push(fileId);
    this.paths.push(relativePath);
    this.domainOf.push(number);
    this.flags.push(flags);
    this.sizes.push(size ?? NaN);
    this.times.push(modifiedAt ?? NaN);
    this.classes.push(protectionClass ?? NaN);
  }

  private async sort(): Promise<void> {
    const rank = this.domainRanks();
    this.order = Uint32Array.from({ length: this.count }, (_, row) => row)
      .sort((a, b) => (rank[this.domainOf.at(a)] ?? 0) - (rank[this.domainOf.at(b)] ?? 0) || this.paths.compare(a, b) || this.fileIds.compare(a, b));
    await pause();
    this.byId = this.order.slice().sort((a, b) => this.fileIds.compare(a, b));
  }

  /** Rank of each domain by its UTF-8 bytes. */
  private domainRanks(): Uint32Array {
    const names = new TextColumn();
    for (const name of this.domainNames) names.push(name);
    const rank = new Uint32Array(this.domainNames.length);
    [...this.domainNames.keys()].sort((a, b) => names.compare(a, b)).forEach((number, position) => { rank[number] = position; });
    return rank;
  }

  private async matching({ domain, pathLike }: { domain?: string; pathLike?: string }): Promise<Uint32Array> {
    if (domain === undefined && pathLike === undefined) return this.order;
    const key = JSON.stringify([domain, pathLike]);
    const answer = this.answers.get(key) ?? this.select(domain, pathLike);
    this.answers.delete(key);
    this.answers.set(key, answer);
    const oldest = this.answers.size > KEPT_ANSWERS ? this.answers.keys().next().value : undefined;
    if (oldest !== undefined) this.answers.delete(oldest);
    return answer;
  }

  private async select(domain: string | undefined, pathLike: string | undefined): Promise<Uint32Array> {
    const wanted = domain === undefined ? undefined : this.domainNumbers.get(domain) ?? -1;
    const fits = pathLike === undefined ? () => true : like(pathLike);
    const { order, paths } = this, out = new Uint32Array(order.length);
    let found = 0;
    for (let i = 0; i < order.length; i += 1) {
      const row = order[i] ?? 0;
      if ((wanted === undefined || this.domainOf.at(row) === wanted) && fits(paths.bytes, paths.startOf(row), paths.endOf(row))) out[found++] = row;
      if (i % SLICE === SLICE - 1) await pause();
    }
    return out.slice(0, found);
  }

  private entry(row: number): Entry {
    const flags = this.flags.at(row), known = (value: number): number | null => (Number.isNaN(value) ? null : value);
    return {
      fileId: this.fileIds.at(row), domain: this.domainNames[this.domainOf.at(row)] ?? '', relativePath: this.paths.at(row), flags, kind: kindOf(flags),
      size: known(this.sizes.at(row)), modifiedAt: known(this.times.at(row)), protectionClass: known(this.classes.at(row)),
    };
  }
}
