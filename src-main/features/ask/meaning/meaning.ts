import type { Database } from '../../../platform/database/connection.ts';
import { loadVectorFunctions } from '../../../platform/database/vector-functions.ts';
import { bindFirst } from '../../../platform/kernel/bind-first.ts';
import type { Embedder } from '../../../reading/providers/models/embedder.ts';
import { createFiller, type FillDeps, type Filler, type FillStatus } from './fill.ts';
import { createVectorRepository, type MeantPassage, type Neighbors, type VectorRepository } from './repository.ts';
import { toBytes } from './vector.ts';

export interface MeaningDeps extends Pick<FillDeps, 'clock' | 'log' | 'embedder' | 'loadPages'> {
  db: Database;
}

/** Finds passages by their meaning, if a model for vectors is chosen. Without one it does nothing. */
export interface Meaning {
  /** Begins to make missing vectors, now and after each change. */
  start(): void;
  /** The setup may have changed. */
  wake(): void;
  stop(): Promise<void>;
  status(): FillStatus;
  /** Whether vectors can be compared on this computer. */
  canCompare(): Promise<boolean>;
  /** Passages of one patient whose meaning is near to the question, the nearest first; none if that can't be told now. */
  near(patientId: number, question: string, signal: AbortSignal): Promise<MeantPassage[]>;
}

const MAX_NEAR = 12;
/** An answer does not wait longer: it has the passages with the words of the question anyway. */
const MAX_WAIT_MS = 20_000;

interface State extends MeaningDeps {
  repository: VectorRepository;
  filler: Filler;
}

export function createMeaning(deps: MeaningDeps): Meaning {
  const { db } = deps;
  const repository = createVectorRepository(db);
  const canCompare = (): Promise<boolean> => loadVectorFunctions(db.sqlite);
  const filler = createFiller({ ...deps, repository, canCompare });
  return {
    start() {
      db.afterCommit(filler.wake);
      filler.wake();
    },
    wake: filler.wake,
    stop: filler.stop,
    status: filler.status,
    canCompare,
    ...bindFirst<State, { near: typeof findNear }>({ ...deps, repository, filler }, { near: findNear }),
  };
}

async function findNear(
  { db, clock, embedder, repository }: State,
  patientId: number,
  question: string,
  signal: AbortSignal,
): Promise<MeantPassage[]> {
  const model = embedder.model();
  if (model === null || !repository.has(patientId, model) || !(await loadVectorFunctions(db.sqlite))) return [];
  const vector = await vectorOf({ clock, embedder }, question, signal);
  return vector ? outstanding(repository.nearest(patientId, model, vector, MAX_NEAR)) : [];
}

async function vectorOf(
  { clock, embedder }: { clock: MeaningDeps['clock']; embedder: Embedder },
  question: string,
  signal: AbortSignal,
): Promise<Buffer | null> {
  const [limit, end] = [new AbortController(), new AbortController()];
  void clock.sleep(MAX_WAIT_MS, end.signal).then((passed) => passed && limit.abort());
  const embedded = await embedder.embed([question], 'question', AbortSignal.any([signal, limit.signal]));
  end.abort();
  const [vector] = embedded.ok ? embedded.value.vectors : [];
  return vector ? toBytes(vector) : null;
}

/**
 * The passages that are nearer than the nearest one of as many random ones would be (the expected maximum of normally
 * distributed values). Each model has its own scale, so that no fixed limit fits all.
 */
export function outstanding({ nearest, count, mean, deviation }: Neighbors): MeantPassage[] {
  const least = mean + deviation * Math.sqrt(2 * Math.log(count));
  return nearest.filter(({ similarity }) => similarity > least);
}
