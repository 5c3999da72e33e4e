import type { StageEvent } from '../../../../src-shared/contract/rows.ts';

/** One step of a job for display. */
export interface StageStep {
  id: number;
  stage: StageEvent['stage'];
  status: StageEvent['status'];
  message: string | null;
  error: StageEvent['error'];
  pageCurrent: number | null;
  pageTotal: number | null;
  startedAt: string;
  /** Milliseconds; null while it runs. */
  duration: number | null;
  usage: StageEvent['usage'];
}

/** One run through the stages: the first processing, a reprocessing, or a translation. */
export interface StageRun {
  kind: StageEvent['job_kind'];
  startedAt: string;
  steps: StageStep[];
  hasFailed: boolean;
  /** Milliseconds from the first start to the last end; null while it runs. */
  duration: number | null;
}

/** API timestamps are UTC without a zone. */
const toMs = (timestamp: string) => Date.parse(`${timestamp}Z`);

function stepOf(event: StageEvent): StageStep {
  const duration = event.finished_at === null ? null : Math.max(0, toMs(event.finished_at) - toMs(event.started_at));
  return {
    id: event.id,
    stage: event.stage,
    status: event.status,
    message: event.message,
    error: event.error,
    pageCurrent: event.page_current,
    pageTotal: event.page_total,
    startedAt: event.started_at,
    duration,
    usage: event.usage,
  };
}

/** A new run starts when the job kind changes or a stage repeats. */
function startsRun(run: StageEvent[], event: StageEvent): boolean {
  return (
    run[0]?.job_kind !== event.job_kind ||
    (run.some((earlier) => earlier.stage === event.stage) && event.stage !== run.at(-1)?.stage)
  );
}

function runOf(events: StageEvent[]): StageRun {
  const first = events[0] as StageEvent;
  const ends = events.map((event) => event.finished_at);
  const running = ends.includes(null);
  const last = events.at(-1) as StageEvent;
  return {
    kind: first.job_kind,
    startedAt: first.started_at,
    steps: events.map(stepOf),
    hasFailed: last.status === 'failed',
    duration: running ? null : Math.max(...ends.map((end) => toMs(end as string))) - toMs(first.started_at),
  };
}

/** Groups stage events (oldest first) into runs (newest first). */
export function storyOf(events: readonly StageEvent[]): StageRun[] {
  const runs: StageEvent[][] = [];
  for (const event of events) {
    const run = runs.at(-1);
    if (run && !startsRun(run, event)) run.push(event);
    else runs.push([event]);
  }
  return runs.map(runOf).reverse();
}
