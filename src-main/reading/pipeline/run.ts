import type { ErrorReference } from '../../../src-shared/contract/errors.ts';
import type { StageUsage } from '../../../src-shared/contract/rows.ts';
import { type Clock, toTimestamp } from '../../platform/kernel/clock.ts';
import { Failure, translateFsError } from '../../platform/kernel/errors.ts';
import type { Log } from '../../platform/kernel/log.ts';
import type { Database } from '../../platform/database/connection.ts';
import { addUsage } from '../providers/usage.ts';
import { errorOf, type FailedOutcome, type Outcome, type ProviderFailure } from '../providers/provider.ts';
import { documentKey, stepKey, type ArtifactStore } from './artifacts.ts';
import type { Step } from './flow.ts';
import { FLOWS } from './flows.ts';
import type { DocumentStore, DocumentToRead } from './ports.ts';
import type { Job } from './queue.ts';
import type { StageEvents } from './stage-events.ts';
import type { ArtifactName, Artifacts, StageName, Tools } from './stage.ts';
import type { TranslationTools } from './translation-tools.ts';

/** The progress of the running job, written by its run and read by the status. */
export interface Run {
  readonly job: Job;
  readonly document: DocumentToRead;
  readonly planned: StageName[];
  readonly done: StageName[];
  readonly startedAt: string;
  readonly controller: AbortController;
  stage: StageName | null;
  /** Open stage event. */
  eventId: number | null;
  pageCurrent: number | null;
  pageTotal: number | null;
  /** Why the first provider of the running stage was passed over. */
  passedOver: ErrorReference | null;
  /** What the models of the running stage used. */
  usage: StageUsage | null;
}

/** Why a job stopped. `no_space`: the disk is full; `fault`: a bug or an unreadable file. */
export interface Fault {
  stage: StageName | null;
  reason: ProviderFailure | 'fault' | 'no_space';
  error: ErrorReference;
}

/** `interrupted`: the caller that aborted has already stored the outcome. */
export type RunEnd =
  | { kind: 'done'; hasUnreadPages: boolean }
  | { kind: 'interrupted' }
  | { kind: 'failed'; fault: Fault };

/** Tools for the stages of one job; `provider` is the reader that was used, as stored with the results. */
export interface JobTools {
  provider: () => string;
  hasModel: Tools['hasModel'];
  readFile: Tools['readFile'];
  extract: Tools['extract'];
  classifyPages: Tools['classifyPages'];
  see: Tools['see'];
  makeThumbnail: Tools['makeThumbnail'];
  translation: TranslationTools;
}
export type ToolsFor = (job: Job, document: DocumentToRead, options: ToolOptions) => JobTools;
export interface ToolOptions {
  signal: AbortSignal;
  onPage: (current: number, total: number) => void;
  /** Called with the reason when a provider was passed over; the event of the stage says so. */
  onPassedOver: (failure: FailedOutcome) => void;
  /** Called after each answer of a model. */
  onUsage: (usage: StageUsage) => void;
}

export interface RunDeps {
  db: Database;
  clock: Clock;
  log: Log;
  store: DocumentStore;
  events: StageEvents;
  artifacts: ArtifactStore;
  toolsFor: ToolsFor;
  /** Called when something visible to users has changed. */
  onChange: (run: Run) => void;
  /** Called after each page. */
  onPage: (run: Run) => void;
}

/** Minimum interval between writes of page numbers to the stage event; the live stream has every page. */
const PAGE_WRITE_MS = 1000;
/** How long the next job waits for an aborted stage to end. */
const GRACE_MS = 1000;

const TRANSLATION_STAGES: Partial<Record<Job['kind'], readonly StageName[]>> = {
  translate: ['translation'],
  translate_region: ['region_ocr', 'region_translation'],
};

/** The state of a job that begins. `startedMs` is the time of the clock. */
export function newRun(job: Job, document: DocumentToRead, startedMs: number): Run {
  return {
    job,
    document,
    planned: [...(TRANSLATION_STAGES[job.kind] ?? FLOWS[job.options.mode].steps.map((step) => step.name))],
    done: [],
    startedAt: toTimestamp(startedMs),
    controller: new AbortController(),
    stage: null,
    eventId: null,
    pageCurrent: null,
    pageTotal: null,
    passedOver: null,
    usage: null,
  };
}

/** Runs a document through the stages of its flow and stores the result of each. Never throws. */
export async function runFlow(deps: RunDeps, run: Run): Promise<RunEnd> {
  const {
    job,
    document,
    controller: { signal },
  } = run;
  const flow = FLOWS[job.options.mode];
  const have: Partial<Artifacts> = { document };
  const keys = new Map<ArtifactName, string>([
    ['document', documentKey(document, job)],
    ['reading', 'as stored'],
  ]);
  try {
    if (flow.inputs.includes('reading'))
      have.reading = { pages: await deps.store.loadPages(document.id), ocr_engine: null };
    for (const step of flow.steps) {
      const end = await pass(deps, run, step, have, keys);
      if (signal.aborted) return { kind: 'interrupted' };
      if (end) return { kind: 'failed', fault: end };
      run.done.push(step.name);
      deps.onChange(run);
    }
    return { kind: 'done', hasUnreadPages: have.reading?.pages.some(({ isUnread }) => isUnread) ?? false };
  } catch (error) {
    return signal.aborted ? { kind: 'interrupted' } : { kind: 'failed', fault: toFault(deps, run, error) };
  }
}

