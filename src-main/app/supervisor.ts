import type { RestartStep } from '../features/vault-backups/service.ts';
import { startCore, type Core, type CoreOptions } from './core.ts';

export interface RunningCore extends Pick<Core, 'url' | 'backupsUrl' | 'vaultFolder' | 'log' | 'phones'> {
  stop(): Promise<void>;
}

/**
 * Runs the core under one address through a restore: stops it, lets the restored vault replace the current one, and
 * starts again. If a restored vault fails to start, the previous one is put back; `onError` is called if that does not
 * start either.
 */
export async function runCore(
  options: Omit<CoreOptions, 'restart'>,
  onError: (error: unknown) => void,
): Promise<RunningCore> {
  const restart = (step: RestartStep): void => {
    pendingRestart = pendingRestart.then(() => restartWith(step)).catch(onError);
  };
  let pendingRestart: Promise<void> = Promise.resolve();
  let core = await startCore({ ...options, restart });
  const { url, backupsUrl, vaultFolder } = core;
  const config = {
    ...options.config,
    'http.port': Number(new URL(url).port),
    ...(backupsUrl !== null && { 'phone_backups.port': Number(new URL(backupsUrl).port) }),
  };

  async function restartWith(step: RestartStep): Promise<void> {
    await core.stop();
    try {
      step.apply();
      core = await startCore({ ...options, config, restart });
    } catch {
      step.undo();
      core = await startCore({ ...options, config, restart });
    }
  }
  return {
    url,
    backupsUrl,
    vaultFolder,
    log: core.log,
    phones: {
      baseDirectory: core.phones.baseDirectory,
      lockAll: () => core.phones.lockAll(),
      folders: () => core.phones.folders(),
      foldersIn: (folder) => core.phones.foldersIn(folder),
      mayUse: (cookie) => core.phones.mayUse(cookie),
    },
    async stop() {
      await pendingRestart;
      await core.stop();
    },
  };
}
