import { BLOCK_BYTES } from './format/cbc-source.ts';
import { isSafeFileId, type Entry } from './manifest/entry.ts';
import type { EntryIndex } from './manifest/entry-index.ts';
import type { BackupFiles } from './ports.ts';
import { hasEncryptedSize, hasPlainSize, type Storage } from './stored-form.ts';

export type IntegrityFault =
  /** The file is in the manifest, but not in the backup. */
  | 'missing'
  /** Longer or shorter than in the manifest by more than its padding; such a file is read to its actual end. */
  | 'wrong_size'
  /** The file ends inside a cipher block, so its end is lost. */
  | 'cut'
  /** The id does not have the form of a file id, so it is never opened. */
  | 'unsafe_id'
  /** Readable only on the device itself. */
  | 'needs_device'
  /** The key of the file is damaged, or the keybag lacks its class. */
  | 'damaged_key';

export interface IntegrityFinding {
  fault: IntegrityFault;
  fileId: string;
  domain: string;
  relativePath: string;
  /** Size in the manifest; null if it has none. */
  expected: number | null;
  /** Size of the file in the backup; null if it is missing. */
  actual: number | null;
}

export interface IntegrityReport {
  /** Number of checked entries with bytes. */
  files: number;
  /** Total size of their files in the backup. */
  bytes: number;
  counts: Record<IntegrityFault, number>;
  /** The first `MAX_FINDINGS` faults, by file id. */
  findings: IntegrityFinding[];
  /** Number of files in the backup that the manifest does not list. */
  unlisted: number;
}

const MAX_FINDINGS = 20_000;

/** Unwraps the key of a file and returns the fault; null if it unwraps. */
export type KeyCheck = (fileId: string) => Promise<'needs_device' | 'damaged_key' | null>;

/**
 * Compares the manifest with the files in the backup by name and size, without opening any. `onFiles` is called before
 * each folder with the number of checked files; if it throws, the check ends.
 */
export async function checkIntegrity(
  index: EntryIndex,
  storage: Storage,
  files: BackupFiles,
  tryKey: KeyCheck,
  onFiles: (files: number) => void,
): Promise<IntegrityReport> {
  const report: IntegrityReport = {
    files: 0,
    bytes: 0,
    counts: { missing: 0, wrong_size: 0, cut: 0, unsafe_id: 0, needs_device: 0, damaged_key: 0 },
    findings: [],
    unlisted: 0,
  };
  const keyFault = createKeyCheck(tryKey);
  const blobs = await createBlobLookup(files);
  for (const entry of index.byFolder()) {
    const isSafe = isSafeFileId(entry.fileId);
    if (isSafe && blobs.isOutside(entry.fileId)) {
      await blobs.enterFolder(entry.fileId.slice(0, 2));
      onFiles(report.files);
    }
    const actual = isSafe ? blobs.take(entry.fileId) : null;
    if (entry.kind !== 'file') continue;
    report.files += 1;
    report.bytes += actual ?? 0;
    const isEncrypted = entry.encrypted && actual !== null && !hasPlainSize(entry.size, actual, storage);
    const fault = isSafe
      ? (sizeFault(entry, actual, isEncrypted) ?? (isEncrypted ? await keyFault(entry) : null))
      : 'unsafe_id';
    if (fault !== null) addFinding(report, entry, fault, actual);
  }
  onFiles(report.files);
  report.unlisted = await blobs.countRemaining();
  return report;
}

function addFinding(report: IntegrityReport, entry: Entry, fault: IntegrityFault, actual: number | null): void {
  report.counts[fault] += 1;
  if (report.findings.length >= MAX_FINDINGS) return;
  const { fileId, domain, relativePath, size: expected } = entry;
  report.findings.push({ fault, fileId, domain, relativePath, expected, actual });
}

/** Unwraps keys until one of a protection class works or needs the device; the result then applies to the class. */
function createKeyCheck(tryKey: KeyCheck): (entry: Entry) => ReturnType<KeyCheck> {
  const byClass = new Map<number | null, 'needs_device' | null>();
  return async ({ fileId, protectionClass }) => {
    const cached = byClass.get(protectionClass);
    if (cached !== undefined) return cached;
    const fault = await tryKey(fileId);
    if (fault !== 'damaged_key') byClass.set(protectionClass, fault);
    return fault;
  };
}

/** The files of a backup by id, one folder at a time, and those in its root (before iOS 10). */
async function createBlobLookup(files: BackupFiles) {
  const inRoot = await blobsIn(files, '');
  const folders = new Set(
    (await files.list(''))
      .filter(({ kind, name }) => kind === 'folder' && /^[0-9a-f]{2}$/.test(name))
      .map(({ name }) => name),
  );
  let folder = '';
  let inFolder = new Map<string, number>();
  let unlisted = 0;
  return {
    isOutside: (fileId: string): boolean => !fileId.startsWith(folder) || folder === '',
    async enterFolder(next: string): Promise<void> {
      unlisted += inFolder.size;
      inFolder = folders.delete(next) ? await blobsIn(files, next) : new Map();
      folder = next;
    },
    /** Removes a file and returns its size; null if it is missing. */
    take(fileId: string): number | null {
      const size = inFolder.get(fileId) ?? inRoot.get(fileId) ?? null;
      if (!inFolder.delete(fileId)) inRoot.delete(fileId);
      return size;
    },
    /** Counts the files that were not taken. */
    async countRemaining(): Promise<number> {
      let count = unlisted + inFolder.size + inRoot.size;
      for (const name of folders) count += (await blobsIn(files, name)).size;
      return count;
    },
  };
}

/** Reads the sizes of the files in a folder whose names look like blobs. */
async function blobsIn(files: BackupFiles, folder: string): Promise<Map<string, number>> {
  const blobs = (await files.list(folder)).filter(
    ({ kind, name }) => kind === 'file' && isSafeFileId(name) && name.startsWith(folder),
  );
  return new Map(blobs.map(({ name, size }) => [name, size]));
}

function sizeFault({ size }: Entry, actual: number | null, isEncrypted: boolean): IntegrityFault | null {
  if (actual === null) return 'missing';
  if (!isEncrypted) return size === null || size === actual ? null : 'wrong_size';
  if (actual % BLOCK_BYTES !== 0) return 'cut';
  // A file without padding has the same size as its blob.
  return size === actual || hasEncryptedSize(size, actual) ? null : 'wrong_size';
}
