import { BackupError } from '../errors.ts';
import type { BackupCrypto } from '../ports.ts';
import { EntryIndex, type IndexRow } from './entry-index.ts';
import { NO_RECORD, type FileRecord } from './file-record.ts';
import type { Manifest } from './manifest.ts';

/** `mbdb`, version 5.0: iOS 4 to 9. */
const MAGIC = [0x6d, 0x62, 0x64, 0x62, 0x05, 0x00];
/** The length of a string that is null. */
const NULL_LENGTH = 0xffff;
/** By the high four bits of the mode. */
const FLAGS_BY_TYPE: Readonly<Record<number, number>> = { 0x8: 1, 0x4: 2, 0xa: 4 };
const BATCH_RECORDS = 1000;

const broken = (reason: string): BackupError => new BackupError('damaged_manifest', { reason });

/**
 * Reads Manifest.mbdb: big-endian records of domain, path, link target, digest, key, mode, inode, owners, times,
 * length, class and properties; strings have a 16-bit length, 0xffff for null. File ids are computed, not stored.
 * Throws `damaged_manifest`.
 */
export async function openManifestMbdb(
  bytes: Uint8Array,
  crypto: BackupCrypto,
  onRows?: (rows: number) => void,
): Promise<Manifest> {
  if (!MAGIC.every((byte, i) => bytes[i] === byte)) throw broken('not a manifest of iOS 4 to 9');
  const records = new Map<string, FileRecord>();
  const index = await EntryIndex.create(rowsOf(bytes, crypto, records), onRows);
  return {
    index,
    record: (fileId) => Promise.resolve(records.get(fileId) ?? NO_RECORD),
    close() {
      index.wipe();
      records.clear();
      return Promise.resolve();
    },
  };
}

/** Computes a file id, which is the name of the entry's file: `SHA-1(domain + '-' + relativePath)` in hexadecimal. */
async function fileIdOf(domain: string, relativePath: string, crypto: BackupCrypto): Promise<string> {
  const digest = await crypto.sha1(new TextEncoder().encode(`${domain}-${relativePath}`));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function* rowsOf(
  bytes: Uint8Array,
  crypto: BackupCrypto,
  records: Map<string, FileRecord>,
): AsyncGenerator<IndexRow[]> {
  const reader = new Reader(bytes, MAGIC.length);
  while (!reader.isAtEnd) {
    const rows: IndexRow[] = [];
    while (!reader.isAtEnd && rows.length < BATCH_RECORDS) {
      const { domain, relativePath, flags, record } = reader.record();
      const fileId = await fileIdOf(domain, relativePath, crypto);
      records.set(fileId, record);
      rows.push({
        fileId,
        domain,
        relativePath,
        flags,
        size: record.size,
        modifiedAt: record.modifiedAt,
        protectionClass: record.protectionClass,
        encrypted: record.encryptionKey !== null,
      });
    }
    yield rows;
  }
}

class Reader {
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  private at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  record(): { domain: string; relativePath: string; flags: number; record: FileRecord } {
    const domain = this.text() ?? '',
      relativePath = this.text() ?? '',
      target = this.text(),
      digest = this.data(),
      encryptionKey = this.data();
    const mode = this.number(2);
    this.skip(8 + 4 + 4);
    const modifiedAt = this.number(4);
    this.skip(4);
    const createdAt = this.number(4),
      size = this.number(8),
      protectionClass = this.number(1);
    for (let properties = this.number(1); properties > 0; properties -= 1) {
      this.data();
      this.data();
    }
    return {
      domain,
      relativePath,
      flags: FLAGS_BY_TYPE[mode >> 12] ?? 0,
      record: { size, mode, modifiedAt, createdAt, protectionClass, target, encryptionKey, digest },
    };
  }

  private text(): string | null {
    const data = this.data();
    return data === null ? null : new TextDecoder().decode(data);
  }

  private data(): Uint8Array | null {
    const size = this.number(2);
    if (size === NULL_LENGTH) return null;
    this.skip(size);
    return this.bytes.slice(this.at - size, this.at);
  }

  private number(size: 1 | 2 | 4 | 8): number {
    const start = this.at;
    this.skip(size);
    if (size === 8) return Number(this.view.getBigUint64(start));
    if (size === 4) return this.view.getUint32(start);
    return size === 2 ? this.view.getUint16(start) : this.view.getUint8(start);
  }

  private skip(size: number): void {
    this.at += size;
    if (this.at > this.bytes.length) throw broken('Manifest.mbdb ends inside a record');
  }
}
