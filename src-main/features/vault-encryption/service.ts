import type { ErrorCode } from '../../../src-shared/contract/errors.ts';
import type { EncryptionOverview } from '../../../src-shared/contract/vault-encryption.ts';
import { SYSTEM_ACTOR, type Audit } from '../../platform/audit/audit.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { limitGuesses, type GuessTimes, type Prove } from '../../platform/http/guess-limit.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { keyIdOf, processKeys, type UnlockedKeys } from '../../platform/kernel/process-keys.ts';
import type { RememberedKeys } from '../../platform/secrets/remembered-keys.ts';
import type { Log } from '../../platform/kernel/log.ts';
import { changePassword, changeRecoveryKey, createKeyFile, type KeyFile } from '../../platform/sealed/key-file.ts';
import { parseRecoveryKey } from '../../platform/sealed/recovery-key.ts';
import { replaceKeyFile } from '../../platform/vault/switch-vault.ts';
import { keyFileOf, keysUnder } from '../../platform/vault/unlock-vault.ts';
import { createDrafts, type RecoveryDrafts } from './drafts.ts';

/** What runs the core: it closes the vault under the same address. */
export interface EncryptionSwitch {
  /** What closes the vault just now: a lock, or something after which it opens again, or another one does. */
  closing(): 'lock' | 'other' | null;
  /** Returns at once. Closes the vault and forgets its keys; opens it again when the password is entered. */
  lock(): void;
  /**
   * Returns at once. Closes the vault, encrypts or decrypts it, and opens it again. Throws `vault.closing` while it is
   * closed for something else, or if another vault was opened in its place meanwhile.
   */
  begin(plan: { root: string; direction: 'encrypt' | 'decrypt'; file: KeyFile; keys: UnlockedKeys }): void;
  /** Why the last switch failed. */
  failed(): ErrorCode | null;
  /** The same, once after each switch. */
  takeUnrecorded(): ErrorCode | null;
}

export interface VaultEncryptionDeps {
  root: string;
  clock: Clock;
  log: Log;
  audit: Audit;
  /** Minutes without a person after which the vault is locked; 0 for never. */
  lockAfterMinutes: () => number;
  /** Whether locking would interrupt what goes on without people: reading, an import, a backup, an open share. */
  isBusy: () => Promise<boolean>;
  /** Whether the vault is being moved, which a switch would break. */
  isMoving: () => boolean;
  /** Backups from before the vault was encrypted. */
  countPlainBackups: () => { count: number; folder: string };
  /** Null in a program that can't restart its core, and while a vault is only shown. */
  encryption: EncryptionSwitch | null;
  /** What opens the vault without its password when the program starts. Null without a keychain. */
  rememberedKeys: RememberedKeys | null;
  guesses: GuessTimes;
}

interface Deps extends VaultEncryptionDeps {
  state: { usedAt: number; stopping: AbortController; watching: Promise<void> };
  prove: Prove;
  drafts: RecoveryDrafts;
}

export type VaultEncryption = ReturnType<typeof createVaultEncryption>;

/** How often the vault is looked at. A computer that slept looks right after it wakes. */
const LOOK_MS = 5000;

/** The encryption of the open vault: its state, its password and recovery key, locking and switching. */
export function createVaultEncryption(dependencies: VaultEncryptionDeps) {
  const deps: Deps = {
    ...dependencies,
    state: { usedAt: dependencies.clock.now(), stopping: new AbortController(), watching: Promise.resolve() },
    prove: limitGuesses(dependencies.clock, dependencies.guesses),
    drafts: createDrafts(dependencies.clock),
  };
  return bindFirst(deps, {
    ...{ overview, lock, notePresence, start, close },
    ...{ makeRecoveryKey, replaceRecoveryKey, changePassword: changePasswordOf },
    ...{ turnKeychainOn, turnKeychainOff, prepareEncrypting, prepareDecrypting },
  });
}

const isEncrypted = ({ root }: Deps): boolean => keyIdOf(root) !== null;

