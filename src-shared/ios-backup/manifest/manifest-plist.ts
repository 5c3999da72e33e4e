import { BackupError } from '../errors.ts';
import { readPlistDictionary } from '../format/plist.ts';
import { emptyDictionary, isDictionary, type PlistDictionary, type PlistValue } from '../format/plist-value.ts';
import type { BackupFiles } from '../ports.ts';

/** Problems of a backup that is otherwise readable. */
export type BackupProblem =
  | 'no_info_plist'
  | 'no_status_plist'
  | 'no_manifest_plist'
  | 'damaged_info_plist'
  | 'damaged_status_plist'
  | 'damaged_manifest_plist'
  /** The device did not finish the backup: files may be missing. */
  | 'not_finished'
  /** Encrypted, but the keybag is missing: no password can unlock it. */
  | 'no_keybag';

/** The content of a backup's unencrypted property lists. Missing texts are null. */
export interface BackupDescription {
  encrypted: boolean;
  deviceName: string | null;
  /** The name in Finder or iTunes. */
  displayName: string | null;
  productVersion: string | null;
  /** `iPhone15,4` */
  productType: string | null;
  /** `iPhone 15` */
  productName: string | null;
  serialNumber: string | null;
  phoneNumber: string | null;
  imei: string | null;
  lastBackupAt: Date | null;
  isFullBackup: boolean | null;
  /** Bundle ids. */
  installedApps: string[];
  problems: BackupProblem[];
  keybag: Uint8Array | null;
  /** The class (u32 little-endian) and the wrapped key of Manifest.db. */
  manifestKey: Uint8Array | null;
}

/** Larger property lists are not read; Info.plist, with the icons of all apps, is far smaller. */
const MAX_BYTES = 128 * 1024 * 1024;

/** Reads Info.plist, Status.plist and Manifest.plist; `problems` lists those that are missing or damaged. */
export async function readDescription(files: BackupFiles): Promise<BackupDescription> {
  const problems: BackupProblem[] = [];
  const info = await readPlistFile(files, 'Info.plist', 'info', problems),
    status = await readPlistFile(files, 'Status.plist', 'status', problems);
  const manifest = await readPlistFile(files, 'Manifest.plist', 'manifest', problems);
  const lockdown = isDictionary(manifest.Lockdown) ? manifest.Lockdown : emptyDictionary();
  if (typeof status.SnapshotState === 'string' && status.SnapshotState !== 'finished') problems.push('not_finished');
  return {
    encrypted: manifest.IsEncrypted === true || manifest.IsEncrypted === 1,
    deviceName: text(info['Device Name']) ?? text(lockdown.DeviceName),
    displayName: text(info['Display Name']),
    productVersion: text(info['Product Version']) ?? text(lockdown.ProductVersion),
    productType: text(info['Product Type']) ?? text(lockdown.ProductType),
    productName: text(info['Product Name']),
    serialNumber: text(info['Serial Number']) ?? text(lockdown.SerialNumber),
    phoneNumber: text(info['Phone Number']),
    imei: text(info.IMEI),
    lastBackupAt: dateOf(info['Last Backup Date']) ?? dateOf(status.Date) ?? dateOf(manifest.Date),
    isFullBackup: typeof status.IsFullBackup === 'boolean' ? status.IsFullBackup : null,
    installedApps: appsOf(info['Installed Applications'], manifest.Applications),
    problems,
    keybag: bytes(manifest.BackupKeyBag),
    manifestKey: bytes(manifest.ManifestKey),
  };
}

async function readPlistFile(
  files: BackupFiles,
  name: string,
  kind: 'info' | 'status' | 'manifest',
  problems: BackupProblem[],
): Promise<PlistDictionary> {
  const size = await files.size(name);
  if (size === null) {
    problems.push(`no_${kind}_plist`);
    return emptyDictionary();
  }
  try {
    if (size > MAX_BYTES) throw new BackupError('damaged_plist', { reason: 'larger than 128 MB' });
    return readPlistDictionary(await files.readRange(name, 0, size));
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    problems.push(`damaged_${kind}_plist`);
    return emptyDictionary();
  }
}

/** Texts and lists are cut: they are kept for each backup, and shown. */
const MAX_TEXT_LENGTH = 1000;
const MAX_APPS = 10_000;

const text = (value: PlistValue | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, MAX_TEXT_LENGTH) : null;
const dateOf = (value: PlistValue | undefined): Date | null => (value instanceof Date ? value : null);
const bytes = (value: PlistValue | undefined): Uint8Array | null =>
  value instanceof Uint8Array && value.length > 0 ? value : null;

function appsOf(installed: PlistValue | undefined, applications: PlistValue | undefined): string[] {
  const named = Array.isArray(installed) ? installed.filter((id) => typeof id === 'string') : [];
  const all = new Set([...named, ...(isDictionary(applications) ? Object.keys(applications) : [])]);
  return [...all]
    .filter((id) => id.length <= MAX_TEXT_LENGTH)
    .slice(0, MAX_APPS)
    .sort();
}
