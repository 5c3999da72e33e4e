import { existsSync, readdirSync, realpathSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import type { ListedVault, VaultOverview } from '../../../src-shared/contract/vaults.ts';
import type { ErrorCode } from '../../../src-shared/contract/errors.ts';
import { forgetVault, readVaultList } from '../../platform/config/vault-list.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { fail, Failure, translateFsError } from '../../platform/kernel/errors.ts';
import type { Log } from '../../platform/kernel/log.ts';
import { forgetKeysOf } from '../../platform/secrets/remembered-keys.ts';
import { createFolder } from '../../platform/vault/atomic.ts';
import { isHeldElsewhere, readHolder } from '../../platform/vault/holder.ts';
import { DATABASE_FILE } from '../../platform/vault/layout.ts';
import { copyVault, filesOf, finishMove, planMove, undoMove } from '../../platform/vault/move.ts';

/** What has to stay free on the disk beside a copy. */
const SPARE_BYTES = 64 * 2 ** 20;

/** What runs the core: it closes the vault and opens another one under the same address. */
export interface VaultSwitch {
  /** Why the last switch failed. */
  failed(): ErrorCode | null;
  /** Where the vault was before it was moved, since this program runs. */
  movedFrom(): string | null;
  /** Returns at once. `prepare` runs while the vault is closed; if it fails, `undo` runs and the vault opens again. */
  switchTo(
    folder: string,
    options:
      | { isReadOnly: boolean }
      | { movedFrom: string; prepare(onPlaced: () => void): Promise<void>; undo(): void },
  ): void;
}

export interface VaultsDeps {
  /** The vault that is open. */
  root: string;
  configFolder: string;
  clock: Clock;
  ids: () => string;
  log: Log;
  /** When the state was copied that is shown, if nothing can be changed; null for a vault of this program. */
  readOnlySince: string | null;
  takenFrom: string | null;
  /** Null in a program that can't restart its core, and while the sample household is open. */
  vaultSwitch: VaultSwitch | null;
}

interface Deps extends VaultsDeps {
  state: {
    moving: (VaultOverview['moving'] & { stop: AbortController; ended: Promise<void> }) | null;
    error: ErrorCode | null;
  };
}

export type Vaults = ReturnType<typeof createVaults>;

/** The vaults of this computer: which one is open, which others there are, and moving it to another disk. */
export function createVaults(dependencies: VaultsDeps) {
  const deps: Deps = { ...dependencies, state: { moving: null, error: null } };
  return bindFirst(deps, { overview, open, move, stop, forget, isMoving, close });
}

function overview({ root, configFolder, clock, readOnlySince, takenFrom, vaultSwitch, state }: Deps): VaultOverview {
  const { recent } = readVaultList(configFolder);
  return {
    path: root,
    read_only_since: readOnlySince,
    taken_from: takenFrom,
    can_switch: vaultSwitch !== null,
    recent: [root, ...recent.filter((path) => path !== root)].map((path) => listed(path, root, clock)),
    moving: state.moving && { to: state.moving.to, done: state.moving.done, total: state.moving.total },
    moved_from: vaultSwitch?.movedFrom() ?? null,
    last_error: state.error ?? vaultSwitch?.failed() ?? null,
  };
}

const isMoving = ({ state }: Deps): boolean => state.moving !== null;

function listed(path: string, root: string, clock: Clock): ListedVault {
  if (path === root) return { path, state: 'open', host: null };
  if (!existsSync(join(path, DATABASE_FILE))) return { path, state: 'absent', host: null };
  const host = isHeldElsewhere(path, clock.now()) ? (readHolder(path)?.host ?? null) : null;
  return { path, state: host === null ? 'ready' : 'in_use', host };
}

const requireSwitch = ({ vaultSwitch, state }: Deps): VaultSwitch => {
  if (vaultSwitch === null) throw fail('vault.cannot_switch');
  if (state.moving) throw fail('vault.busy');
  return vaultSwitch;
};

/** An absolute path that is neither within the open vault nor around it. @throws `vault.path_invalid` */
function requireOther({ root }: Deps, path: string): string {
  if (!isAbsolute(path)) throw fail('vault.path_invalid');
  const other = existsSync(path) ? realpathSync(path) : resolve(path);
  const isWithin = (inner: string, outer: string): boolean => `${inner}${sep}`.startsWith(`${outer}${sep}`);
  if (isWithin(other, root) || isWithin(root, other)) throw fail('vault.path_invalid');
  if (existsSync(other) && !statSync(other).isDirectory()) throw fail('vault.path_invalid');
  return other;
}

const isEmptyOrMissing = (path: string): boolean => !existsSync(path) || readdirSync(path).length === 0;

function open(
  deps: Deps,
  { path, create, read_only: isReadOnly }: { path: string; create: boolean; read_only: boolean },
): VaultOverview {
  const vaultSwitch = requireSwitch(deps);
  // One that is only shown can be opened in earnest once it is free.
  const isAgain = deps.readOnlySince !== null && path === deps.root;
  const folder = isAgain ? path : requireOther(deps, path);
  if (!existsSync(join(folder, DATABASE_FILE))) {
    if (!isEmptyOrMissing(folder)) throw fail('vault.not_a_vault');
    // The empty mount point of a disk that is not connected looks like a new folder.
    if (!create) throw fail('vault.absent');
  }
  if (!isReadOnly && isHeldElsewhere(folder, deps.clock.now()))
    throw fail('vault.in_use', { host: readHolder(folder)?.host ?? '' });
  vaultSwitch.switchTo(folder, { isReadOnly });
  return overview(deps);
}

async function move(deps: Deps, { path }: { path: string }): Promise<VaultOverview> {
  const vaultSwitch = requireSwitch(deps);
  if (deps.readOnlySince !== null) throw fail('vault.read_only');
  const target = requireOther(deps, path);
  if (!isEmptyOrMissing(target)) throw fail('vault.not_empty');
  try {
    createFolder(dirname(target));
  } catch (error) {
    throw fail('vault.path_invalid', undefined, error);
  }
  const stopping = new AbortController();
  const moving = { to: target, done: 0, total: 0, stop: stopping, ended: Promise.resolve() };
  // Set before anything is waited for, so that a second move meanwhile is refused.
  deps.state.moving = moving;
  deps.state.error = null;
  try {
    moving.total = (await filesOf(deps.root)).reduce((sum, { size }) => sum + size, 0);
    requireSpace(dirname(target), moving.total);
  } catch (error) {
    deps.state.moving = null;
    throw error;
  }
  moving.ended = copyAndSwitch(deps, vaultSwitch, target, stopping.signal);
  return overview(deps);
}

function requireSpace(folder: string, needed: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const formatMib = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MiB`;
  if (free < needed + SPARE_BYTES) throw fail('vault.no_space', { free: formatMib(free), needed: formatMib(needed) });
}

/**
 * Copies while the vault is open; then closes it, copies what changed, and opens the copy. Until the copy has its name,
 * the vault is where it was, so that a crash at any time leaves it there.
 */
async function copyAndSwitch(deps: Deps, vaultSwitch: VaultSwitch, target: string, signal: AbortSignal): Promise<void> {
  const { root, ids, log, state } = deps;
  const move = planMove(root, target, ids().slice(0, 8));
  const report = (done: number, all: number): void => {
    if (state.moving) Object.assign(state.moving, { done, total: all });
  };
  try {
    await copyVault(root, move.unfinished, { isClosed: false, signal, report });
  } catch (raw) {
    rmSync(move.unfinished, { recursive: true, force: true });
    state.moving = null;
    if (signal.aborted) return;
    const error = translateFsError(raw);
    log.error({ err: error }, 'the vault could not be copied');
    state.error = error instanceof Failure ? error.code : 'vault.move_failed';
    return;
  }
  vaultSwitch.switchTo(target, {
    movedFrom: move.aside,
    prepare: (onPlaced) => finishMove(move, report, onPlaced),
    undo: () => undoMove(move),
  });
}

async function stop(deps: Deps): Promise<VaultOverview> {
  deps.state.moving?.stop.abort();
  await deps.state.moving?.ended;
  return overview(deps);
}

/** Takes a vault out of the list, and forgets what opens it without its password. */
function forget(deps: Deps, { path }: { path: string }): VaultOverview {
  const { configFolder, root, ids } = deps;
  const { recent } = readVaultList(configFolder);
  forgetKeysOf(configFolder, path, [root, ...recent.filter((one) => one !== path)]);
  forgetVault(configFolder, path, ids());
  return overview(deps);
}

/** Called at shutdown: a move that is being copied ends, and its copy is removed. */
async function close({ state }: Deps): Promise<void> {
  state.moving?.stop.abort();
  await state.moving?.ended;
}
