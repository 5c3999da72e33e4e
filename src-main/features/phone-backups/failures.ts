import type { PlainErrorCode } from '../../../src-shared/contract/errors.ts';
import { BackupError, type BackupErrorCode } from '../../../src-shared/ios-backup/index.ts';
import { Failure, fail } from '../../platform/kernel/errors.ts';

/** API error codes for the errors of the engine. */
const CODES: Record<BackupErrorCode, PlainErrorCode> = {
  not_a_backup: 'phone.not_found',
  wrong_password: 'phone.incorrect_password',
  locked: 'phone.session_invalid',
  unknown_entry: 'phone.file_not_found',
  not_a_file: 'phone.not_a_file',
  missing_blob: 'phone.file_missing',
  gone: 'phone.folder_missing',
  needs_device: 'phone.needs_device',
  damaged_key: 'phone.file_damaged',
  damaged_file: 'phone.file_damaged',
  damaged_record: 'phone.record_damaged',
  cut_file: 'phone.file_cut',
  damaged_plist: 'phone.backup_unreadable',
  damaged_keybag: 'phone.keys_damaged',
  damaged_manifest: 'phone.backup_unreadable',
};

/** Translates errors of the engine to failures; returns any other error unchanged. */
export function asFailure(error: unknown): unknown {
  if (error instanceof Failure) return error;
  if (error instanceof BackupError) return fail(CODES[error.code], undefined, error);
  // The folder was removed, or a disk was disconnected.
  if (['ENOENT', 'EIO', 'ENODEV', 'ESTALE'].includes((error as NodeJS.ErrnoException | null)?.code ?? ''))
    return fail('phone.file_missing', undefined, error);
  return error;
}
