import type { SampleSwitch } from '../features/sample/service.ts';
import type { RestartStep } from '../features/vault-backups/service.ts';
import type { Desk } from './desk.ts';
import { startCore, type Core, type CoreOptions } from './core.ts';
import { OPEN_SAMPLE, unpackSample, type SampleHousehold } from './demo/household.ts';

export interface RunningCore extends Pick<Core, 'url' | 'backupsUrl' | 'shareUrl' | 'log'> {
  /** The folder of the vault that is open now. */
  vaultFolder(): string;
  desk: Desk;
  /**
   * Starts the core anew under the same address; the running job goes back to the queue.
   */
  restart(): Promise<void>;
  /** Calls `listener` after something has changed, also in cores that are started later. */
  onActivity(listener: () => void): void;
  phones: Omit<Core['phones'], 'baseDirectory'> & { baseDirectory(): string };
  stop(): Promise<void>;
}

interface RunOptions extends Omit<CoreOptions, 'restart' | 'samples' | 'keyFolder' | 'onActivity'> {
  /** Starts with the sample household instead of the own vault. */
  startsWithSample?: boolean;
}

type OwnOptions = Omit<RunOptions, 'startsWithSample'>;

/** What runs now. */
interface Runner {
  own: OwnOptions;
  onError: (error: unknown) => void;
  /** Null until it has started for the first time. */
  core: Core | null;
  /** The sample household, if it is open instead of the own vault. */
  sample: SampleHousehold | null;
  failed: SampleSwitch['failed'];
  /** Restarts, one after the other. */
  pending: Promise<void>;
  listeners: (() => void)[];
}

/**
 * Runs the core under one address through a restore and through a switch to the sample household and back: stops it,
 * takes the step, and starts again. If that fails, the previous state is restored; `onError` is called if that does not
 * start either. The own vault is closed while the sample household is open.
 */
export async function runCore(
  { startsWithSample = false, ...own }: RunOptions,
  onError: (error: unknown) => void,
): Promise<RunningCore> {
  const sample = startsWithSample ? await unpackSample() : null;
  const runner: Runner = { own, onError, core: null, sample, failed: null, pending: Promise.resolve(), listeners: [] };
  await start(runner).catch((error: unknown) => {
    sample?.remove();
    throw error;
  });
  const { url, backupsUrl, log } = coreOf(runner);
  const ports = {
    'http.port': Number(new URL(url).port),
    ...(backupsUrl !== null && { 'phone_backups.port': Number(new URL(backupsUrl).port) }),
  };
  runner.own = { ...own, config: { ...own.config, ...ports } };
  return {
    url,
    backupsUrl,
    log,
    shareUrl: () => coreOf(runner).shareUrl(),
    vaultFolder: () => coreOf(runner).vaultFolder,
    phones: {
      baseDirectory: () => coreOf(runner).phones.baseDirectory,
      lockAll: () => coreOf(runner).phones.lockAll(),
      folders: () => coreOf(runner).phones.folders(),
      foldersIn: (folder) => coreOf(runner).phones.foldersIn(folder),
    },
    desk: deskOf(runner),
    restart() {
      enqueue(runner, () => restartWith(runner, NO_STEP));
      return runner.pending;
    },
    onActivity: (listener) => void runner.listeners.push(listener),
    async stop() {
      await runner.pending;
      await coreOf(runner).stop();
      runner.sample?.remove();
    },
  };
}

function coreOf({ core }: Runner): Core {
  if (core === null) throw new Error('The core has not been started.');
  return core;
}

/** The desk of whichever core runs. */
const deskOf = (runner: Runner): Desk => ({
  activity: (cookie) => coreOf(runner).desk.activity(cookie),
  fileOf: (cookie, documentId) => coreOf(runner).desk.fileOf(cookie, documentId),
  isSignedIn: (cookie) => coreOf(runner).desk.isSignedIn(cookie),
  isAdministrator: (cookie) => coreOf(runner).desk.isAdministrator(cookie),
  shareAddress: () => coreOf(runner).desk.shareAddress(),
  hasLiveShares: () => coreOf(runner).desk.hasLiveShares(),
  holdReading: (error) => coreOf(runner).desk.holdReading(error),
  releaseReading: (code) => coreOf(runner).desk.releaseReading(code),
});

/** Restarts what runs as it is. */
const NO_STEP: RestartStep = { apply: () => undefined, undo: () => undefined };

function enqueue(runner: Runner, work: () => Promise<void>): void {
  runner.pending = runner.pending.then(work).catch(runner.onError);
}

/** Starts the core on the household that is selected. */
async function start(runner: Runner): Promise<void> {
  const { own, sample } = runner;
  const samples: SampleSwitch = {
    open: sample && OPEN_SAMPLE,
    get failed() {
      return runner.failed;
    },
    switchTo(household) {
      runner.failed = null;
      enqueue(runner, () => (household === 'sample' ? openSample(runner) : closeSample(runner)));
    },
  };
  const restart = (step: RestartStep): void => enqueue(runner, () => restartWith(runner, step));
  const onActivity = (): void => runner.listeners.forEach((listener) => listener());
  const core = await startCore({ ...own, restart, samples, onActivity, ...sample?.optionsFor(own.config) });
  await sample?.moveFollowUps(core);
  runner.core = core;
}

async function restartWith(runner: Runner, step: RestartStep): Promise<void> {
  const core = coreOf(runner);
  // Links that were given out keep their port.
  const shareUrl = core.shareUrl();
  if (shareUrl !== null)
    runner.own = { ...runner.own, config: { ...runner.own.config, 'share.port': Number(new URL(shareUrl).port) } };
  await core.stop();
  try {
    step.apply();
    await start(runner);
  } catch {
    step.undo();
    await start(runner);
  }
}

async function openSample(runner: Runner): Promise<void> {
  const opened = await unpackSample().catch((err: unknown) => {
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