function overview(deps: Deps, isHere: boolean): EncryptionOverview {
  const isOn = isEncrypted(deps);
  const { encryption } = deps;
  return {
    is_encrypted: isOn,
    can_switch: encryption !== null,
    can_lock: isOn && encryption !== null,
    is_here: isHere,
    plain_backups: isOn ? deps.countPlainBackups() : { count: 0, folder: '' },
    last_error: encryption?.failed() ?? null,
    opens_by_keychain: opensByKeychain(deps),
  };
}

function opensByKeychain({ root, encryption, rememberedKeys }: Deps): boolean | null {
  if (encryption === null || rememberedKeys === null || keyIdOf(root) === null) return null;
  const file = keyFileOf(root);
  return file !== null && rememberedKeys.has(file);
}

/** @throws `vault.not_encrypted`, `vault.cannot_lock`, `vault.closing` */
function lock(deps: Deps, caller: UserCaller): void {
  if (!isEncrypted(deps)) throw fail('vault.not_encrypted');
  if (deps.encryption === null) throw fail('vault.cannot_lock');
  const closing = deps.encryption.closing();
  // It would open again right after a restart or a switch.
  if (closing === 'other') throw fail('vault.closing');
  if (closing === 'lock') return;
  recordLock(deps, caller);
  deps.encryption.lock();
}

/** A full disk keeps no vault open, so that locking goes on where it can't be recorded. */
function recordLock({ audit, log }: Deps, by: UserCaller | typeof SYSTEM_ACTOR, details?: { idle: number }): void {
  try {
    audit.record({ action: 'vault.lock', resourceType: 'vault', ...(details && { details }) }, by);
  } catch {
    log.error({}, 'that the vault is locked could not be recorded');
  }
}

/** The log has who began the switch, so it must say also that the vault stayed as it was. */
function recordUndone({ audit, log }: Deps, code: ErrorCode): void {
  try {
    audit.record({ action: 'vault.switch_undone', resourceType: 'vault', details: { code } }, SYSTEM_ACTOR);
  } catch {
    log.error({ code }, 'that the encryption stayed as it was could not be recorded');
  }
}

function notePresence({ state, clock }: Deps): void {
  state.usedAt = clock.now();
}

function requireSwitch({ encryption, isMoving }: Deps): EncryptionSwitch {
  if (encryption === null) throw fail('vault.cannot_switch_here');
  if (isMoving()) throw fail('vault.busy');
  if (encryption.closing() !== null) throw fail('vault.closing');
  return encryption;
}

/** @throws `vault.not_encrypted` */
function requireKeyFile({ root }: Deps): KeyFile {
  const file = keyFileOf(root);
  if (file === null) throw fail('vault.not_encrypted');
  return file;
}

/** The recovery key of a vault that is to be encrypted with this password, or a new one of a vault that has it. */
async function makeRecoveryKey(deps: Deps, userId: number, password: string): Promise<string> {
  requireSwitch(deps);
  const made = await deps.prove(() => {
    const before = keyFileOf(deps.root);
    return before === null ? createKeyFile(password) : changeRecoveryKey(before, password);
  });
  deps.drafts.put({ userId, ...made });
  return made.recoveryKey;
}

/** Takes only the wrapping from the draft: the password may have changed since it was made. */
function replaceRecoveryKey(deps: Deps, userId: number, typed: string): void {
  const before = requireKeyFile(deps);
  const { file } = deps.drafts.find(userId, typed);
  const { id, recovery } = file;
  replaceKeyFile(deps.root, { ...before, ...(id !== undefined && { id }), recovery });
  deps.drafts.clear();
}

async function changePasswordOf(deps: Deps, secret: string, password: string): Promise<void> {
  requireKeyFile(deps);
  const proof = parseRecoveryKey(secret) === null ? { password: secret } : { recoveryKey: secret };
  await deps.prove(async () => {
    const changed = await changePassword(requireKeyFile(deps), proof, password);
    if (changed !== null) storePassword(deps, changed);
    return changed;
  });
}

