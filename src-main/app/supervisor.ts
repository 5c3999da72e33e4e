import type { CoreLanguage } from '../../src-shared/contract/core-languages.ts';
import type { ErrorCode, PlainErrorCode } from '../../src-shared/contract/errors.ts';
import type { SampleSwitch } from '../features/sample/service.ts';
import type { EncryptionSwitch } from '../features/vault-encryption/service.ts';
import type { VaultSwitch } from '../features/vaults/service.ts';
import type { RestartStep } from '../features/vault-backups/service.ts';
import { configFolder } from '../platform/config/load.ts';
import { readVaultList, rememberVault, restoreVaultList, VaultAbsent } from '../platform/config/vault-list.ts';
import { systemClock } from '../platform/kernel/clock.ts';
import { fail } from '../platform/kernel/errors.ts';
import { randomId } from '../platform/kernel/ids.ts';
import type { KeyFile } from '../platform/sealed/key-file.ts';
import { forgetRememberedKey } from '../platform/secrets/remembered-keys.ts';
import type { VaultTrouble } from '../platform/vault/holder.ts';
import { lockAllVaults, lockOtherVaults } from '../platform/vault/unlock-vault.ts';
import { createLog, type Log } from '../platform/kernel/log.ts';
import { startCore, type Core, type CoreOptions } from './core.ts';
import { createRestartQueue, type RestartQueue } from './restart-queue.ts';
import { phonesOf, type RunningCore } from './running-core.ts';
import { createClosedVault, type ClosedVault, type SwitchPlan } from './closed-vault.ts';
import { createSwitchOutcome, type SwitchOutcome } from './switch-outcome.ts';
import { startLockedCore, type LockedCore } from './locked-core.ts';
import { codeOfOpening, codeOfSwitch } from './opening-failures.ts';
import { followShellApi, LOCKED_SHELL_API } from './locked-shell-api.ts';
import { passwordInFile, VaultLocked, VaultSwitching } from './unlock.ts';
import { OPEN_SAMPLE, unpackSample, type SampleHousehold } from './demo/household.ts';

type Given =
  | 'restart'
  | 'samples'
  | 'keyFolder'
  | 'onActivity'
  | 'vaultSwitch'
  | 'encryption'
  | 'onTrouble'
  | 'mustExist';
interface RunOptions extends Omit<CoreOptions, Given> {
  /** Starts with the sample household instead of the own vault. */
  startsWithSample?: boolean;
}

type OwnOptions = Omit<RunOptions, 'startsWithSample'> & { log: Log };

/** What runs now. */
interface Runner {
  own: OwnOptions;
  /** Null until it has started for the first time, and while the vault is locked. */
  core: Core | null;
  /** What listens while the vault is locked or being switched, and what is done with it. */
  locked: (LockedCore & { vault: ClosedVault }) | null;
  /** The sample household, if it is open instead of the own vault. */
  sample: SampleHousehold | null;
  failed: SampleSwitch['failed'];
  /** What was open before the vault whose password is asked for: nobody is kept at its lock. */
  before: Pick<OwnOptions, 'config' | 'isReadOnly'> | null;
  /** What became of the last switch to another vault. */
  switched: { failed: ErrorCode | null; movedFrom: string | null };
  outcome: SwitchOutcome;
  queue: RestartQueue;
  listeners: (() => void)[];
  isStopping: boolean;
}

/**
 * Runs the core under one address through a restore and through a switch to the sample household and back: stops it,
 * takes the step, and starts again. If that fails, the previous state is restored; `onError` is called if that does not
 * start either. The own vault is closed while the sample household is open.
 */
