import type { EmbeddingRow } from '../../../../src-shared/contract/meaning.ts';
import type { PageText } from '../../../../src-shared/medical/page.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import type { Log } from '../../../platform/kernel/log.ts';
import type { Embedder } from '../../../reading/providers/models/embedder.ts';
import type { FailedOutcome, ProviderFailure } from '../../../reading/providers/provider.ts';
import { passagesOf } from './passages.ts';
import type { VectorRepository } from './repository.ts';
import { toBytes } from './vector.ts';

export interface FillDeps {
  clock: Clock;
  log: Log;
  embedder: Embedder;
  repository: VectorRepository;
  /** The pages of a document, as stored. */
  loadPages: (documentId: number) => Promise<PageText[]>;
  /** Whether vectors can be compared on this computer. */
  canCompare: () => Promise<boolean>;
}

export type FillState = EmbeddingRow['state'];
export interface FillStatus {
  state: FillState;
  /** Why it waits, or why the last document was left out. */
  failure: FailedOutcome | null;
}

/** Makes vectors for documents without them, one after another, whenever it is woken. */
export interface Filler {
  wake(): void;
  status(): FillStatus;
  stop(): Promise<void>;
}

interface State extends FillDeps {
  stopping: AbortController;
  isWoken: boolean;
  running: Promise<void> | null;
  status: FillStatus;
  /** That of the status. */
  setup: string | null;
  /** After a failure: when to try again, unless the setup changes before. */
  retry: { at: number; setup: string | null } | null;
  /** Documents that the model could not take, with this setup. */
  skipped: { setup: string | null; ids: Set<number> };
}

/** Transactions come in groups. */
const QUIET_MS = 300;
const RETRY_MS = 5 * 60_000;
/** After so many documents in a row, the model is at fault. */
const MAX_SKIPPED_IN_ROW = 3;
/** Texts of one request: few enough that a question has to wait for a moment only. */
const BATCH = 16;
/** Failures that another document may not have. */
const OF_DOCUMENT: ReadonlySet<ProviderFailure> = new Set(['bad_answer', 'refused', 'too_large']);

export function createFiller(deps: FillDeps): Filler {
  const state: State = {
    ...deps,
    ...{ stopping: new AbortController(), isWoken: false, running: null, retry: null, setup: null },
    status: { state: 'off', failure: null },
    skipped: { setup: null, ids: new Set() },
  };
  return {
    wake: () => wake(state),
    status: () => state.status,
    async stop() {
      state.stopping.abort();
      await state.running;
    },
  };
}

function wake(state: State): void {
  state.isWoken = true;
  const setup = state.embedder.setup();
  // The state of another model does not count any more.
  if (setup !== state.setup) state.status = { state: setup === null ? 'off' : 'filling', failure: null };
  state.setup = setup;
  if (state.stopping.signal.aborted) return;
  state.running ??= runWhileWoken(state)
    .catch((err: unknown) => state.log.error({ err }, 'vectors of passages could not be made'))
    .finally(() => {
      state.running = null;
      if (state.isWoken) wake(state);
    });
}

async function runWhileWoken(state: State): Promise<void> {
  const { clock, stopping } = state;
  while (state.isWoken && (await clock.sleep(QUIET_MS, stopping.signal))) {
    state.isWoken = false;
    await fill(state);
  }
}

async function fill(state: State): Promise<void> {
  const { clock, embedder, repository, canCompare, stopping } = state;
  const setup = embedder.setup();
  if (state.retry?.setup === setup && clock.now() < state.retry.at) return;
  state.retry = null;
  if (state.skipped.setup !== setup) state.skipped = { setup, ids: new Set() };
  const problem = embedder.problem();
  const model = embedder.model();
  // What is only forbidden for now keeps its vectors.
  if (problem) return void (state.status = { state: 'waiting', failure: problem });
  while (repository.forgetOthers(model)) if (!(await clock.sleep(1, stopping.signal))) return;
  if (model === null || !(await canCompare())) return void (state.status = { state: 'off', failure: null });
  await fillAll(state, model, setup);
}

async function fillAll(state: State, model: string, setup: string | null): Promise<void> {
  const { embedder, repository, stopping } = state;
  let failedInRow = 0;
  let ids: number[] = [];
  for (;;) {
    if (ids.length === 0) ids = repository.nextWithout(model, [...state.skipped.ids]);
    const id = ids.shift();
    if (id === undefined) return void (state.status = { ...state.status, state: 'complete' });
    state.status = { ...state.status, state: 'filling' };
    const failure = await embedDocument(state, id, model);
    if (stopping.signal.aborted) return;
    // The next round reads the setup again.
    if (embedder.setup() !== setup) return void (state.isWoken = true);
    failedInRow = failure ? failedInRow + 1 : 0;
    if (failure === null) continue;
    state.status = { state: 'filling', failure };
    if (OF_DOCUMENT.has(failure.reason)) state.skipped.ids.add(id);
    if (!OF_DOCUMENT.has(failure.reason) || failedInRow >= MAX_SKIPPED_IN_ROW) return retryLater(state, failure);
  }
}

function retryLater(state: State, failure: FailedOutcome): void {
  const { clock, embedder, stopping } = state;
  state.status = { state: 'waiting', failure };
  state.skipped.ids.clear();
  state.retry = { at: clock.now() + RETRY_MS, setup: embedder.setup() };
  void clock.sleep(RETRY_MS, stopping.signal).then((passed) => passed && wake(state));
}

/** A request has passages of one document, so of one patient, only. */
async function embedDocument(state: State, id: number, model: string): Promise<FailedOutcome | null> {
  const { embedder, repository, loadPages, stopping } = state;
  repository.begin(id, model);
  const passages = passagesOf(await loadPages(id));
  const vectors: Buffer[] = [];
  for (let start = 0; start < passages.length; start += BATCH) {
    const texts = passages.slice(start, start + BATCH).map(({ text }) => text);
    const embedded = await embedder.embed(texts, 'passage', stopping.signal);
    if (!embedded.ok) return embedded;
    vectors.push(...embedded.value.vectors.map(toBytes));
  }
  repository.finish(
    id,
    model,
    passages.map((passage, index) => ({ ...passage, vector: vectors[index]! })),
  );
  return null;
}
