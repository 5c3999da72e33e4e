import type { BrowserWindow, MessageBoxOptions } from 'electron';
import type { ShellTexts } from '../../../src-shared/contract/menu-labels.ts';
import type { Log } from '../../platform/kernel/log.ts';

const WINDOW_MS = 60_000;
const MAX_CRASHES = 3;

export interface RecoveryDeps {
  now(): number;
  texts(): ShellTexts;
  /** Shows the page anew. */
  reload(): void;
  ask(options: MessageBoxOptions): Promise<{ response: number }>;
  quit(): void;
  log: Pick<Log, 'error' | 'warn'>;
}

/** Counts what happens, and tells whether it happened more than `max` times in `windowMs`. */
export function createLimit(max: number, windowMs: number, now: () => number): () => boolean {
  let times: number[] = [];
  return () => {
    times = [...times.filter((at) => at > now() - windowMs), now()];
    return times.length > max;
  };
}

/**
 * Shows the page again after its process has crashed, and asks after several crashes in a row; offers to reload a page
 * that hangs. Core and queue go on meanwhile, since they are in another process.
 */
export function followCrashes({ webContents }: Pick<BrowserWindow, 'webContents'>, deps: RecoveryDeps): void {
  const isTooOften = createLimit(MAX_CRASHES, WINDOW_MS, deps.now);
  webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    deps.log.error({ reason, code: exitCode }, 'the page crashed');
    if (isTooOften()) void askAfterCrash(deps);
    else deps.reload();
  });
  let question: AbortController | null = null;
  webContents.on('unresponsive', () => {
    if (question) return;
    question = new AbortController();
    void askWhileHanging(deps, question.signal).then((isReload) => {
      question = null;
      if (!isReload) return;
      deps.log.warn({}, 'the page hung and was reloaded');
      webContents.forcefullyCrashRenderer();
    });
  });
  // Closes the question.
  webContents.on('responsive', () => question?.abort());
}

async function askAfterCrash({ ask, texts, reload, quit }: RecoveryDeps): Promise<void> {
  const { crashed, hangs_reload: again, quit: end } = texts();
  const { response } = await ask({ type: 'error', message: crashed, buttons: [again, end], defaultId: 0, cancelId: 0 });
  if (response === 1) quit();
  else reload();
}

async function askWhileHanging({ ask, texts }: RecoveryDeps, signal: AbortSignal): Promise<boolean> {
  const { hangs, hangs_wait: wait, hangs_reload: reload } = texts();
  const options = { type: 'warning', message: hangs, buttons: [wait, reload], defaultId: 0, cancelId: 0 } as const;
  const { response } = await ask({ ...options, buttons: [...options.buttons], signal });
  return response === 1 && !signal.aborted;
}
