import type { ArtifactName } from '../../../src-shared/contract/phone-backups/artifacts.ts';
import { createPeople } from '../../../src-shared/ios-backup/artifacts/people.ts';
import { READERS } from '../../../src-shared/ios-backup/artifacts/readers.ts';
import type { ArtifactSource } from '../../../src-shared/ios-backup/artifacts/source.ts';
import { systemClock, toTimestamp } from '../../platform/kernel/clock.ts';
import { encodeRows } from '../../../src-shared/ios-backup/artifacts/index-store/row-encoding.ts';
import type { ArtifactState } from '../../../src-shared/ios-backup/artifacts/index-store/writer.ts';
import { startIndexWriter, type ThreadedWriter } from './index-writer.ts';
import type { IndexProgress } from './thread-requests.ts';

/** Rows between two words of how far it is. */
const TOLD_EVERY = 10_000;

interface IndexJob {
  source: ArtifactSource;
  /** The index of this backup. */
  file: string;
  artifacts: readonly ArtifactName[];
  isCancelled(): boolean;
  progress(progress: IndexProgress): void;
}

class Cancelled extends Error {}

/**
 * `index_backup_job`: reads the artifacts of a backup into its index, in the order in which they are named by each other. Each is one
 * transaction that replaces the rows of before; one that fails or is cancelled leaves them as they were. Runs in the backup's thread.
 */
export async function indexArtifacts({ source, file, artifacts, isCancelled, progress }: IndexJob): Promise<void> {
  const writer = startIndexWriter(file);
  const people = createPeople();
  const wanted = new Set(artifacts);
  try {
    // Should the program end in the middle, this is what is left to say of them.
    for (const artifact of wanted)
      await writer.setState({ artifact, status: 'cancelled', rows: 0, total: null, skipped: 0, finished_at: null });
    for (const [name, reader] of Object.entries(READERS) as [ArtifactName, (typeof READERS)[ArtifactName]][]) {
      if (wanted.has(name)) await indexOne(writer, name, { source, people, isCancelled, progress });
      // Names are needed even where contacts are not indexed again.
      else if (name === 'contacts')
        for await (const _rows of reader.read(source, { people, expect: () => undefined, skip: () => undefined }))
          if (isCancelled()) break;
    }
  } finally {
    await writer.close();
  }
}

async function indexOne(
  writer: ThreadedWriter,
  artifact: ArtifactName,
  {
    source,
    people,
    isCancelled,
    progress,
  }: Pick<IndexJob, 'source' | 'isCancelled' | 'progress'> & { people: ReturnType<typeof createPeople> },
): Promise<void> {
  const state: ArtifactState = { artifact, status: 'running', rows: 0, total: null, skipped: 0, finished_at: null };
  const tell = (): void =>
    progress({ artifact, status: state.status, rows: state.rows, total: state.total, skipped: state.skipped });
  let told = 0;
  const ended = (status: ArtifactState['status']): ArtifactState =>
    Object.assign(state, { status, finished_at: toTimestamp(systemClock.now()) });
  if (isCancelled()) {
    await writer.setState(ended('cancelled'));
    return tell();
  }
  tell();
  try {
    await writer.begin(artifact);
    let any = false;
    const tools = {
      people,
      expect: (rows: number) => {
        state.total = (state.total ?? 0) + rows;
        tell();
      },
      skip: () => {
        state.skipped += 1;
      },
    };
    for await (const batch of READERS[artifact].read(source, tools)) {
      if (isCancelled()) throw new Cancelled();
      any = true;
      await writer.add(encodeRows(batch));
      state.rows += batch.rows.length;
      if (state.rows - told < TOLD_EVERY) continue;
      told = state.rows;
      tell();
    }
    await writer.commit(ended(any ? 'done' : 'absent'));
  } catch (error) {
    await writer.rollback();
    await writer.setState(ended(error instanceof Cancelled || isCancelled() ? 'cancelled' : 'failed'));
  }
  tell();
}
