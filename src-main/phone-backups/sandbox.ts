import { mkdtempSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Names of ours carry the process, so that what a crash left is known as such. */
const PREFIX = 'hearth-phone-';

export interface Sandbox {
  /** The private folder itself; made when it is first asked for. */
  path(): string;
  /** A new folder inside, for one file that is sent or one open backup. */
  make(kind: string): string;
  remove(folder: string): Promise<void>;
  /** Removes everything. */
  close(): void;
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Where files of backups stand while they are sent. `under`: the configured folder, or '' for the temporary files of the system. */
export function createSandbox(under: string): Sandbox {
  const parent = under === '' ? tmpdir() : under;
  let own: string | null = null;

  function path(): string {
    if (own !== null) return own;
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(parent)) {
      const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
      if (pid !== undefined && Number(pid) !== process.pid && !isAlive(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true });
    }
    own = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
    return own;
  }
  return {
    path,
    make: (kind) => mkdtempSync(join(path(), `${kind}-`)),
    remove: (folder) => rm(folder, { recursive: true, force: true }),
    close() {
      if (own !== null) rmSync(own, { recursive: true, force: true });
      own = null;
    },
  };
}
