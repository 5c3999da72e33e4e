import type { ErrorCode } from '../../src-shared/contract/errors.ts';

/** What became of the last switch of the encryption. */
export interface SwitchOutcome {
  /** Keeps why it failed; null if it did not. */
  set(code: ErrorCode | null): void;
  failed(): ErrorCode | null;
  /** Why it failed, once for each switch: whoever takes it records it in the vault. */
  takeUnrecorded(): ErrorCode | null;
}

export function createSwitchOutcome(): SwitchOutcome {
  let failed: ErrorCode | null = null;
  let unrecorded: ErrorCode | null = null;
  return {
    set(code) {
      [failed, unrecorded] = [code, code];
    },
    failed: () => failed,
    takeUnrecorded() {
      const code = unrecorded;
      unrecorded = null;
      return code;
    },
  };
}
