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

/** Answers with whatever desk there is when it is asked. */
export const followDesk = (now: () => Desk): Desk => ({
  activity: (cookie) => now().activity(cookie),
  fileOf: (cookie, documentId) => now().fileOf(cookie, documentId),
  isSignedIn: (cookie) => now().isSignedIn(cookie),
  isAdministrator: (cookie) => now().isAdministrator(cookie),
  shareAddress: () => now().shareAddress(),
  hasLiveShares: () => now().hasLiveShares(),
  holdReading: (error) => now().holdReading(error),
  releaseReading: (code) => now().releaseReading(code),
});