/** Runs one step, unless its result is stored or it can be skipped. Returns a fault that ends the job. */
async function pass(
  deps: RunDeps,
  run: Run,
  step: Step,
  have: Partial<Artifacts>,
  keys: Map<ArtifactName, string>,
): Promise<Fault | null> {
  const stored = await deps.artifacts.recall(run.document.id, step, keys);
  if (run.controller.signal.aborted) return null;
  const readyArtifacts = stored ?? skip(deps, run, step, have, keys);
  const fault = readyArtifacts ? null : await runStep(deps, run, step, have, keys);
  if (readyArtifacts) Object.assign(have, readyArtifacts);
  const key = stepKey(step, keys);
  for (const name of step.makes) keys.set(name, key);
  return fault;
}

/** The result of a step with nothing to do; null for any other. A restart of the job does not record it again. */
function skip(
  deps: RunDeps,
  { document, job }: Run,
  step: Step,
  have: Partial<Artifacts>,
  keys: Map<ArtifactName, string>,
): Partial<Artifacts> | null {
  const result = step.skip(have);
  if (result)
    deps.db.transaction(() => {
      deps.artifacts.keep(document.id, step, result, keys, { provider: '', pages: [], packed: [] });
      deps.events.skip(document.id, step.name, job.kind);
    });
  return result;
}

async function runStep(
  deps: RunDeps,
  run: Run,
  step: Step,
  have: Partial<Artifacts>,
  keys: Map<ArtifactName, string>,
): Promise<Fault | null> {
  const {
    document,
    controller: { signal },
  } = run;
  Object.assign(run, {
    stage: step.name,
    pageCurrent: null,
    pageTotal: null,
    passedOver: null,
    usage: null,
    eventId: deps.events.open(document.id, step.name, run.job.kind),
  });
  deps.onChange(run);
  const tools = makeTools(deps, run);
  let outcome: Outcome<Partial<Artifacts>> | Fault;
  try {
    outcome = await withGrace(deps.clock, step.run(have, tools), signal);
    if (signal.aborted) return null;
    if (outcome.ok) {
      const made = outcome.value;
      const packed = made.reading ? await deps.store.packPages(made.reading.pages) : [];
      if (signal.aborted) return null;
      const prepared = { provider: tools.provider(), pages: made.reading?.pages ?? have.reading?.pages ?? [], packed };
      deps.db.transaction(() => {
        deps.artifacts.keep(document.id, step, made, keys, prepared);
        writePages(deps, run);
        closeEvent(deps, run, 'completed', run.passedOver);
      });
      Object.assign(have, made);
      return null;
    }
  } catch (error) {
    if (signal.aborted) return null;
    outcome = toFault(deps, run, error);
  }
  const fault: Fault =
    'error' in outcome ? outcome : { stage: step.name, reason: outcome.reason, error: errorOf(outcome) };
  closeEvent(deps, run, 'failed', fault.error);
  return step.onFailure === 'go_on' && fault.reason !== 'no_space' ? null : fault;
}

/** What a stage is given: readers, the abort signal, and how to say how far it is, written at intervals. */
export function makeTools(deps: RunDeps, run: Run): Tools & JobTools {
  let lastWrite = -Infinity;
  const onPage = (current: number, total: number): void => {
    if (run.controller.signal.aborted) return;
    Object.assign(run, { pageCurrent: current, pageTotal: total });
    if (deps.clock.now() - lastWrite >= PAGE_WRITE_MS) {
      lastWrite = deps.clock.now();
      writePages(deps, run);
    }
    deps.onPage(run);
  };
  const { signal } = run.controller;
  const onPassedOver = (failure: FailedOutcome): void => void (run.passedOver ??= errorOf(failure));
  const onUsage = (usage: StageUsage): void => void (run.usage = addUsage(run.usage, usage));
  return {
    signal,
    progress: onPage,
    organize: () => deps.store.organize(run.document.id),
    ...deps.toolsFor(run.job, run.document, { signal, onPage, onPassedOver, onUsage }),
  };
}

function writePages(deps: RunDeps, run: Run): void {
  if (run.eventId !== null && run.pageCurrent !== null && run.pageTotal !== null)
    deps.events.pages(run.eventId, run.pageCurrent, run.pageTotal);
}

/** Ends the open row of the current stage, if there is one. */
export function closeEvent(deps: RunDeps, run: Run, end: 'completed' | 'failed', error: ErrorReference | null): void {
  if (run.eventId !== null) deps.events.close(run.eventId, end, error, run.usage);
  run.eventId = null;
}

/** The result of the work; after an abort, the result only if it arrives within the grace period. */
export async function withGrace<T>(clock: Clock, work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const tooLate = aborted
    .then(() => clock.sleep(GRACE_MS))
    .then((): never => {
      throw new Error('aborted');
    });
  return Promise.race([work, tooLate]);
}

/** The message for the user; the log contains only ids and the position in the code. */
export function toFault(deps: RunDeps, run: Run, error: unknown): Fault {
  const { stage } = run;
  const failure = translateFsError(error);
  if (failure instanceof Failure) {
    const outOfSpace = failure.code === 'server.disk_full' || failure.code === 'server.read_only';
    return { stage, reason: outOfSpace ? 'no_space' : 'fault', error: { code: failure.code, params: failure.params } };
  }
  deps.log.error({ document_id: run.document.id, stage, err: error }, 'a stage failed unexpectedly');
  return { stage, reason: 'fault', error: { code: 'reading.internal_error' } };
}
