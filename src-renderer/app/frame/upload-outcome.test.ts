import { describe, expect, it } from 'vitest';
import { outcomesOf, rowsToShow } from './upload-outcome.ts';

type Item = Parameters<typeof rowsToShow>[0][number];

const item = (state: Item['state'], reply: unknown = null): Item => ({ state, reply: reply as Item['reply'] });

describe('the list of uploads', () => {
  it('leaves a file to the queue once it is added, unless something of it was skipped', () => {
    const archive = item('added', { status: 'extracted', skipped: [{ filename: 'a.exe' }] });
    const whole = item('added', { status: 'extracted', skipped: [] });
    const others = [item('waiting'), item('sending'), item('duplicate'), item('in_trash'), item('failed')];
    expect(rowsToShow([item('added'), whole, archive, ...others])).toEqual([archive, ...others]);
  });

  it('counts each outcome, so that a duplicate is not called added', () => {
    expect(outcomesOf([item('added'), item('duplicate'), item('failed'), item('failed'), item('sending')])).toEqual([
      { outcome: 'added', count: 1 },
      { outcome: 'duplicate', count: 1 },
      { outcome: 'failed', count: 2 },
    ]);
  });
});
