import type { ShellApi } from './shell-api.ts';

/** Answers the desktop shell while the vault is locked: nobody is signed in, and nothing happens. */
export const LOCKED_SHELL_API: ShellApi = {
  activity: () => null,
  fileOf: () => null,
  isSignedIn: () => false,
  isAdministrator: () => false,
  shareAddress: () => '',
  hasLiveShares: () => false,
  holdReading: () => undefined,
  releaseReading: () => undefined,
};

/** Answers with the core that there is at each call. */
export const followShellApi = (now: () => ShellApi): ShellApi => ({
  activity: (cookie) => now().activity(cookie),
  fileOf: (cookie, documentId) => now().fileOf(cookie, documentId),
  isSignedIn: (cookie) => now().isSignedIn(cookie),
  isAdministrator: (cookie) => now().isAdministrator(cookie),
  shareAddress: () => now().shareAddress(),
  hasLiveShares: () => now().hasLiveShares(),
  holdReading: (error) => now().holdReading(error),
  releaseReading: (code) => now().releaseReading(code),
});
