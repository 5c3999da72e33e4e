import type { BackupProgress, BACKUP_TASKS } from '../../../src-shared/contract/vault-backups.ts';
import type { LiveMessage } from '../../../src-shared/contract/live.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import type { Log } from '../../platform/kernel/log.ts';
import type { BackupRepository } from './repository.ts';
import { codeOf } from './tasks.ts';
import type { Report } from './write.ts';

type Task = (typeof BACKUP_TASKS)[number];

export interface RunnerDeps {
  repository: BackupRepository;
  clock: Clock;
  log: Log;
  announce(message: LiveMessage): void;
}

/** What a task receives from its runner. */
export interface TaskControl {
  signal: AbortSignal;
  report: Report;
}

/** Runs one backup task at a time in the background, announces its progress and stores its outcome. */
export class TaskRunner {
  readonly #deps: RunnerDeps;
  #running: { progress: BackupProgress; stop: AbortController; ended: Promise<void> } | null = null;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
  }

  get progress(): BackupProgress | null {
    return this.#running?.progress ?? null;
  }

  /** @throws `backup.busy` while a task runs */
  requireIdle(): void {
    if (this.#running) throw fail('backup.busy');
  }

  begin(task: Task, backupId: number, work: (control: TaskControl) => Promise<void>): void {
    const stop = new AbortController();
    const progress: BackupProgress = { task, backup_id: backupId, phase: 'database', done: 0, total: 1 };
    const ended = work({ signal: stop.signal, report: this.#report })
      .then(
        () => this.#recordSuccess(task),
        (error: unknown) => this.#recordFailure(task, error, stop.signal.aborted),
      )
      .finally(() => {
        this.#running = null;
        this.#deps.announce({ kind: 'backup', progress: null });
      });
    this.#running = { progress, stop, ended };
    this.#deps.announce({ kind: 'backup', progress });
  }

  /** Stops the running task and waits for its end. */
  async halt(): Promise<void> {
    this.#running?.stop.abort();
    await this.#running?.ended;
  }

  readonly #report: Report = (phase, done, total) => {
    if (!this.#running) return;
    this.#running.progress = { ...this.#running.progress, phase, done, total };
    this.#deps.announce({ kind: 'backup', progress: this.#running.progress });
  };

  #recordSuccess(task: Task): void {
    const { repository, clock } = this.#deps;
    // After a restore, this vault runs again only if the restored one could not be opened.
    if (task === 'restore') repository.remember('backup.last_error', 'backup.failed', toTimestamp(clock.now()));
    else repository.forget('backup.last_error');
  }

  #recordFailure(task: Task, err: unknown, wasStopped: boolean): void {
    const { repository, clock, log } = this.#deps;
    if (!wasStopped) log.error({ err, task }, 'a backup task failed');
    repository.remember('backup.last_error', wasStopped ? 'backup.interrupted' : codeOf(err), toTimestamp(clock.now()));
  }
}