export async function runCore(
  { startsWithSample = false, ...given }: RunOptions,
  onError: (error: unknown) => void,
): Promise<RunningCore> {
  const log = given.log ?? createLog(given.config['log.level']);
  const own: OwnOptions = { ...given, log };
  const sample = startsWithSample ? await unpackSample() : null;
  const runner: Runner = {
    ...{ own, core: null, locked: null, sample, failed: null, listeners: [] },
    queue: createRestartQueue(() => runner.core !== null, onError),
    switched: { failed: null, movedFrom: null },
    before: null,
    outcome: createSwitchOutcome(),
    isStopping: false,
  };
  await start(runner).catch((error: unknown) => {
    sample?.remove();
    throw error;
  });
  const { url } = runner.locked ?? coreOf(runner);
  return {
    url,
    log,
    get backupsUrl() {
      return runner.core?.backupsUrl ?? null;
    },
    isLocked: () => runner.locked !== null,
    shareUrl: () => runner.core?.shareUrl() ?? null,
    vaultFolder: () => runner.core?.vaultFolder ?? runner.own.config['vault.path'],
    phones: phonesOf(runner),
    shellApi: followShellApi(() => runner.core?.shellApi ?? LOCKED_SHELL_API),
    restart() {
      // What waits for a password holds nothing that could hang.
      runner.queue.addClosing(() => restartWith(runner, NO_STEP));
      return runner.queue.ended();
    },
    onActivity: (listener) => void runner.listeners.push(listener),
    async stop() {
      runner.isStopping = true;
      await runner.queue.ended();
      await runner.core?.stop();
      await stopLocked(runner);
      runner.sample?.remove();
    },
  };
}

function coreOf({ core }: Runner): Core {
  if (core === null) throw new Error('The core has not been started.');
  return core;
}

/** Restarts what runs as it is. */
const NO_STEP: RestartStep = { apply: () => undefined, undo: () => undefined };

/** Starts the core on the household that is selected. */
async function start(runner: Runner, mustExist: boolean = false): Promise<void> {
  const { own, sample } = runner;
  const samples: SampleSwitch = {
    open: sample && OPEN_SAMPLE,
    get failed() {
      return runner.failed;
    },
    switchTo(household) {
      runner.queue.requireNotClosing();
      runner.failed = null;
      runner.queue.addClosing(() =>
        household === 'own' ? closeSample(runner) : openSample(runner, household.sampleFor),
      );
    },
  };
  const restart = (step: RestartStep): void =>
    runner.queue.addClosing(() => restartWith(runner, step), { otherwise: step.undo });
  const onActivity = (): void => runner.listeners.forEach((listener) => listener());
  const vaultSwitch = sample === null ? switchOf(runner) : null;
  const encryption = sample === null && !own.isReadOnly ? encryptionOf(runner) : null;
  const onTrouble = followDisk(runner);
  const options = {
    ...{ ...own, restart, samples, vaultSwitch, encryption, onActivity, onTrouble, mustExist },
    ...sample?.optionsFor(own.config),
  };
  try {
    const core = await startCore(options);
    await sample?.prepare(core);
    runner.core = core;
    keepPorts(runner, core);
  } catch (error) {
    if (!(error instanceof VaultLocked || error instanceof VaultSwitching)) throw error;
    const { vault } = await waitLocked(runner, error instanceof VaultLocked ? error.code : null);
    // A switch that was interrupted goes on by itself where nobody is needed for the password.
    const password = error instanceof VaultSwitching ? passwordInFile() : null;
    if (password !== null) await vault.unlock(password);
  }
}

/** Listens in place of the core until the vault is unlocked. */
async function waitLocked(runner: Runner, failed: PlainErrorCode | null = null): Promise<{ vault: ClosedVault }> {
  const { config, windowKey = null, log } = runner.own;
  runner.core = null;
  const root = config['vault.path'];
  const onOpen = (reason: PlainErrorCode | null): void => {
    runner.outcome.set(reason);
    runner.queue.add(() => openUnlocked(runner));
  };
  const forgetKeys = (file: KeyFile): void => forgetRememberedKey(configFolder(), file);
  const vault = createClosedVault({ root, clock: systemClock, log, onOpen, forgetKeys }, failed);
  const goBack = (): boolean => leaveLock(runner, vault);
  const canGoBack = (): boolean => runner.before !== null;
  const listening = await startLockedCore({ config, windowKey, log }, { ...vault, canGoBack, goBack });
  runner.locked = { ...listening, vault };
  keepPorts(runner, { url: listening.url, backupsUrl: null });
  return { vault };
}

