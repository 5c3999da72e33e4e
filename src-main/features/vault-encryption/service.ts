import type { EncryptionOverview } from '../../../src-shared/contract/vault-encryption.ts';
import { SYSTEM_ACTOR, type Audit } from '../../platform/audit/audit.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { keyIdOf } from '../../platform/kernel/process-keys.ts';
import type { Log } from '../../platform/kernel/log.ts';

/** What runs the core: it closes the vault under the same address. */
export interface EncryptionSwitch {
  /** Returns at once. Closes the vault and forgets its keys; opens it again when the password is entered. */
  lock(): void;
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
  /** Null in a program that can't restart its core, and while a vault is only shown. */
  encryption: EncryptionSwitch | null;
}

interface Deps extends VaultEncryptionDeps {
  state: { usedAt: number; stopping: AbortController; watching: Promise<void> };
}

export type VaultEncryption = ReturnType<typeof createVaultEncryption>;

/** How often the vault is looked at. A computer that slept looks right after it wakes. */
const LOOK_MS = 5000;

/** The encryption of the open vault: whether it is encrypted, and locking it, by hand or when nobody uses it. */
export function createVaultEncryption(dependencies: VaultEncryptionDeps) {
  const deps: Deps = {
    ...dependencies,
    state: { usedAt: dependencies.clock.now(), stopping: new AbortController(), watching: Promise.resolve() },
  };
  return bindFirst(deps, { overview, lock, notePresence, start, close });
}

const isEncrypted = ({ root }: Deps): boolean => keyIdOf(root) !== null;

const overview = (deps: Deps): EncryptionOverview => ({
  is_encrypted: isEncrypted(deps),
  can_lock: isEncrypted(deps) && deps.encryption !== null,
});

/** @throws `vault.not_encrypted`, `vault.cannot_lock` */
function lock(deps: Deps): EncryptionOverview {
  if (!isEncrypted(deps)) throw fail('vault.not_encrypted');
  if (deps.encryption === null) throw fail('vault.cannot_lock');
  deps.encryption.lock();
  return overview(deps);
}

function notePresence({ state, clock }: Deps): void {
  state.usedAt = clock.now();
}

/** Called at startup: locks the vault once nobody has used it for as long as the setting says. */
function start(deps: Deps): void {
  const { state, encryption } = deps;
  if (encryption !== null && isEncrypted(deps)) state.watching = watchIdle(deps, encryption);
}

async function close({ state }: Deps): Promise<void> {
  state.stopping.abort();
  await state.watching;
}

async function watchIdle(deps: Deps, encryption: EncryptionSwitch): Promise<void> {
  const { clock, log, audit, state, lockAfterMinutes } = deps;
  const { signal } = state.stopping;
  while (await clock.sleep(LOOK_MS, signal)) {
    if (!isIdle(deps) || (await deps.isBusy()) || signal.aborted || !isIdle(deps)) continue;
    audit.record({ action: 'vault.lock', resourceType: 'vault', details: { idle: lockAfterMinutes() } }, SYSTEM_ACTOR);
    log.info({}, 'the vault is locked because nobody uses it');
    return encryption.lock();
  }
}

function isIdle({ clock, state, lockAfterMinutes }: Deps): boolean {
  const minutes = lockAfterMinutes();
  return minutes > 0 && clock.now() - state.usedAt >= minutes * 60_000;
}
