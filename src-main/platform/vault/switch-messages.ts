import type { PlainErrorCode } from '../../../src-shared/contract/errors.ts';
import type { UnlockedKeys } from '../kernel/process-keys.ts';
import type { KeyFile } from '../sealed/key-file.ts';
import type { SwitchProgress } from './switch-vault.ts';

export type SwitchDirection = 'encrypt' | 'decrypt';

/** What a thread is to do. */
export interface SwitchTask {
  root: string;
  direction: SwitchDirection;
  file: KeyFile;
  keys: UnlockedKeys;
}
/** What it says: how far it is, or why it failed. */
export type SwitchMessage = SwitchProgress | { failed: PlainErrorCode };