const encryptionOf = (runner: Runner): EncryptionSwitch => ({
  ...runner.outcome,
  closing: runner.queue.closing,
  lock: () => runner.queue.addClosing(() => lockNow(runner, null), { closing: 'lock' }),
  begin(plan) {
    runner.queue.requireNotClosing();
    // Another vault may have been opened in the meantime, which nobody asked to switch.
    if (runner.core?.vaultFolder !== plan.root) throw fail('vault.closing');
    runner.queue.addClosing(() => lockNow(runner, plan));
  },
});

/**
 * Closes the vault and forgets its keys, until somebody enters the password again; a file with it is not read. With a
 * plan, the vault is encrypted or decrypted, and opened again.
 */
async function lockNow(runner: Runner, plan: SwitchPlan | null): Promise<void> {
  keepSharePort(runner);
  await stopCore(runner);
  runner.core = null;
  lockAllVaults();
  if (runner.isStopping) return;
  const { vault } = await waitLocked(runner);
  if (plan !== null) vault.begin(plan);
}

/** Starts the core in place of the lock, under the same address. */
async function openUnlocked(runner: Runner): Promise<void> {
  if (runner.core !== null) return;
  await stopLocked(runner);
  if (runner.isStopping) return;
  try {
    await start(runner, true);
    runner.before = null;
  } catch (error) {
    // Another program took it while it was locked, or its disk went away or is damaged: the lock says so, and waits.
    const code = codeOfOpening(error);
    runner.own.log.error({ code, err: error }, 'the vault could not be opened after its password');
    lockAllVaults();
    await waitLocked(runner, code);
  }
}

/** Opens what was open before in place of a vault that waits for its password; false where there is nothing. */
function leaveLock(runner: Runner, vault: ClosedVault): boolean {
  const { before } = runner;
  if (before === null || vault.state().switching !== null) return false;
  runner.queue.add(() => goBack(runner, before));
  return true;
}

async function goBack(runner: Runner, before: NonNullable<Runner['before']>): Promise<void> {
  // Its password may have been entered at the same time, or it was left already.
  if (runner.locked === null || runner.before !== before) return;
  const { own } = runner;
  const folder = before.config['vault.path'];
  await stopLocked(runner);
  runner.before = null;
  runner.own = { ...own, isReadOnly: before.isReadOnly, config: { ...own.config, 'vault.path': folder } };
  try {
    await start(runner, true);
  } catch (error) {
    runner.own = own;
    return void (await waitLocked(runner, codeOfOpening(error)));
  }
  remember(runner, folder, before.isReadOnly !== true);
}

/** Puts a vault at the top of the list. */
function remember({ own }: Runner, folder: string, opensNext: boolean): void {
  try {
    rememberVault(configFolder(), folder, randomId(), opensNext);
  } catch (err) {
    own.log.error({ err }, 'the list of vaults could not be written');
  }
}

async function stopLocked(runner: Runner): Promise<void> {
  await Promise.all([runner.locked?.vault.stop(), runner.locked?.stop()]);
  runner.locked = null;
}

/** The next core listens where this one did. */
function keepPorts(runner: Runner, { url, backupsUrl }: Pick<Core, 'url' | 'backupsUrl'>): void {
  const ports = {
    'http.port': Number(new URL(url).port),
    ...(backupsUrl !== null && { 'phone_backups.port': Number(new URL(backupsUrl).port) }),
  };
  runner.own = { ...runner.own, config: { ...runner.own.config, ...ports } };
}

/** Links that were given out keep their port. */
function keepSharePort(runner: Runner): void {
  const shareUrl = coreOf(runner).shareUrl();
  if (shareUrl !== null)
    runner.own = { ...runner.own, config: { ...runner.own.config, 'share.port': Number(new URL(shareUrl).port) } };
}

async function restartWith(runner: Runner, step: RestartStep): Promise<void> {
  keepSharePort(runner);
  await stopCore(runner);
  try {
    step.apply();
    await start(runner);
  } catch {
    step.undo();
    await start(runner);
  }
}

