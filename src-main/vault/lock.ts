import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Another process has this vault open. */
export class VaultInUse extends Error {
  constructor(pid: number) {
    super(`This vault is open in another Hearth (process ${pid}). Use that one, or stop it first.`);
    this.name = 'VaultInUse';
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Takes the vault for this process; answers what gives it back. A lock whose process is dead counts for nothing. Throws `VaultInUse`. */
export function lockVault(root: string): () => void {
  const path = join(root, 'vault.lock');
  for (;;) {
    try {
      const handle = openSync(path, 'wx', 0o600);
      writeSync(handle, String(process.pid));
      closeSync(handle);
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const pid = Number(readFileSync(path, 'utf8'));
      if (pid > 0 && pid !== process.pid && isAlive(pid)) throw new VaultInUse(pid);
      rmSync(path, { force: true });
    }
  }
}
