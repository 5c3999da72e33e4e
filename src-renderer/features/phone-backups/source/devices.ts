import type { BackupSummary } from '../../../../src-shared/contract/phone-backups/service.ts';
import type { Found } from '../worker/ios-backup/protocol.ts';
import type { Device } from './source.ts';

/** A backup that the service knows. */
export function deviceOfSummary(backup: BackupSummary): Device {
  return {
    id: backup.id,
    name: backup.device_name ?? backup.display_name,
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

/** A backup in a folder that was chosen. */
export function deviceOfFound(found: Found): Device {
  return {
    id: found.id,
    name: found.deviceName,
    model: found.productName ?? found.productType,
    system: found.productVersion,
    backedUpAt: found.lastBackupAt,
    bytes: null,
    isEncrypted: found.isEncrypted,
    isFull: found.isFullBackup,
    serial: found.serialNumber,
    phone: found.phoneNumber,
    problems: found.failure === null ? found.problems : [found.failure],
  };
}
