import type { Log } from '../../platform/kernel/log.ts';
import { createLimit } from './recovery.ts';

const WINDOW_MS = 10 * 60_000;
const MAX_RESTARTS = 3;
/** A core that has not started again after this time does not do so at all. */
const RESTART_MS = 30_000;

export interface CoreGuardDeps {
  now(): number;
  sleep(ms: number): Promise<unknown>;
  /** Stops the core, returns its running job to the queue, and starts it again. */
  restart(): Promise<void>;
  /** Starts the whole program again; the operating system then releases the vault. */
  relaunch(): void;
  /** Ends the program with a message, after several restarts in a row. */
  giveUp(error: unknown): void;
  log: Pick<Log, 'error'>;
}

type ErrorEvents = {
  on(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown;
};

/**
 * Starts the core again after an error that nothing caught. The queue is in the database, and a job that was
 * interrupted starts again at the same stage.
 */
export function guardCore(events: ErrorEvents, deps: CoreGuardDeps): void {
  const isTooOften = createLimit(MAX_RESTARTS, WINDOW_MS, deps.now);
  let isRestarting = false;
  const onError = (err: unknown): void => {
    // Nobody reads the terminal any more.
    if ((err as NodeJS.ErrnoException | null)?.code === 'EPIPE') return;
    deps.log.error({ err }, 'the core failed');
    // Errors of the core that is being stopped.
    if (isRestarting) return;
    if (isTooOften()) return deps.giveUp(err);
    isRestarting = true;
    void restart(deps).finally(() => {
      isRestarting = false;
    });
  };
  events.on('uncaughtException', onError);
  events.on('unhandledRejection', onError);
}

async function restart({ restart: restartCore, sleep, relaunch, log }: CoreGuardDeps): Promise<void> {
  const hasRestarted = await Promise.race([
    restartCore().then(
      () => true,
      () => false,
    ),
    sleep(RESTART_MS).then(() => false),
  ]);
  if (hasRestarted) return;
  log.error({}, 'the core did not start again; the program is started anew');
  relaunch();
}
