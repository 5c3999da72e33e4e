import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ARTIFACTS, type ArtifactName } from '../../../src-shared/contract/phone-backups/artifacts.ts';
import type { IndexJob } from '../../../src-shared/contract/phone-backups/service.ts';
import type { IndexReader } from '../../../src-shared/ios-backup/artifacts/index-store/reader.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import type { Log } from '../../platform/kernel/log.ts';
import { openIndexReader } from './index-reader.repository.ts';
import type { OpenThread } from './open-thread.ts';
import type { IndexProgress } from './thread-requests.ts';

type ArtifactProgress = IndexJob['artifacts'][number];
interface Job {
  progress: Map<ArtifactName, ArtifactProgress>;
  status: IndexJob['status'];
  startedAt: string;
  finishedAt: string | null;
  abort: AbortController;
  ended: Promise<void>;
}
export interface IndexRequest {
  artifacts: readonly ArtifactName[] | undefined;
  /** Whether to index only artifacts that an earlier job did not finish. */
  resume: boolean;
}
interface IndexJobDeps {
  /** Folder of the index files. */
  folder: string;
  clock: Clock;
  log: Log;
  /** Called at the end of a job; `done` means that all artifacts were read. */
  onEnd: (backupId: string, outcome: 'done' | 'failed' | 'cancelled') => void;
}

export interface IndexJobs {
  /** Starts indexing unless a job is running. `keepOpen` keeps the backup open meanwhile. */
  start(
    backupId: string,
    thread: OpenThread,
    request: IndexRequest,
    keepOpen: (work: () => Promise<void>) => Promise<void>,
  ): IndexJob;
  state(backupId: string): IndexJob;
  cancel(backupId: string): Promise<IndexJob>;
  /** The index for reading; null if there is none. */
  reader(backupId: string): IndexReader | null;
  isRunning(backupId: string): boolean;
  remove(backupId: string): Promise<void>;
  /** Deletes the indexes of all other backups. */
  removeAllBut(backupIds: readonly string[]): void;
  close(): Promise<void>;
}

/**
 * Creates the `index_backup_job` runner. Each backup has its own index file, so that deleting the file removes the
 * whole index.
 */
export const createIndexJobs = (deps: IndexJobDeps): IndexJobs => new JobRunner(deps);

class JobRunner implements IndexJobs {
  readonly #deps: IndexJobDeps;
  readonly #jobs = new Map<string, Job>();
  readonly #readers = new Map<string, IndexReader>();

  constructor(deps: IndexJobDeps) {
    this.#deps = deps;
  }

