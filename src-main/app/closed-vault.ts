import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
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
import { replaceKeyFile } from '../platform/vault/switch-vault.ts';
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
  /**
   * Undoes a switch that is being made or was interrupted, and opens the vault as it was before. Returns whether the
   * secret was right. Throws `vault.not_being_switched`.
   */
  cancel(secret: string): Promise<boolean>;
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

/** A switch, and whether it undoes another one. */
interface Plan extends SwitchPlan {
  isUndo: boolean;
}

interface State {
  running: (RunningSwitch & { plan: Plan; isCancelled: boolean }) | null;
  percent: number;
  failed: PlainErrorCode | null;
  /** Whether it was handed over to the core, which happens once. */
  isHandedOver: boolean;
  /** Whether the program ends. */
  isEnding: boolean;
}

/** What is done with a vault while the core does not have it open. `failed` is why it could not be opened. */
export function createClosedVault(deps: Deps, failed: PlainErrorCode | null = null): ClosedVault {
  const state: State = { running: null, percent: 0, failed, isHandedOver: false, isEnding: false };
  return {
    state: () => describe(deps, state),
    unlock: (secret) => unlock(deps, state, secret),
    cancel: (secret) => cancel(deps, state, secret),
    begin: (plan) => void begin(deps, state, { ...plan, isUndo: false }),
    async stop() {
      state.isEnding = true;
      await state.running?.stop();
    },
  };
}

function describe({ root }: Deps, { running, percent, failed }: State): ClosedState {
  const stored = running === null ? stateIn(root) : undefined;
  return {
    is_open: false,
    switching: running && { direction: running.direction, percent, is_undo: running.plan.isUndo },
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
    void begin(deps, state, { direction, file, keys, isUndo: false });
    return true;
  }
  if (file && keys) useVaultKeys(deps.root, file, keys);
  state.failed = null;
  handOver(deps, state, null);
  return true;
}

async function cancel(deps: Deps, state: State, secret: string): Promise<boolean> {
  const { running } = state;
  // Before its first change, the vault has no key file or says nothing of a switch.
  const file = keyFileOf(deps.root) ?? running?.plan.file ?? null;
  if (file === null || (running === null && file.state === 'on')) throw fail('vault.not_being_switched');
  const keys = await keysUnder(file, secret);
  if (keys === null) return false;
  if (state.running !== null) {
    // Two windows may cancel it, of which the second one does not mean the undoing.
    if (!state.running.plan.isUndo) {
      state.running.isCancelled = true;
      await state.running.stop();
      // What follows its end has run then, so that the answer is true after a crash as well.
      await setImmediate();
    }
    return true;
  }
  // It may have ended while the password was proven, and the vault is opened.
  const stored = state.isHandedOver ? null : keyFileOf(deps.root);
  if (stored === null || stored.state === 'on') throw fail('vault.not_being_switched');
  const direction = stored.state === 'encrypting' ? 'decrypt' : 'encrypt';
  void begin(deps, state, { direction, file: stored, keys, isUndo: true });
  return true;
}

/**
 * Runs a switch in a thread, and lets the vault be opened afterwards. One that was interrupted waits for the password
 * again.
 */
async function begin(deps: Deps, state: State, plan: Plan): Promise<void> {
  const { log } = deps;
  Object.assign(state, { percent: 0, failed: null });
  try {
    await runClaimed(deps, state, plan);
  } catch (err) {
    // Only codes: messages of the file system name papers.
    state.failed = codeOf(err);
    log.error({ code: state.failed }, 'the encryption of the vault could not be switched');
  }
  const { running } = state;
  state.running = null;
  const wasStopped = running?.isStopped() ?? false;
  const isTaken = state.failed === 'vault.taken_over';
  if (state.isEnding || isTaken || (wasStopped && running?.isCancelled !== true)) return;
  if (plan.isUndo) state.failed ??= 'vault.switch_cancelled';
  try {
    if (running?.isCancelled === true) turnBack(deps, state, plan);
    else openAgain(deps, state, plan.keys);
  } catch {
    // The key file can't be read: the vault stays closed.
    state.failed ??= 'vault.switch_failed';
  }
}

/** Undoes what a cancelled switch has done: nothing before its first change, and nothing any more if it has ended. */
function turnBack(deps: Deps, state: State, { direction, keys }: Plan): void {
  const stored = readKeyFile(deps.root);
  if (stored !== null && stored.state !== 'on') {
    const back = direction === 'encrypt' ? 'decrypt' : 'encrypt';
    return void begin(deps, state, { direction: back, file: stored, keys, isUndo: true });
  }
  const hasEnded = (stored !== null) === (direction === 'encrypt');
  state.failed = hasEnded ? 'vault.cancelled_too_late' : 'vault.switch_cancelled';
  openAgain(deps, state, keys);
}

async function runClaimed(deps: Deps, state: State, plan: Plan): Promise<void> {
  const { direction, keys } = plan;
  const { root, clock, log } = deps;
  const claim = claimVault(root, {
    ...{ clock, ids: randomId, now: () => toTimestamp(clock.now()) },
    // Another computer goes on with it, as after this one slept: two must not write the same files.
    onChange: (trouble) => void (trouble === 'taken' && state.running?.stop()),
  });
  try {
    log.info({ direction }, 'the encryption of the vault is switched');
    const file = newestOf(root, plan.file);
    if (direction === 'decrypt') forgetKeys(deps, file);
    // Stored before the answer: after a crash, the next start goes on with the undoing.
    if (plan.isUndo) replaceKeyFile(root, { ...file, state: direction === 'encrypt' ? 'encrypting' : 'decrypting' });
    const running = runSwitch({ root, direction, file, keys }, ({ done, total }) => {
      state.percent = Math.floor((done * 100) / total);
    });
    state.running = { ...running, plan, isCancelled: false };
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
