import { EventEmitter } from 'node:events';
import { beforeEach, expect, it } from 'vitest';
import { createLog } from '../../platform/kernel/log.ts';
import { guardCore } from './core-guard.ts';

let now: number, calls: string[], restart: () => Promise<void>, endSleep: () => void, events: EventEmitter;
beforeEach(() => {
  [now, calls, events] = [0, [], new EventEmitter()];
  restart = async () => undefined;
  guardCore(events, {
    now: () => now,
    sleep: () =>
      new Promise<void>((resolve) => {
        endSleep = resolve;
      }),
    restart() {
      calls.push('restart');
      return restart();
    },
    relaunch: () => void calls.push('relaunch'),
    giveUp: () => void calls.push('give up'),
    log: createLog('silent'),
  });
});
const crash = (error: unknown = new Error('boom')): boolean => events.emit('uncaughtException', error);
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('an error that nothing caught starts the core again, and errors meanwhile do not', async () => {
  let end: () => void = () => undefined;
  restart = () =>
    new Promise<void>((resolve) => {
      end = resolve;
    });
  crash();
  crash();
  events.emit('unhandledRejection', new Error('of the core that is being stopped'));
  expect(calls).toEqual(['restart']);
  end();
  await settled();
  crash();
  expect(calls).toEqual(['restart', 'restart']);
});

it('a closed terminal is not an error of the core', () => {
  crash(Object.assign(new Error('write'), { code: 'EPIPE' }));
  expect(calls).toEqual([]);
});

it('a core that fails to start again, or does not end, makes the program start anew', async () => {
  restart = () => Promise.reject(new Error('in use'));
  crash();
  await expect.poll(() => calls).toEqual(['restart', 'relaunch']);
  restart = () => new Promise(() => undefined);
  crash();
  endSleep();
  await expect.poll(() => calls).toEqual(['restart', 'relaunch', 'restart', 'relaunch']);
});

it('after several restarts in a row the program ends with a message, but not after as many in a long time', async () => {
  for (let count = 0; count < 4; count += 1) {
    crash();
    await settled();
  }
  expect(calls).toEqual(['restart', 'restart', 'restart', 'give up']);
  now += 11 * 60_000;
  crash();
  expect(calls.at(-1)).toBe('restart');
});