  start(
    backupId: string,
    thread: OpenThread,
    { artifacts = ARTIFACTS, resume }: IndexRequest,
    keepOpen: (work: () => Promise<void>) => Promise<void>,
  ): IndexJob {
    if (this.isRunning(backupId)) return this.state(backupId);
    const progress = this.#storedProgress(backupId);
    const isFinished = (artifact: ArtifactName): boolean =>
      ['done', 'absent'].includes(progress.get(artifact)?.status ?? '');
    const hasFailed = (artifact: ArtifactName): boolean =>
      this.#jobs.get(backupId)?.progress.get(artifact)?.status === 'failed';
    const pending = ARTIFACTS.filter((artifact) => artifacts.includes(artifact) && !(resume && isFinished(artifact)))
      // What failed before may end the process again, so it comes last.
      .sort((a, b) => Number(hasFailed(a)) - Number(hasFailed(b)));
    for (const artifact of pending)
      progress.set(artifact, { artifact, status: 'waiting', rows: 0, total: null, skipped: 0, finished_at: null });
    const job: Job = {
      progress,
      status: 'queued',
      startedAt: this.#now(),
      finishedAt: null,
      abort: new AbortController(),
      ended: Promise.resolve(),
    };
    this.#jobs.set(backupId, job);
    job.ended = keepOpen(() => this.#run(backupId, thread, job, pending));
    return this.state(backupId);
  }

  state(backupId: string): IndexJob {
    const job = this.#jobs.get(backupId);
    if (!job) return storedState([...this.#storedProgress(backupId).values()]);
    return {
      status: job.status,
      artifacts: [...job.progress.values()],
      started_at: job.startedAt,
      finished_at: job.finishedAt,
    };
  }

  async cancel(backupId: string): Promise<IndexJob> {
    const job = this.#jobs.get(backupId);
    if (job && this.isRunning(backupId)) {
      job.abort.abort();
      await job.ended;
    }
    return this.state(backupId);
  }

  reader(backupId: string): IndexReader | null {
    const openReader = this.#readers.get(backupId);
    if (openReader) return openReader;
    const reader = openIndexReader(this.#fileOf(backupId));
    if (reader) this.#readers.set(backupId, reader);
    return reader;
  }

  isRunning(backupId: string): boolean {
    return ['queued', 'running'].includes(this.#jobs.get(backupId)?.status ?? 'idle');
  }

  async remove(backupId: string): Promise<void> {
    await this.cancel(backupId);
    this.#jobs.delete(backupId);
    this.#closeReader(backupId);
    for (const suffix of ['', '-wal', '-shm']) rmSync(this.#fileOf(backupId) + suffix, { force: true });
  }

  removeAllBut(backupIds: readonly string[]): void {
    const { folder } = this.#deps;
    const expected = new Set(backupIds.map(indexName));
    for (const name of filesIn(folder))
      if (!expected.has(name.replace(/-(wal|shm)$/, ''))) rmSync(join(folder, name), { force: true });
  }

  async close(): Promise<void> {
    for (const job of this.#jobs.values()) job.abort.abort();
    await Promise.all([...this.#jobs.values()].map((job) => job.ended));
    for (const backupId of [...this.#readers.keys()]) this.#closeReader(backupId);
  }

  async #run(backupId: string, thread: OpenThread, job: Job, artifacts: ArtifactName[]): Promise<void> {
    job.status = 'running';
    try {
      // The file may be replaced, and an open reader would keep reading the old one.
      this.#closeReader(backupId);
      mkdirSync(this.#deps.folder, { recursive: true, mode: 0o700 });
      await thread.call(
        'index',
        { file: this.#fileOf(backupId), artifacts },
        { signal: job.abort.signal, progress: (progress) => this.#noteProgress(job, progress) },
      );
      job.status = outcomeOf([...job.progress.values()]);
    } catch (error) {
      this.#noteFailure(job, error);
    }
    job.finishedAt = this.#now();
    this.#deps.onEnd(backupId, job.status === 'done' || job.status === 'failed' ? job.status : 'cancelled');
  }

  #noteProgress(job: Job, { artifact, status, rows, total, skipped }: IndexProgress): void {
    const finished_at = status === 'running' ? null : this.#now();
    job.progress.set(artifact, { artifact, status, rows, total, skipped, finished_at });
  }

  #noteFailure(job: Job, error: unknown): void {
    const { code } = error as { code?: string };
    const isLocked = code === 'phone.session_invalid';
    if (!isLocked) this.#deps.log.error({ err: error }, 'indexing a phone backup failed');
    const status = isLocked || job.abort.signal.aborted ? 'cancelled' : 'failed';
    // Only the artifact that was being read can be the reason that the process ended.
    const statusOfWaiting = code === 'phone.too_demanding' ? 'cancelled' : status;
    for (const [artifact, progress] of job.progress)
      if (progress.status === 'running' || progress.status === 'waiting')
        job.progress.set(artifact, {
          ...progress,
          status: progress.status === 'running' ? status : statusOfWaiting,
          finished_at: this.#now(),
        });
    job.status = status;
  }

  /** The progress that the index file has stored. */
  #storedProgress(backupId: string): Map<ArtifactName, ArtifactProgress> {
    const states = this.reader(backupId)?.states() ?? [];
    const byArtifact = new Map(states.map((state) => [state.artifact, state]));
    return new Map(
      ARTIFACTS.flatMap((artifact): [ArtifactName, ArtifactProgress][] => {
        const state = byArtifact.get(artifact);
        return state ? [[artifact, state]] : [];
      }),
    );
  }

  #fileOf(backupId: string): string {
    return join(this.#deps.folder, indexName(backupId));
  }

  #closeReader(backupId: string): void {
    this.#readers.get(backupId)?.close();
    this.#readers.delete(backupId);
  }

  #now(): string {
    return toTimestamp(this.#deps.clock.now());
  }
}

const indexName = (backupId: string): string =>
  `${createHash('sha256').update(backupId).digest('hex').slice(0, 40)}.sqlite`;

/** The state of a backup without a job in this process. */
const storedState = (artifacts: ArtifactProgress[]): IndexJob => ({
  status: artifacts.length === 0 ? 'idle' : outcomeOf(artifacts),
  artifacts,
  started_at: null,
  finished_at:
    artifacts
      .map(({ finished_at: at }) => at)
      .filter((at) => at !== null)
      .sort()
      .at(-1) ?? null,
});

function outcomeOf(artifacts: readonly ArtifactProgress[]): 'done' | 'failed' | 'cancelled' {
  if (artifacts.some(({ status }) => status === 'cancelled')) return 'cancelled';
  return artifacts.some(({ status }) => status === 'failed') ? 'failed' : 'done';
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The folder does not exist before the first job.
    return [];
  }
}
