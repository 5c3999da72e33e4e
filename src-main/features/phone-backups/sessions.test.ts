import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { LONG } from '../../../test/support/long.ts';
import { generateBackup } from '../../../test/fixtures/ios-backup/generate.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { createSandbox } from './sandbox.ts';
import { createSessions, type Sessions } from './sessions.ts';

const MINUTE = 60_000;
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** A clock that advances only on request and records how long each caller slept. */
function settableClock() {
  let now = Date.UTC(2026, 0, 1);
  const sleepers = new Set<{ until: number; wake: (slept: boolean) => void }>();
  const slept: number[] = [];
  const clock: Clock = {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        slept.push(ms);
        const sleeper = { until: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener(
          'abort',
          () => {
            sleepers.delete(sleeper);
            resolve(false);
          },
          { once: true },
        );
      }),
  };
  const wakeDue = async (): Promise<void> => {
    for (const sleeper of sleepers)
      if (sleeper.until <= now) {
        sleepers.delete(sleeper);
        sleeper.wake(true);
      }
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    clock,
    slept,
    /** Advances in steps of a quarter of a minute, the interval of the sweep. */
    async pass(ms: number) {
      for (let done = 0; done < ms; done += 15_000) {
        now += Math.min(15_000, ms - done);
        await wakeDue();
      }
    },
    async jump(ms: number) {
      now += ms;
      await wakeDue();
    },
  };
}

async function opened(): Promise<
  ReturnType<typeof settableClock> & {
    sessions: Sessions;
    one: { id: string; folder: string; is_encrypted: boolean };
    two: { id: string; folder: string; is_encrypted: boolean };
    sandboxed: () => string[];
  }
> {
  const root = mkdtempSync(join(tmpdir(), 'hearth-sessions-')),
    temp = join(root, 'temp');
  mkdirSync(temp);
  const entries = [{ domain: 'HomeDomain', path: 'a.txt', content: 'a' }];
  await generateBackup({ folder: join(root, 'one'), entries, keybag: { password: 'wort', firstRounds: 2 } });
  await generateBackup({ folder: join(root, 'two'), entries });
  const time = settableClock();
  const sandbox = createSandbox(temp);
  const sessions = createSessions({ clock: time.clock, sandbox });
  open.push(async () => {
    await sessions.close();
    sandbox.close();
    rmSync(root, { recursive: true, force: true });
  });
  return {
    ...time,
    sessions,
    one: { id: 'one', folder: join(root, 'one'), is_encrypted: true },
    two: { id: 'two', folder: join(root, 'two'), is_encrypted: false },
    sandboxed: () =>
      readdirSync(temp, { recursive: true })
        .map(String)
        .filter((name) => name.includes('open-')),
  };
}
const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'fine';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('a session', () => {
  it('expires 15 minutes after its last use and twelve hours after its start', async () => {
    const { sessions, one, pass } = await opened();
    const token = await sessions.unlock(one, 'wort');
    for (let minutes = 0; minutes < 12 * 60 - 14; minutes += 14) {
      expect([minutes, codeOf(() => sessions.use(token, 'one'))]).toEqual([minutes, 'fine']);
      await pass(14 * MINUTE);
    }
    await pass(6 * MINUTE);
    expect(codeOf(() => sessions.use(token, 'one'))).toBe('phone.session_invalid');
    const idle = await sessions.unlock(one, 'wort');
    await pass(15 * MINUTE);
    expect([codeOf(() => sessions.use(idle, 'one')), sessions.isOpen('one')]).toEqual(['phone.session_invalid', false]);
    await expect(sessions.lock(idle, 'one')).resolves.toBe(undefined);
  });

  it('is removed with its thread and sandbox when it expires', async () => {
    const { sessions, one, pass, sandboxed } = await opened();
    const token = await sessions.unlock(one, 'wort');
    const thread = sessions.use(token, 'one');
    expect([sessions.isOpen('one'), thread.hasEnded, sandboxed().length]).toEqual([true, false, 1]);
    await pass(15 * MINUTE);
    expect(sessions.isOpen('one')).toBe(false);
    await expect.poll(() => [thread.hasEnded, sandboxed()]).toEqual([true, []]);
    await expect(thread.call('domains', undefined)).rejects.toMatchObject({ code: 'phone.session_invalid' });
  });

  it('ends when the computer sleeps', async () => {
    const { sessions, two, jump } = await opened();
    const token = await sessions.unlock(two, 'any');
    await jump(10 * MINUTE);
    expect(codeOf(() => sessions.use(token, 'two'))).toBe('phone.session_invalid');
  });

  it('remains during work, and shares its keys with a second session of the same password', async () => {
    const { sessions, one, pass } = await opened();
    const [first, second] = [await sessions.unlock(one, 'wort'), await sessions.unlock(one, 'wort')];
    const thread = sessions.use(first, 'one');
    expect(sessions.use(second, 'one')).toBe(thread);
    let finish = (): void => undefined;
    const working = sessions.keepOpen(
      thread,
      () =>
        new Promise<void>((resolve) => {
          finish = resolve;
        }),
    );
    await pass(90 * MINUTE);
    expect(codeOf(() => sessions.use(first, 'one'))).toBe('fine');
    finish();
    await working;
    await sessions.lock(first, 'one');
    expect(codeOf(() => sessions.use(second, 'one'))).toBe('fine');
    expect([
      codeOf(() => sessions.use(first, 'one')),
      codeOf(() => sessions.use(second, 'two')),
      codeOf(() => sessions.use(null, 'one')),
    ]).toEqual(['phone.session_invalid', 'phone.session_mismatch', 'phone.session_invalid']);
  });
});

