import type { Desk } from './desk.ts';

/** Answers the desktop shell while the vault is locked: nobody is signed in, and nothing happens. */
export const LOCKED_DESK: Desk = {
  activity: () => null,
  fileOf: () => null,
  isSignedIn: () => false,
  isAdministrator: () => false,
  shareAddress: () => '',
  hasLiveShares: () => false,
  holdReading: () => undefined,
  releaseReading: () => undefined,
};
