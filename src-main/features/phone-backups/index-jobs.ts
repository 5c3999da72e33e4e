import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ARTIFACTS, type ArtifactName } from '../../../src-shared/contract/phone-backups/artifacts.ts';
import type { IndexJob } from '../../../src-shared/contract/phone-backups/service.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import type { Log } from '../../platform/kernel/log.ts';
import type { IndexReader } from '../../../src-shared/ios-backup/artifacts/index-store/reader.ts';
import { openIndexReader } from './index-reader.repository.ts';
import type { OpenThread } from './open-thread.ts';

type ArtifactLine = IndexJob['artifacts'][number];
interface Job {
  lines: Map<ArtifactName, ArtifactLine>;
  status: IndexJob['status'];
  startedAt: string;
  finishedAt: string | null;
  abort: AbortController;
  ended: Promise<void>;
}

export interface IndexJobs {
  /** Begins to index, unless that is under way. `during` keeps the backup open. */
  start(
    backupId: string,
    thread: OpenThread,
    wanted: { artifacts: readonly ArtifactName[] | undefined; resume: boolean },
    during: (work: () => Promise<void>) => Promise<void>,
  ): IndexJob;
  state(backupId: string): IndexJob;
  cancel(backupId: string): Promise<IndexJob>;
  /** What was indexed, for reading; null when there is nothing. */
  reader(backupId: string): IndexReader | null;
  isRunning(backupId: string): boolean;
  remove(backupId: string): Promise<void>;
  /** Removes indexes of backups that nobody knows any more. */
  removeAllBut(backupIds: readonly string[]): void;
  close(): Promise<void>;
}

/** Jobs of `index_backup_job`, and the files that they fill: one for each backup, so that removing a backup removes all of it. */
export function createIndexJobs({
  folder,
  clock,
  log,
  ended,
}: {
  folder: string;
  clock: Clock;
  log: Log;
  /** A job is over: were all artifacts read? */ ended: (
    backupId: string,
    outcome: 'done' | 'failed' | 'cancelled',
  ) => void;
}): IndexJobs {
  const jobs = new Map<string, Job>();
  const readers = new Map<string, IndexReader>();
  const nameOf = (backupId: string): string =>
    `${createHash('sha256').update(backupId).digest('hex').slice(0, 40)}.sqlite`;
  const fileOf = (backupId: string): string => join(folder, nameOf(backupId));
  const now = (): string => toTimestamp(clock.now());

  function reader(backupId: string): IndexReader | null {
    const known = readers.get(backupId);
    if (known) return known;
    const made = openIndexReader(fileOf(backupId));
    if (made) readers.set(backupId, made);
    return made;
  }
  const closeReader = (backupId: string): void => {
    readers.get(backupId)?.close();
    readers.delete(backupId);
  };

  /** What the file says. */
  function stored(backupId: string): Map<ArtifactName, ArtifactLine> {
    const known = new Map(
      reader(backupId)
        ?.states()
        .map((state) => [state.artifact, state]),
    );
    return new Map(
      ARTIFACTS.flatMap((artifact): [ArtifactName, ArtifactLine][] => {
        const state = known.get(artifact);
        return state ? [[artifact, state]] : [];
      }),
    );
  }

  function state(backupId: string): IndexJob {
    const job = jobs.get(backupId);
    if (job)
      return {
        status: job.status,
        artifacts: [...job.lines.values()],
        started_at: job.startedAt,
        finished_at: job.finishedAt,
      };
    const lines = [...stored(backupId).values()];
    const status =
      lines.length === 0
        ? 'idle'
        : lines.some((line) => line.status === 'cancelled')
          ? 'cancelled'
          : lines.some((line) => line.status === 'failed')
            ? 'failed'
            : 'done';
    return {
      status,
      artifacts: lines,
      started_at: null,
      finished_at:
        lines
          .map((line) => line.finished_at)
          .filter((at) => at !== null)
          .sort()
          .at(-1) ?? null,
    };
  }

  async function run(backupId: string, thread: OpenThread, job: Job, artifacts: ArtifactName[]): Promise<void> {
    job.status = 'running';
    try {
      // A reader of a file that is made anew would look at the old one.
      closeReader(backupId);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      await thread.call(
        'index',
        { file: fileOf(backupId), artifacts },
        {
          signal: job.abort.signal,
          progress: ({ artifact, status, rows, total, skipped }) =>
            void job.lines.set(artifact, {
              artifact,
              status,
              rows,
              total,
              skipped,
              finished_at: status === 'running' ? null : now(),
            }),
        },
      );
      const lines = [...job.lines.values()];
      job.status = lines.some((line) => line.status === 'cancelled')
        ? 'cancelled'
        : lines.some((line) => line.status === 'failed')
          ? 'failed'
          : 'done';
    } catch (error) {
      const locked = (error as { code?: string }).code === 'phone.session_invalid';
      if (!locked) log.error({ err: error }, 'indexing a phone backup failed');
      for (const [artifact, line] of job.lines)
        if (line.status === 'running' || line.status === 'waiting')
          job.lines.set(artifact, {
            ...line,
            status: locked || job.abort.signal.aborted ? 'cancelled' : 'failed',
            finished_at: now(),
          });
      job.status = locked || job.abort.signal.aborted ? 'cancelled' : 'failed';
    }
    job.finishedAt = now();
    ended(backupId, job.status === 'done' || job.status === 'failed' ? job.status : 'cancelled');
  }

  const isRunning = (backupId: string): boolean => ['queued', 'running'].includes(jobs.get(backupId)?.status ?? 'idle');

  const self: IndexJobs = {
    start(backupId, thread, { artifacts = ARTIFACTS, resume }, during) {
      if (isRunning(backupId)) return state(backupId);
      const before = stored(backupId);
      const isDone = (artifact: ArtifactName): boolean =>
        ['done', 'absent'].includes(before.get(artifact)?.status ?? '');
      const wanted = ARTIFACTS.filter((artifact) => artifacts.includes(artifact) && !(resume && isDone(artifact)));
      const lines = before;
      for (const artifact of wanted)
        lines.set(artifact, { artifact, status: 'waiting', rows: 0, total: null, skipped: 0, finished_at: null });
      const job: Job = {
        lines,
        status: 'queued',
        startedAt: now(),
        finishedAt: null,
        abort: new AbortController(),
        ended: Promise.resolve(),
      };
      jobs.set(backupId, job);
      job.ended = during(() => run(backupId, thread, job, wanted));
      return state(backupId);
    },
    state,
    async cancel(backupId) {
      const job = jobs.get(backupId);
      if (job && isRunning(backupId)) {
        job.abort.abort();
        await job.ended;
      }
      return state(backupId);
    },
    reader,
    isRunning,
    async remove(backupId) {
      await self.cancel(backupId);
      jobs.delete(backupId);
      closeReader(backupId);
      for (const end of ['', '-wal', '-shm']) rmSync(fileOf(backupId) + end, { force: true });
    },
    removeAllBut(backupIds) {
      const kept = new Set(backupIds.map(nameOf));
      let names: string[];
      try {
        names = readdirSync(folder);
      } catch {
        // Nothing was ever indexed.
        return;
      }
      for (const name of names)
        if (!kept.has(name.replace(/-(wal|shm)$/, ''))) rmSync(join(folder, name), { force: true });
    },
    async close() {
      for (const job of jobs.values()) job.abort.abort();
      await Promise.all([...jobs.values()].map((job) => job.ended));
      for (const backupId of [...readers.keys()]) closeReader(backupId);
    },
  };
  return self;
}
