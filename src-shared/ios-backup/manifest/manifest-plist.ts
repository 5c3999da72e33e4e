import { BackupError } from '../errors.ts';
import { readPlistDictionary } from '../format/plist.ts';
import { emptyDictionary, isDictionary, type PlistDictionary, type PlistValue } from '../format/plist-value.ts';
import type { BackupFiles } from '../ports.ts';

/** Problems of a backup; the rest of it is readable. */
export type BackupProblem =
  | 'no_info_plist'
  | 'no_status_plist'
  | 'no_manifest_plist'
  | 'damaged_info_plist'
  | 'damaged_status_plist'
  | 'damaged_manifest_plist'
  /** The device had not finished: files may be missing. */
  | 'not_finished'
  /** Encrypted, but the keybag is missing: no passphrase can unlock it. */
  | 'no_keybag';

/** The content of a backup's plain property lists. Missing texts are null. */
export interface BackupDescription {
  encrypted: boolean;
  deviceName: string | null;
  /** As the person named it in Finder or iTunes. */
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
  /** Class (u32 little-endian) and wrapped key of Manifest.db. */
  manifestKey: Uint8Array | null;
}

/** A plist of these that is larger is not read: Info.plist holds icons of all apps, and stays far below. */
const MOST_BYTES = 128 * 1024 * 1024;

export async function describe(files: BackupFiles): Promise<BackupDescription> {
  const problems: BackupProblem[] = [];
  const info = await plistOf(files, 'Info.plist', 'info', problems),
    status = await plistOf(files, 'Status.plist', 'status', problems);
  const manifest = await plistOf(files, 'Manifest.plist', 'manifest', problems);
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
    lastBackupAt: moment(info['Last Backup Date']) ?? moment(status.Date) ?? moment(manifest.Date),
    isFullBackup: typeof status.IsFullBackup === 'boolean' ? status.IsFullBackup : null,
    installedApps: appsOf(info['Installed Applications'], manifest.Applications),
    problems,
    keybag: bytes(manifest.BackupKeyBag),
    manifestKey: bytes(manifest.ManifestKey),
  };
}

async function plistOf(
  files: BackupFiles,
  name: string,
  word: 'info' | 'status' | 'manifest',
  problems: BackupProblem[],
): Promise<PlistDictionary> {
  const size = await files.size(name);
  if (size === null) {
    problems.push(`no_${word}_plist`);
    return emptyDictionary();
  }
  try {
    if (size > MOST_BYTES) throw new BackupError('damaged_plist', { reason: 'larger than 128 MB' });
    return readPlistDictionary(await files.readRange(name, 0, size));
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    problems.push(`damaged_${word}_plist`);
    return emptyDictionary();
  }
}

const text = (value: PlistValue | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null;
const moment = (value: PlistValue | undefined): Date | null => (value instanceof Date ? value : null);
const bytes = (value: PlistValue | undefined): Uint8Array | null =>
  value instanceof Uint8Array && value.length > 0 ? value : null;

function appsOf(installed: PlistValue | undefined, applications: PlistValue | undefined): string[] {
  const named = Array.isArray(installed) ? installed.filter((id) => typeof id === 'string') : [];
  return [...new Set([...named, ...(isDictionary(applications) ? Object.keys(applications) : [])])].sort();
}
