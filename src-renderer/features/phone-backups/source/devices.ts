import type { BackupSummary } from '../../../../src-shared/contract/phone-backups/service.ts';
import type { DiscoveredBackup } from '../worker/ios-backup/protocol.ts';
import type { Device } from './source.ts';

/** Describes a backup that the service knows. */
export function deviceOfSummary(backup: BackupSummary): Device {
  return {
    id: backup.id,
    name: nameOf(backup),
    model: backup.product_name ?? backup.product_type,
    system: backup.product_version,
    backedUpAt: backup.last_backup_at ?? backup.last_modified_at,
    bytes: backup.size_bytes,
    isEncrypted: backup.is_encrypted,
    isFull: backup.is_full_backup,
    serial: backup.serial_number,
    phone: backup.phone_number,
    problems: backup.status === 'MISSING' ? ['missing', ...backup.problems] : backup.problems,
  };
}

/** The name of the device; of a copy in a subfolder, with that folder. */
const nameOf = ({ id, ios_identifier: folder, device_name: device, display_name: display }: BackupSummary): string =>
  `${device ?? display}${id.startsWith(folder) ? id.slice(folder.length) : ''}`;

/** Describes a backup that this page found itself. */
export function deviceOfDiscovered(backup: DiscoveredBackup): Device {
  return {
    id: backup.id,
    name: backup.deviceName,
    model: backup.productName ?? backup.productType,
    system: backup.productVersion,
    backedUpAt: backup.lastBackupAt,
    bytes: null,
    isEncrypted: backup.isEncrypted,
    isFull: backup.isFullBackup,
    serial: backup.serialNumber,
    phone: backup.phoneNumber,
    problems: backup.failure === null ? backup.problems : [backup.failure],
  };
}
