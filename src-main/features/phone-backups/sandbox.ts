import { existsSync, lstatSync, mkdtempSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir, uptime } from 'node:os';
import { join } from 'node:path';
import { systemClock, type Clock } from '../../platform/kernel/clock.ts';

/** Names contain the process number, which identifies folders left by a crash. */
const PREFIX = 'hearth-phone-';

export interface Sandbox {
  /** The private folder; created on first use. */
  path(): string;
  /** A new folder inside, for the databases of one open backup. */
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

/** Sandboxes of this process. */
const own = new Set<string>();
/** Tolerance for adjustments of the system clock. */
const SLACK_MS = 60_000;

/**
 * Whether a process that ended left the folder behind. Its process id may belong to another process after a restart or
 * in a container.
 */
function isLeft(folder: string, pid: number, now: number): boolean {
  if (pid === process.pid) return !own.has(folder);
  return !isAlive(pid) || lstatSync(folder).ctimeMs < now - uptime() * 1000 - SLACK_MS;
}

function removeLeft(parent: string, now: number): void {
  if (!existsSync(parent)) return;
  for (const name of readdirSync(parent)) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1],
      folder = join(parent, name);
    if (pid !== undefined && isLeft(folder, Number(pid), now)) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The folder for the databases of open backups. Folders left by a crash are removed immediately.
 * @param under the configured folder, or '' for the temporary files of the system
 */
export function createSandbox(under: string, clock: Pick<Clock, 'now'> = systemClock): Sandbox {
  const parent = under === '' ? tmpdir() : under;
  let mine: string | null = null;
  removeLeft(parent, clock.now());

  function path(): string {
    if (mine !== null) return mine;
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    mine = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
    own.add(mine);
    return mine;
  }
  return {
    path,
    make: (kind) => mkdtempSync(join(path(), `${kind}-`)),
    remove: (folder) => rm(folder, { recursive: true, force: true }),
    close() {
      if (mine === null) return;
      rmSync(mine, { recursive: true, force: true });
      own.delete(mine);
      mine = null;
    },
  };
}
