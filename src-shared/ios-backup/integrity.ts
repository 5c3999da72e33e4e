import { fitsBlob } from './content.ts';
import { BLOCK } from './format/cbc-source.ts';
import { isSafeFileId, type Entry } from './manifest/entry.ts';
import type { EntryIndex } from './manifest/entry-index.ts';
import type { BackupFiles } from './ports.ts';

export type IntegrityFault =
  /** In the manifest, not in the backup. */
  | 'missing'
  /** Longer or shorter than the manifest says, its padding allowed for; such files are read to their own end. */
  | 'wrong_size'
  /** Not whole cipher blocks: the end of the file is lost. */
  | 'cut'
  /** The id is not one that a phone makes; nothing is opened by it. */
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
  /** Bytes by the manifest; null when it does not say. */
  expected: number | null;
  /** Bytes of the file in the backup; null when it is missing. */
  actual: number | null;
}

export interface IntegrityReport {
  /** Entries with bytes that were looked at. */
  files: number;
  /** Bytes of theirs that are in the backup. */
  bytes: number;
  counts: Record<IntegrityFault, number>;
  /** The first faults (`MOST_FINDINGS`), by file id. */
  findings: IntegrityFinding[];
  /** Files in the backup that no entry names. */
  unlisted: number;
}

const MOST_FINDINGS = 20_000;

/** How a file's key unwraps: null when it does. */
export type KeyCheck = (fileId: string) => Promise<'needs_device' | 'damaged_key' | null>;

/**
 * Compares the manifest with the files that are there, by name and size; no file is opened. Keys are tried until one of a class
 * unwraps or asks for the device; the class is then known.
 * @param onFiles told before each folder; when it throws, the check ends
 */
export async function checkIntegrity(
  index: EntryIndex,
  files: BackupFiles,
  tryKey: KeyCheck,
  onFiles: (files: number) => void,
): Promise<IntegrityReport> {
  const classes = new Map<number | null, 'needs_device' | null>();
  const keyFault = async ({ fileId, protectionClass }: Entry): ReturnType<KeyCheck> => {
    const known = classes.get(protectionClass);
    if (known !== undefined) return known;
    const fault = await tryKey(fileId);
    if (fault !== 'damaged_key') classes.set(protectionClass, fault);
    return fault;
  };
  const report: IntegrityReport = {
    files: 0,
    bytes: 0,
    counts: { missing: 0, wrong_size: 0, cut: 0, unsafe_id: 0, needs_device: 0, damaged_key: 0 },
    findings: [],
    unlisted: 0,
  };
  const flat = await blobsIn(files, ''),
    folders = new Set(
      (await files.list(''))
        .filter(({ kind, name }) => kind === 'folder' && /^[0-9a-f]{2}$/.test(name))
        .map(({ name }) => name),
    );
  let folder = '',
    blobs = new Map<string, number>();
  const enter = async (next: string): Promise<void> => {
    report.unlisted += blobs.size;
    blobs = folders.delete(next) ? await blobsIn(files, next) : new Map();
    folder = next;
    onFiles(report.files);
  };
  for (const entry of index.byFolder()) {
    const safe = isSafeFileId(entry.fileId),
      prefix = entry.fileId.slice(0, 2);
    if (safe && prefix !== folder) await enter(prefix);
    const actual = safe ? (blobs.get(entry.fileId) ?? flat.get(entry.fileId) ?? null) : null;
    if (!blobs.delete(entry.fileId)) flat.delete(entry.fileId);
    if (entry.kind !== 'file') continue;
    report.files += 1;
    report.bytes += actual ?? 0;
    const fault = safe ? (sizeFault(entry, actual) ?? (entry.encrypted ? await keyFault(entry) : null)) : 'unsafe_id';
    if (fault === null) continue;
    report.counts[fault] += 1;
    if (report.findings.length < MOST_FINDINGS)
      report.findings.push({
        fault,
        fileId: entry.fileId,
        domain: entry.domain,
        relativePath: entry.relativePath,
        expected: entry.size,
        actual,
      });
  }
  await enter('');
  for (const left of folders) report.unlisted += (await blobsIn(files, left)).size;
  report.unlisted += flat.size;
  return report;
}

/** Reads the sizes of the files in a folder whose names look like blobs. */
async function blobsIn(files: BackupFiles, folder: string): Promise<Map<string, number>> {
  const blobs = (await files.list(folder)).filter(
    ({ kind, name }) => kind === 'file' && isSafeFileId(name) && name.startsWith(folder),
  );
  return new Map(blobs.map(({ name, size }) => [name, size]));
}

function sizeFault({ encrypted, size }: Entry, actual: number | null): IntegrityFault | null {
  if (actual === null) return 'missing';
  if (!encrypted) return size === null || size === actual ? null : 'wrong_size';
  if (actual % BLOCK !== 0) return 'cut';
  return size === null || fitsBlob(size, actual) ? null : 'wrong_size';
}
