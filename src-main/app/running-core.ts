import type { Config } from '../platform/config/config.ts';
import type { Core } from './core.ts';
import type { ShellApi } from './shell-api.ts';

/** The core as its program sees it, also while it is restarted or the vault is locked. */
export interface RunningCore extends Pick<Core, 'url' | 'backupsUrl' | 'shareUrl' | 'log'> {
  /** Whether an encrypted vault waits for its password. */
  isLocked(): boolean;
  /** The folder of the vault that is open now. */
  vaultFolder(): string;
  shellApi: ShellApi;
  /**
   * Starts the core anew under the same address; the running job goes back to the queue.
   */
  restart(): Promise<void>;
  /** Calls `listener` after something has changed, also in cores that are started later. */
  onActivity(listener: () => void): void;
  phones: Omit<Core['phones'], 'baseDirectory'> & { baseDirectory(): string };
  stop(): Promise<void>;
}

/** The phone backups of whichever core runs; none, in the configured folder, while the vault is locked. */
export const phonesOf = (runner: { core: Core | null; own: { config: Config } }): RunningCore['phones'] => ({
  baseDirectory: () => runner.core?.phones.baseDirectory ?? runner.own.config['phone_backups.base_path'],
  lockAll: async () => runner.core?.phones.lockAll(),
  folders: async () => runner.core?.phones.folders() ?? [],
  foldersIn: async (parent) => runner.core?.phones.foldersIn(parent) ?? [],
});
