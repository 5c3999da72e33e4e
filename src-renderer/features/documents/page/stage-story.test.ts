import { expect, it } from 'vitest';
import type { StageEvent } from '../../../../src-shared/contract/rows.ts';
import { storyOf } from './stage-story.ts';

let next = 1;
const event = (
  stage: StageEvent['stage'],
  from: string,
  to: string | null,
  more: Partial<StageEvent> = {},
): StageEvent => ({
  id: next++,
  stage,
  status: to === null ? 'started' : 'completed',
  job_kind: 'upload',
  message: null,
  error: null,
  page_current: null,
  page_total: null,
  usage: null,
  started_at: `2026-11-20T08:00:${from}`,
  finished_at: to === null ? null : `2026-11-20T08:00:${to}`,
  ...more,
});

it('lists runs newest first with the duration of each step', () => {
  const runs = storyOf([
    event('ocr', '00', '02'),
    event('llm_extraction', '02', '03'),
    event('ocr', '10', '14', { job_kind: 'reprocess' }),
    event('llm_extraction', '14', '15', { job_kind: 'reprocess' }),
  ]);
  expect(runs.map((run) => [run.kind, run.duration, run.steps.map((step) => step.duration)])).toEqual([
    ['reprocess', 5000, [4000, 1000]],
    ['upload', 3000, [2000, 1000]],
  ]);
});

it('starts a run when the stages repeat under the same kind', () => {
  expect(
    storyOf([
      event('ocr', '00', '01'),
      event('llm_extraction', '01', '02', { status: 'failed' }),
      event('ocr', '05', '06'),
    ]),
  ).toHaveLength(2);
});

it('groups retries of a stage in one step', () => {
  const [run] = storyOf([
    event('ocr', '00', '01', { status: 'failed', message: 'too dark' }),
    event('ocr', '05', '06'),
  ]);
  expect(run?.steps).toHaveLength(2);
  expect(run?.hasFailed).toBe(false);
});

it('has no duration while a step runs', () => {
  const [run] = storyOf([event('ocr', '00', '01'), event('llm_extraction', '01', null)]);
  expect(run?.duration).toBeNull();
  expect(run?.steps[1]?.duration).toBeNull();
});

it('returns no runs without events', () => expect(storyOf([])).toEqual([]));