const switchOf = (runner: Runner): VaultSwitch => ({
  failed: () => runner.switched.failed,
  movedFrom: () => runner.switched.movedFrom,
  switchTo(folder, options) {
    const move = 'prepare' in options ? options : null;
    // A move has been answered long ago.
    if (move === null) runner.queue.requireNotClosing();
    runner.queue.addClosing(() => openVault(runner, folder, options), { otherwise: () => move?.undo() });
  },
});

/** Closes the vault and opens another one, which the next start opens as well; goes back to this one if that fails. */
async function openVault(
  runner: Runner,
  folder: string,
  options: Parameters<VaultSwitch['switchTo']>[1],
): Promise<void> {
  const { own } = runner;
  const before = own.config['vault.path'];
  const list = readVaultList(configFolder());
  const move = 'prepare' in options ? options : null;
  const isReadOnly = 'isReadOnly' in options && options.isReadOnly;
  await stopCore(runner);
  try {
    await move?.prepare(() => void rememberVault(configFolder(), folder, randomId(), true));
    runner.own = { ...own, isReadOnly, config: { ...own.config, 'vault.path': folder } };
    await start(runner);
  } catch (err) {
    own.log.error({ err }, 'the other vault could not be opened');
    move?.undo();
    restoreVaultList(configFolder(), list, randomId());
    runner.own = own;
    runner.switched = { failed: codeOfSwitch(err, move !== null), movedFrom: null };
    return start(runner);
  }
  runner.switched = { failed: null, movedFrom: move?.movedFrom ?? null };
  runner.before = runner.locked && !move ? own : null;
  lockOtherVaults(folder);
  // The one that was open before is offered as well.
  if (!move) remember(runner, before, false);
  remember(runner, folder, !isReadOnly);
}

/** Opens the vault anew once its disk is back: what SQLite had open is of a disk that went away. */
function followDisk(runner: Runner): (trouble: VaultTrouble | null) => void {
  let wasGone = false;
  return (trouble) => {
    if (trouble === null && wasGone) runner.queue.addClosing(() => reopen(runner));
    wasGone = trouble === 'gone';
  };
}

/** How often a vault is looked for whose disk went away again. */
const LOOK_MS = 2000;

/** Starts anew on the same vault, and waits for it if its disk went away again; no empty one is made in its place. */
async function reopen(runner: Runner): Promise<void> {
  await stopCore(runner);
  runner.core = null;
  while (!runner.isStopping) {
    try {
      return await start(runner, true);
    } catch (error) {
      if (!(error instanceof VaultAbsent)) throw error;
      await systemClock.sleep(LOOK_MS);
    }
  }
}

/** A vault whose disk went away can't be closed in order; its journal is replayed at the next start. */
async function stopCore(runner: Runner): Promise<void> {
  const { log, stop } = coreOf(runner);
  await stop().catch((err: unknown) => log.error({ err }, 'the vault was not closed in order'));
}

async function openSample(runner: Runner, language: CoreLanguage): Promise<void> {
  const opened = await unpackSample(language).catch((err: unknown) => {
    coreOf(runner).log.error({ err }, 'the sample household could not be unpacked');
    return null;
  });
  if (opened === null) {
    runner.failed = 'open';
    return;
  }
  await select(runner, opened, 'open');
  if (runner.sample === null) opened.remove();
}

async function closeSample(runner: Runner): Promise<void> {
  const closed = runner.sample;
  await select(runner, null, 'close');
  if (runner.sample === null) closed?.remove();
}

/** Starts the core on another household, or again on the previous one if that fails. */
async function select(runner: Runner, household: SampleHousehold | null, name: 'open' | 'close'): Promise<void> {
  const previous = runner.sample;
  await coreOf(runner).stop();
  runner.sample = household;
  try {
    await start(runner);
  } catch (err) {
    coreOf(runner).log.error({ err }, 'the other household could not be opened');
    runner.sample = previous;
    runner.failed = name;
    await start(runner);
  }
}