/** Making it took a while: the recovery key may have been replaced, and the vault closed to be decrypted. */
function storePassword(deps: Deps, { password }: KeyFile): void {
  if (deps.state.stopping.signal.aborted) throw fail('vault.locked');
  const before = requireKeyFile(deps);
  const after = { ...before, password };
  const isKept = deps.rememberedKeys?.has(before) === true;
  replaceKeyFile(deps.root, after);
  if (isKept) keepAgain(deps, after);
}

/** What is kept names the password, so that it is of no use after one was changed elsewhere. */
function keepAgain({ root, rememberedKeys, log }: Deps, file: KeyFile): void {
  const keys = processKeys()[root];
  try {
    if (keys) rememberedKeys?.keep(root, file, keys);
  } catch {
    // The password has changed. The next start asks for it, and says why.
    log.error({}, 'the keychain did not keep the key of the vault under its new password');
  }
}

async function turnKeychainOn(deps: Deps, secret: string): Promise<void> {
  const { encryption, rememberedKeys, log } = deps;
  requireKeyFile(deps);
  if (encryption === null || rememberedKeys === null) throw fail('vault.no_keychain');
  const keys = await deps.prove(() => keysUnder(requireKeyFile(deps), secret));
  if (deps.state.stopping.signal.aborted) throw fail('vault.locked');
  try {
    rememberedKeys.keep(deps.root, requireKeyFile(deps), keys);
  } catch {
    log.error({}, 'the keychain did not keep the key of the vault');
    throw fail('vault.no_keychain');
  }
}

/** @throws `vault.not_encrypted` */
function turnKeychainOff(deps: Deps): void {
  const file = requireKeyFile(deps);
  deps.rememberedKeys?.forget(file);
}

/** Returns what begins to encrypt. The recovery key stays valid until then, so that it can be tried again. */
async function prepareEncrypting(deps: Deps, userId: number, typed: string): Promise<() => void> {
  const encryption = requireSwitch(deps);
  if (keyFileOf(deps.root) !== null) throw fail('vault.already_encrypted');
  const { file, recoveryKey } = deps.drafts.find(userId, typed);
  const keys = await keysUnder(file, recoveryKey);
  if (keys === null) throw new Error('a new key file did not open');
  requireSwitch(deps);
  return () => encryption.begin({ root: deps.root, direction: 'encrypt', file, keys });
}

/** Returns what begins to decrypt. */
async function prepareDecrypting(deps: Deps, secret: string): Promise<() => void> {
  const encryption = requireSwitch(deps);
  requireKeyFile(deps);
  const keys = await deps.prove(() => keysUnder(requireKeyFile(deps), secret));
  // Something else may have been begun while the password was proven, and is recorded already.
  requireSwitch(deps);
  return () => encryption.begin({ root: deps.root, direction: 'decrypt', file: requireKeyFile(deps), keys });
}

/** Called at startup: locks the vault once nobody has used it for as long as the setting says. */
function start(deps: Deps): void {
  const { state, encryption } = deps;
  const undone = encryption?.takeUnrecorded() ?? null;
  if (undone !== null && undone !== 'vault.cancelled_too_late') recordUndone(deps, undone);
  if (encryption !== null && isEncrypted(deps)) state.watching = watchIdle(deps, encryption);
}

async function close({ state, drafts }: Deps): Promise<void> {
  drafts.clear();
  state.stopping.abort();
  await state.watching;
}

async function watchIdle(deps: Deps, encryption: EncryptionSwitch): Promise<void> {
  const { clock, log, state, lockAfterMinutes } = deps;
  const { signal } = state.stopping;
  while (await clock.sleep(LOOK_MS, signal)) {
    if (!isIdle(deps) || (await deps.isBusy()) || signal.aborted || !isIdle(deps)) continue;
    if (encryption.closing() !== null) continue;
    recordLock(deps, SYSTEM_ACTOR, { idle: lockAfterMinutes() });
    log.info({}, 'the vault is locked because nobody uses it');
    return encryption.lock();
  }
}

function isIdle({ clock, state, lockAfterMinutes }: Deps): boolean {
  const minutes = lockAfterMinutes();
  return minutes > 0 && clock.now() - state.usedAt >= minutes * 60_000;
}
