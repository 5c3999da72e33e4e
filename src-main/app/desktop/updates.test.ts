import { EventEmitter } from 'node:events';
import { beforeEach, expect, it } from 'vitest';
import { createLog } from '../../platform/kernel/log.ts';
import { followUpdates, type Updater } from './updates.ts';

/** What is used of electron-updater, without a network. */
class FakeUpdater extends EventEmitter {
  autoDownload = true;
  autoInstallOnAppQuit = true;
  allowDowngrade = true;
  allowPrerelease = true;
  logger: unknown = console;
  checks = 0;
  isBroken = false;
  checkForUpdates(): Promise<null> {
    this.checks += 1;
    return this.isBroken ? Promise.reject(new Error('offline')) : Promise.resolve(null);
  }
}

let updater: FakeUpdater, isWished: boolean, told: string[], waits: number[], loads: number;
beforeEach(() => {
  [updater, isWished, told, waits, loads] = [new FakeUpdater(), true, [], [], 0];
});
/** Lets this many waits pass, then ends the program. */
function follow(days: number, isSigned = true, onWait: () => void = () => undefined): Promise<void> {
  return followUpdates({
    async load() {
      loads += 1;
      return updater as unknown as Updater;
    },
    isWished: () => isWished,
    isSigned,
    async sleep(ms) {
      waits.push(ms);
      onWait();
      return waits.length <= days;
    },
    onAvailable: (version) => void told.push(version),
    onReady: () => void told.push('ready'),
    log: createLog('silent'),
  });
}

it('nothing is loaded or asked while updates are switched off, and they may be switched on later', async () => {
  isWished = false;
  await follow(2, true, () => {
    isWished = waits.length === 2;
  });
  expect([loads, updater.checks]).toEqual([1, 1]);
  [isWished, waits, loads] = [false, [], 0];
  await follow(3);
  expect([loads, updater.checks]).toEqual([0, 1]);
});

it('looks soon after the start and then once a day, also after a failure', async () => {
  updater.isBroken = true;
  await follow(3);
  expect([updater.checks, waits]).toEqual([3, [60_000, 86_400_000, 86_400_000, 86_400_000]]);
});

it('never goes back to an older version or to a prerelease, and writes no log of its own', async () => {
  await follow(1);
  expect(updater).toMatchObject({ allowDowngrade: false, allowPrerelease: false, logger: null });
});

it('downloads only where the system verifies the signature, and elsewhere tells that there is a version', async () => {
  await follow(1);
  expect([updater.autoDownload, updater.autoInstallOnAppQuit]).toEqual([true, true]);
  updater.emit('update-available', { version: '2.0.0' });
  updater.emit('update-downloaded', { version: '2.0.0' });
  expect(told).toEqual(['ready']);
  [updater, told, waits] = [new FakeUpdater(), [], []];
  await follow(1, false);
  expect([updater.autoDownload, updater.autoInstallOnAppQuit]).toEqual([false, false]);
  updater.emit('update-available', { version: '2.0.0' });
  updater.emit('error', new Error('no such release'));
  expect(told).toEqual(['2.0.0']);
});