describe('a client that disconnects before the reply', () => {
  it('leaves no open backup and delays no other client', async () => {
    const { sessions, one, sandboxed } = await opened(),
      away = new AbortController();
    const under = sessions.unlock(one, 'wort', away.signal),
      waiting = sessions.unlock(one, 'wort', away.signal);
    const ended = [
      expect(under).resolves.toBeTypeOf('string'),
      expect(waiting).rejects.toMatchObject({ code: 'request.aborted' }),
    ];
    await new Promise((resolve) => setImmediate(resolve));
    away.abort();
    await Promise.all(ended);
    expect([sessions.isOpen('one'), sandboxed()]).toEqual([false, []]);
    await expect(sessions.unlock(one, 'wort')).resolves.toBeTypeOf('string');
  });
});

describe('wrong passwords', () => {
  it('cause growing delays from the sixth on, until the right one', LONG, async () => {
    const { sessions, one, two, pass, slept } = await opened();
    const delays = (): number[] => slept.filter((ms) => ms !== 15_000);
    for (let i = 0; i < 5; i += 1)
      await expect(sessions.unlock(one, `wrong ${i}`)).rejects.toMatchObject({ code: 'phone.incorrect_password' });
    const before = delays().length;
    const late = Promise.allSettled([
      sessions.unlock(one, 'wrong'),
      sessions.unlock(one, 'wrong again'),
      sessions.unlock(one, 'wort'),
    ]);
    // Other backups are not delayed.
    expect(await sessions.unlock(two, '')).toMatch(/./);
    let ended = false;
    void late.then(() => {
      ended = true;
    });
    while (!ended) {
      await pass(1000);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect((await late).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(
      delays()
        .slice(before)
        .filter((ms) => ms === 2000 || ms === 4000),
    ).toEqual([2000, 4000]);
  });

  it('does not open a backup that was requested before everything was locked', async () => {
    const { sessions, one, two, sandboxed } = await opened();
    const unlocks = [sessions.unlock(one, 'wort'), sessions.unlock(one, 'wort'), sessions.unlock(two, '')];
    const ends = Promise.all(
      unlocks.map((each) =>
        each.then(
          () => 'open',
          (error: { code: string }) => error.code,
        ),
      ),
    );
    await new Promise((resolve) => setImmediate(resolve));
    await sessions.lockAll();
    expect(await ends).toEqual(['phone.session_invalid', 'phone.session_invalid', 'phone.session_invalid']);
    expect([sessions.isOpen('one'), sessions.isOpen('two'), sessions.isOpening('one'), sandboxed()]).toEqual([
      false,
      false,
      false,
      [],
    ]);
    await sessions.unlock(one, 'wort');
    expect(sessions.isOpen('one')).toBe(true);
  });
});
