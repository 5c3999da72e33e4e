import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { askEarly, takeEarly } from './early-frame.ts';

let asked: { path: string; signal: AbortSignal; refuse: (error: Error) => void }[];

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  vi.stubGlobal('fetch', (path: string, { signal }: { signal: AbortSignal }) => {
    return new Promise((_resolve, refuse) => asked.push({ path, signal, refuse }));
  });
});
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('is asked for once, however often its page is opened at once, and taken once', () => {
  askEarly('hearth:1/2/3');
  askEarly('hearth:1/2/3');
  expect(takeEarly('hearth:1/2/4')).toBeNull();
  expect(takeEarly('hearth:1/2/3')).not.toBeNull();
  askEarly('hearth:1/2/3');
  expect(takeEarly('hearth:1/2/3')).toBeNull();
  expect(asked.map(({ path }) => path)).toEqual([expect.stringMatching(/1\/.*2\/.*3\/pixels$/)]);
});

it('is given up for that of another study, unless a page has it', () => {
  askEarly('hearth:1/2/3');
  askEarly('hearth:4/5/6');
  takeEarly('hearth:4/5/6');
  askEarly('hearth:7/8/9');
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false, false]);
});

it('is asked for again after a failure, and later', async () => {
  askEarly('hearth:1/2/3');
  asked[0]?.refuse(new Error('no network'));
  await vi.waitFor(() => expect(takeEarly('hearth:1/2/3')).toBeNull());
  askEarly('hearth:1/2/3');
  vi.runAllTimers();
  askEarly('hearth:1/2/3');
  expect(asked).toHaveLength(3);
});
