import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../kernel/clock.ts';
import { writeFileAtomic } from './atomic.ts';
import { DATABASE_FILE } from './layout.ts';
import { lockVault, VaultInUse } from './lock.ts';

/** Who has a vault open: other computers can't see a lock of this one, so it is written into the vault. */
export interface VaultHolder {
  host: string;
  pid: number;
  /** When it was opened, by the clock of that computer. */
  since: string;
  /** Tells this run of the program from every other one. */
  run: string;
}

/** What happened to a vault that this program has open. */
export type VaultTrouble = 'gone' | 'taken';

export interface VaultClaim {
  /** Ends the claim; removes the file that names this program. */
  release(): void;
  /** The program on another computer that did not close the vault, and whose claim was taken over. */
  takenFrom: VaultHolder | null;
  /** Null as long as the vault is there and belongs to this program. */
  trouble(): VaultTrouble | null;
}

export const HOLDER_FILE = 'vault.holder.json';
/** How often a program says that it still has the vault open, and looks whether the disk is there. */
const BEAT_MS = 20_000;
const LOOK_MS = 2000;
/** A holder that has not said so for this long has crashed or lost the disk. */
const STALE_MS = 4 * BEAT_MS;

interface ClaimOptions {
  clock: Clock;
  ids: () => string;
  now: () => string;
  /** Called when the disk went away or came back, or another computer took the vault over. */
  onChange?: (trouble: VaultTrouble | null) => void;
  host?: string;
}

/**
 * Claims the vault for this process. On this computer the operating system holds the lock. A program on another
 * computer is known by the file that it touches while it has the vault open: as long as it does, the vault is in use;
 * a file that was not touched for over a minute was left behind, and is taken over. Its age is measured by the clock
 * of the disk, so that the clocks of two computers may differ. Throws `VaultInUse`.
 */
export function claimVault(root: string, options: ClaimOptions): VaultClaim {
  const { host = hostname(), ids, now } = options;
  const unlock = lockVault(root);
  const path = join(root, HOLDER_FILE);
  const before = readHolder(root);
  const isForeign = before !== null && before.host !== host;
  if (before !== null && isForeign && ageOf(root, path, ids()) < STALE_MS) {
    unlock();
    throw new VaultInUse(before);
  }
  const own: VaultHolder = { host, pid: process.pid, since: now(), run: ids() };
  writeHolder(root, own, ids());
  const stopping = new AbortController();
  let trouble: VaultTrouble | null = null;
  const watching = watch(root, own, options, stopping.signal, (found) => {
    if (found === trouble) return;
    trouble = found;
    options.onChange?.(found);
  });
  return {
    takenFrom: isForeign ? before : null,
    trouble: () => trouble,
    release() {
      stopping.abort();
      void watching;
      try {
        if (readHolder(root)?.run === own.run) rmSync(path, { force: true });
      } catch {
        // The disk is gone; the file becomes stale.
      }
      unlock();
    },
  };
}

/** Who has the vault open, as its file says; null for nobody. */
export function readHolder(root: string): VaultHolder | null {
  try {
    const parsed: unknown = JSON.parse(readFileSync(join(root, HOLDER_FILE), 'utf8'));
    if (typeof parsed !== 'object' || parsed === null) return null;
    const { host, pid, since, run } = parsed as Record<string, unknown>;
    if (typeof host !== 'string' || typeof pid !== 'number' || typeof since !== 'string' || typeof run !== 'string')
      return null;
    return { host, pid, since, run };
  } catch {
    return null;
  }
}

/** Whether a program on another computer has the vault open, without touching the vault. */
export function isHeldElsewhere(root: string, now: number, host: string = hostname()): boolean {
  const holder = readHolder(root);
  if (holder === null || holder.host === host) return false;
  return now - statSync(join(root, HOLDER_FILE)).mtimeMs < STALE_MS;
}

/** Milliseconds since the file was touched, by the clock of its disk: that of a new file beside it. */
function ageOf(root: string, path: string, unique: string): number {
  const probe = join(root, `.${unique}.probe`);
  writeFileSync(probe, '', { mode: 0o600 });
  try {
    return statSync(probe).mtimeMs - statSync(path).mtimeMs;
  } catch {
    return Number.POSITIVE_INFINITY;
  } finally {
    rmSync(probe, { force: true });
  }
}

/** Touches the file, and finds out that the disk is gone or that another computer took the vault over. */
async function watch(
  root: string,
  own: VaultHolder,
  { clock, ids }: ClaimOptions,
  signal: AbortSignal,
  tell: (trouble: VaultTrouble | null) => void,
): Promise<void> {
  let beatAt = clock.now();
  while (await clock.sleep(LOOK_MS, signal)) {
    const trouble = look(root, own);
    if (trouble === null && clock.now() - beatAt >= BEAT_MS) {
      beatAt = clock.now();
      touch(root, own, ids());
    }
    tell(trouble);
  }
}

function look(root: string, own: VaultHolder): VaultTrouble | null {
  try {
    statSync(join(root, DATABASE_FILE));
  } catch {
    return 'gone';
  }
  const holder = readHolder(root);
  return holder !== null && holder.run !== own.run ? 'taken' : null;
}

/**
 * Adds a line break, which gives the file the time of its disk, and which readers of the JSON don't see. A file that is
 * gone or damaged is written anew.
 */
function touch(root: string, own: VaultHolder, unique: string): void {
  try {
    if (readHolder(root) === null) writeHolder(root, own, unique);
    else appendFileSync(join(root, HOLDER_FILE), '\n');
  } catch {
    // A disk that went away is found by the next look.
  }
}

const writeHolder = (root: string, own: VaultHolder, unique: string): void =>
  writeFileAtomic(join(root, HOLDER_FILE), `${JSON.stringify(own)}\n`, unique);
