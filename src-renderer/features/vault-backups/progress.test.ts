import { expect, it } from 'vitest';
import { shareDone } from './progress.ts';

it('progress never decreases within a task and never exceeds 1', () => {
  const steps = (['database', 'files', 'verify', 'tidy'] as const).flatMap((phase) =>
    [0, 5, 10, 12].map((done) => shareDone({ task: 'backup', phase, done, total: 10 })),
  );
  expect(steps).toEqual([...steps].sort((a, b) => a - b));
  expect(steps.at(-1)).toBeCloseTo(1);
});

it('progress is 0 without work or in a phase of another task', () => {
  expect(shareDone({ task: 'verify', phase: 'verify', done: 0, total: 0 })).toBe(0);
  expect(shareDone({ task: 'verify', phase: 'unpack', done: 5, total: 10 })).toBe(0);
});
