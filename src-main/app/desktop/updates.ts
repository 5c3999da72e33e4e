import type { AppUpdater } from 'electron-updater';
import type { Log } from '../../platform/kernel/log.ts';

const FIRST_MS = 60_000;
const DAY_MS = 86_400_000;

/** What is used of electron-updater. It verifies checksum and signature, and leaves out who is not yet in the roll-out. */
export type Updater = Pick<
  AppUpdater,
  'autoDownload' | 'autoInstallOnAppQuit' | 'allowDowngrade' | 'allowPrerelease' | 'logger' | 'checkForUpdates'
> & {
  on(event: 'update-available' | 'update-downloaded', listener: (info: { version: string }) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
};

export interface UpdateDeps {
  /** Loads electron-updater; called only if updates are wished. */
  load(): Promise<Updater>;
  isWished(): boolean;
  /** Whether the system verifies the signature of what it installs: macOS and Windows do. */
  isSigned: boolean;
  /** Resolves to false once the program ends. */
  sleep(ms: number): Promise<boolean>;
  onAvailable(version: string): void;
  onReady(): void;
  log: Pick<Log, 'info' | 'warn'>;
}

/**
 * Looks once a day for a new version, if that is wished. Where the system verifies signatures, the version is
 * downloaded and installed when the program quits; elsewhere it is only told that there is one.
 */
export async function followUpdates(deps: UpdateDeps): Promise<void> {
  let updater: Updater | null = null;
  for (let wait = FIRST_MS; await deps.sleep(wait); wait = DAY_MS) {
    if (!deps.isWished()) continue;
    try {
      updater ??= prepare(await deps.load(), deps);
      await updater.checkForUpdates();
    } catch (err) {
      deps.log.warn({ err }, 'could not look for a new version');
    }
  }
}

function prepare(updater: Updater, { isSigned, onAvailable, onReady, log }: UpdateDeps): Updater {
  updater.autoDownload = isSigned;
  updater.autoInstallOnAppQuit = isSigned;
  updater.allowDowngrade = false;
  updater.allowPrerelease = false;
  // Its own log would name addresses and folders.
  updater.logger = null;
  updater.on('update-available', ({ version }) => {
    log.info({ version }, 'a new version is available');
    if (!isSigned) onAvailable(version);
  });
  updater.on('update-downloaded', () => onReady());
  updater.on('error', (err) => log.warn({ err }, 'a new version could not be fetched'));
  return updater;
}
