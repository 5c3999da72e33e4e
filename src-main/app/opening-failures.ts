import type { ErrorCode, PlainErrorCode } from '../../src-shared/contract/errors.ts';
import { VaultAbsent } from '../platform/config/vault-list.ts';
import { Failure, translateFsError } from '../platform/kernel/errors.ts';
import { NewerKeyFile } from '../platform/sealed/key-file.ts';
import { VaultInUse } from '../platform/vault/lock.ts';
import { VaultBusy } from '../platform/vault/reading-copy.ts';
import { KeyFileDamaged } from '../platform/vault/unlock-vault.ts';

/** Why another vault could not be opened, or this one not be moved. */
export function codeOfSwitch(error: unknown, isMove: boolean): ErrorCode {
  if (error instanceof Failure) return error.code;
  if (error instanceof VaultInUse || error instanceof VaultBusy) return 'vault.busy_elsewhere';
  if (error instanceof KeyFileDamaged || error instanceof NewerKeyFile) return error.code;
  if (isMove) return 'vault.move_failed';
  return (error as Error).name === 'NewerDatabaseError' ? 'backup.newer_version' : 'vault.not_a_vault';
}

/** Why a vault could not be opened whose password was right. */
export function codeOfOpening(raw: unknown): PlainErrorCode {
  const error = translateFsError(raw);
  if (error instanceof VaultInUse) return 'vault.busy_elsewhere';
  if (error instanceof VaultAbsent) return 'vault.disk_gone';
  if (error instanceof KeyFileDamaged || error instanceof NewerKeyFile) return error.code;
  if (error instanceof Failure) return error.code as PlainErrorCode;
  return (error as Error).name === 'NewerDatabaseError' ? 'backup.newer_version' : 'vault.open_failed';
}
