import type { ArtifactName } from '../../../src-shared/contract/phone-backups/artifacts.ts';
import { encodeRows } from '../../../src-shared/ios-backup/artifacts/index-store/row-encoding.ts';
import type { ArtifactState } from '../../../src-shared/ios-backup/artifacts/index-store/writer.ts';
import { createPeople, type People } from '../../../src-shared/ios-backup/artifacts/people.ts';
import { READERS } from '../../../src-shared/ios-backup/artifacts/readers.ts';
import type { ArtifactSource } from '../../../src-shared/ios-backup/artifacts/source.ts';
import { systemClock, toTimestamp } from '../../platform/kernel/clock.ts';
import { startIndexWriter, type ThreadedWriter } from './index-writer.ts';
import type { IndexProgress } from './thread-requests.ts';

/** Rows between two progress reports. */
const ROWS_PER_REPORT = 10_000;

interface IndexJob {
  source: ArtifactSource;
  /** The index file of the backup. */
  file: string;
  artifacts: readonly ArtifactName[];
  isCancelled(): boolean;
  progress(progress: IndexProgress): void;
}
type ArtifactJob = Pick<IndexJob, 'source' | 'isCancelled' | 'progress'> & { people: People; writer: ThreadedWriter };

class Cancelled extends Error {}

/**
 * `index_backup_job`: reads the artifacts of a backup into its index, in this order. Contacts provide the names of
 * people for the others, so they should be the first. Each artifact is one transaction that replaces its rows; if it
 * fails or is canceled, the previous rows remain. Runs in the backup's thread.
 */
export async function indexArtifacts({ file, artifacts, ...job }: IndexJob): Promise<void> {
  const writer = startIndexWriter(file);
  const artifactJob = { ...job, writer, people: createPeople() };
  try {
    // This is the state that remains if the program ends before the artifact is finished.
    for (const artifact of new Set(artifacts))
      await writer.setState({ artifact, status: 'cancelled', rows: 0, total: null, skipped: 0, finished_at: null });
    if (!artifacts.includes('contacts')) await readNames(artifactJob);
    for (const artifact of artifacts) await indexArtifact(artifact, artifactJob);
  } finally {
    await writer.close();
  }
}

/** Reads the contacts only for their names. */
async function readNames({ source, people, isCancelled }: ArtifactJob): Promise<void> {
  const tools = { people, expect: () => undefined, skip: () => undefined };
  for await (const _batch of READERS.contacts.read(source, tools)) if (isCancelled()) break;
}

async function indexArtifact(artifact: ArtifactName, job: ArtifactJob): Promise<void> {
  const { writer, isCancelled, progress } = job;
  const state: ArtifactState = { artifact, status: 'running', rows: 0, total: null, skipped: 0, finished_at: null };
  const report = (): void => {
    const { finished_at: _finishedAt, ...reported } = state;
    progress(reported);
  };
  const endWith = (status: ArtifactState['status']): ArtifactState =>
    Object.assign(state, { status, finished_at: toTimestamp(systemClock.now()) });
  if (isCancelled()) {
    await writer.setState(endWith('cancelled'));
    return report();
  }
  report();
  try {
    await writer.begin(artifact);
    const hasRows = await addRows(state, job, report);
    await writer.commit(endWith(hasRows ? 'done' : 'absent'));
  } catch (error) {
    await writer.rollback();
    await writer.setState(endWith(error instanceof Cancelled || isCancelled() ? 'cancelled' : 'failed'));
  }
  report();
}

/** Reads the rows of an artifact and returns whether the backup has any of its databases. */
async function addRows(state: ArtifactState, job: ArtifactJob, report: () => void): Promise<boolean> {
  let hasDatabase = false;
  let reportedRows = 0;
  const tools = {
    people: job.people,
    expect: (rows: number) => {
      state.total = (state.total ?? 0) + rows;
      report();
    },
    skip: () => {
      state.skipped += 1;
    },
  };
  for await (const batch of READERS[state.artifact].read(job.source, tools)) {
    if (job.isCancelled()) throw new Cancelled();
    hasDatabase = true;
    await job.writer.add(encodeRows(batch));
    state.rows += batch.rows.length;
    if (state.rows - reportedRows < ROWS_PER_REPORT) continue;
    reportedRows = state.rows;
    report();
  }
  return hasDatabase;
}
