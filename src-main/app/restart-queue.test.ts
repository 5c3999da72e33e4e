import { expect, it } from 'vitest';
import { createRestartQueue } from './restart-queue.ts';

it('does one thing after the other, and says until its end what closes the core', async () => {
  const done: string[] = [];
  const first = Promise.withResolvers<void>();
  const queue = createRestartQueue(
    () => true,
    () => undefined,
  );
  queue.addClosing(async () => {
    await first.promise;
    done.push('restart');
  });
  queue.addClosing(async () => void done.push('lock'), { closing: 'lock' });
  // After the lock, the core would have been started again.
  expect([queue.closing(), done]).toEqual(['other', []]);
  expect(queue.requireNotClosing).toThrow('vault.closing');
  first.resolve();
  await queue.ended();
  expect([queue.closing(), done]).toEqual([null, ['restart', 'lock']]);
  queue.requireNotClosing();
});

it('undoes what was prepared where something before it closed the core, and goes on after a failure', async () => {
  let hasCore = true;
  const errors: unknown[] = [];
  const done: string[] = [];
  const queue = createRestartQueue(
    () => hasCore,
    (error) => void errors.push(error),
  );
  queue.addClosing(
    async () => {
      hasCore = false;
    },
    { closing: 'lock' },
  );
  expect(queue.closing()).toBe('lock');
  queue.addClosing(async () => void done.push('restored'), { otherwise: () => void done.push('undone') });
  // Nothing that is not there is closed.
  queue.addClosing(async () => void done.push('opened'));
  await queue.ended();
  expect(done).toEqual(['undone']);
  hasCore = true;
  const failure = new Error('the core does not end');
  queue.addClosing(() => Promise.reject(failure));
  queue.add(async () => void done.push('started'));
  await queue.ended();
  expect([errors, done, queue.closing()]).toEqual([[failure], ['undone', 'started'], null]);
});
