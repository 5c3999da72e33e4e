import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PlainErrorCode } from '../../src-shared/contract/errors.ts';
import type { VaultLockState } from '../../src-shared/contract/vault-lock.ts';
import { toTimestamp, type Clock } from '../platform/kernel/clock.ts';
import { fail, Failure } from '../platform/kernel/errors.ts';
import { randomId } from '../platform/kernel/ids.ts';
import type { Log } from '../platform/kernel/log.ts';
import type { UnlockedKeys } from '../platform/kernel/process-keys.ts';
import { idOfKeyFile, type KeyFile } from '../platform/sealed/key-file.ts';
import { claimVault } from '../platform/vault/holder.ts';
import { DATABASE_FILE } from '../platform/vault/layout.ts';
import { VaultInUse } from '../platform/vault/lock.ts';
import { runSwitch, type RunningSwitch } from '../platform/vault/run-switch.ts';
import type { SwitchDirection } from '../platform/vault/switch-messages.ts';
import { keyFileOf, keysUnder, readKeyFile, useVaultKeys } from '../platform/vault/unlock-vault.ts';

/** A switch of the encryption, with the key of the vault. */
export interface SwitchPlan {
  direction: SwitchDirection;
  file: KeyFile;
  keys: UnlockedKeys;
}

/** What the lock says of the vault itself. */
type ClosedState = Omit<VaultLockState, 'can_go_back'>;

/** A vault that is not open: it waits for its password, or is being encrypted or decrypted. */
export interface ClosedVault {
  state(): ClosedState;
  /** Returns whether the secret was right. Goes on with a switch that was interrupted. */
  unlock(secret: string): Promise<boolean>;
  /** Encrypts or decrypts the vault. */
  begin(plan: SwitchPlan): void;
  stop(): Promise<void>;
}

interface Deps {
  root: string;
  clock: Clock;
  log: Pick<Log, 'info' | 'error'>;
  /** Removes what the keychain of this computer keeps of a key that is given up. */
  forgetKeys: (file: KeyFile) => void;
  /** Called once, when this process can open the vault; with the code of a switch that failed before it began. */
  onOpen: (failed: PlainErrorCode | null) => void;
}

interface State {
  running: RunningSwitch | null;
  percent: number;
  failed: PlainErrorCode | null;
  /** Whether it was handed over to the core, which happens once. */
  isHandedOver: boolean;
}

/** What is done with a vault while the core does not have it open. `failed` is why it could not be opened. */
export function createClosedVault(deps: Deps, failed: PlainErrorCode | null = null): ClosedVault {
  const state: State = { running: null, percent: 0, failed, isHandedOver: false };
  return {
    state: () => describe(deps, state),
    unlock: (secret) => unlock(deps, state, secret),
    begin: (plan) => void begin(deps, state, plan),
    stop: async () => state.running?.stop(),
  };
}

function describe({ root }: Deps, { running, percent, failed }: State): ClosedState {
  const stored = running === null ? stateIn(root) : undefined;
  return {
    is_open: false,
    switching: running && { direction: running.direction, percent },
    unfinished: stored === 'encrypting' || stored === 'decrypting' ? stored : null,
    failed,
  };
}

/** A key file that can't be read has no state; whoever enters the password learns of that. */
function stateIn(root: string): KeyFile['state'] | undefined {
  try {
    return readKeyFile(root)?.state;
  } catch {
    return undefined;
  }
}

async function unlock(deps: Deps, state: State, secret: string): Promise<boolean> {
  if (state.isHandedOver) return true;
  if (state.running) throw fail('vault.being_switched');
  const file = keyFileOf(deps.root);
  if (file === null && isGone(deps.root)) throw fail('vault.disk_gone');
  const keys = file && (await keysUnder(file, secret));
  if (file && !keys) return false;
  // It may have begun while the password was proven.
  if (state.running) throw fail('vault.being_switched');
  if (file && keys && file.state !== 'on') {
    const direction = file.state === 'encrypting' ? 'encrypt' : 'decrypt';
    void begin(deps, state, { direction, file, keys });
    return true;
  }
  if (file && keys) useVaultKeys(deps.root, file, keys);
  state.failed = null;
  handOver(deps, state, null);
  return true;
}

/**
 * Runs a switch in a thread, and lets the vault be opened afterwards. One that was interrupted waits for the password
 * again.
 */
async function begin(deps: Deps, state: State, plan: SwitchPlan): Promise<void> {
  const { log } = deps;
  Object.assign(state, { percent: 0, failed: null });
  try {
    await runClaimed(deps, state, plan);
  } catch (err) {
    // Only codes: messages of the file system name papers.
    state.failed = codeOf(err);
    log.error({ code: state.failed }, 'the encryption of the vault could not be switched');
  }
  const wasStopped = state.running?.isStopped() ?? false;
  state.running = null;
  if (wasStopped) return;
  try {
    openAgain(deps, state, plan.keys);
  } catch {
    // The key file can't be read: the vault stays closed.
    state.failed ??= 'vault.switch_failed';
  }
}

async function runClaimed(deps: Deps, state: State, { direction, file, keys }: SwitchPlan): Promise<void> {
  const { root, clock, log } = deps;
  const claim = claimVault(root, {
    ...{ clock, ids: randomId, now: () => toTimestamp(clock.now()) },
    // Another computer goes on with it, as after this one slept: two must not write the same files.
    onChange: (trouble) => void (trouble === 'taken' && state.running?.stop()),
  });
  try {
    log.info({ direction }, 'the encryption of the vault is switched');
    if (direction === 'decrypt') forgetKeys(deps, file);
    state.running = runSwitch({ root, direction, file: newestOf(root, file), keys }, ({ done, total }) => {
      state.percent = Math.floor((done * 100) / total);
    });
    await state.running.ended;
    if (claim.trouble() === 'taken') throw fail('vault.taken_over');
  } finally {
    claim.release();
  }
}

/** What is kept opens nothing of a plain vault, so a file that can't be removed stops no switch. */
function forgetKeys({ forgetKeys: forget, log }: Deps, file: KeyFile): void {
  try {
    forget(file);
  } catch {
    log.error({}, 'what the keychain keeps of the vault could not be removed');
  }
}

/** The password may have been changed until the vault was closed. */
function newestOf(root: string, file: KeyFile): KeyFile {
  const stored = readKeyFile(root);
  return stored !== null && idOfKeyFile(stored) === idOfKeyFile(file) ? stored : file;
}

function openAgain(deps: Deps, state: State, keys: UnlockedKeys): void {
  const { root } = deps;
  // A vault whose disk went away must not be taken for a plain one, which would be made anew.
  if (isGone(root)) state.failed = 'vault.disk_gone';
  const stored = readKeyFile(root);
  if (isGone(root) || (stored !== null && stored.state !== 'on')) return;
  if (stored !== null) useVaultKeys(root, stored, keys);
  handOver(deps, state, state.failed);
}

function handOver({ onOpen }: Deps, state: State, failed: PlainErrorCode | null): void {
  if (state.isHandedOver) return;
  state.isHandedOver = true;
  onOpen(failed);
}

const isGone = (root: string): boolean => !existsSync(join(root, DATABASE_FILE));

function codeOf(error: unknown): PlainErrorCode {
  if (error instanceof Failure) return error.code as PlainErrorCode;
  return error instanceof VaultInUse ? 'vault.busy_elsewhere' : 'vault.switch_failed';
}
