import type { PowerMonitor, PowerSaveBlocker } from 'electron';
import type { BridgeSignal } from '../../../src-shared/contract/bridge.ts';
import type { ShellApi } from '../shell-api.ts';

export interface PowerDeps {
  /** Ends all sessions of the phone-backup service. */
  lockAll(): Promise<void>;
  /** Closes the page's file ports. */
  forget(): void;
  /** Sends a signal to every page. */
  sendSignal(signal: BridgeSignal): void;
}

/** Erases keys of phone backups on sleep, lock and user switch, because another person may wake the computer. */
export function watchPower(monitor: Pick<PowerMonitor, 'on'>, { lockAll, forget, sendSignal }: PowerDeps): void {
  const lock = (reason: 'suspend' | 'lock-screen') => (): void => {
    // There may be little time before sleep, so synchronous steps come first.
    sendSignal({ kind: 'forget-keys', reason });
    forget();
    void lockAll();
  };
  monitor.on('suspend', lock('suspend'));
  monitor.on('lock-screen', lock('lock-screen'));
  monitor.on('user-did-resign-active', lock('lock-screen'));
}

type Battery = Pick<PowerMonitor, 'on' | 'isOnBatteryPower'>;
type ReadingSwitch = Pick<ShellApi, 'holdReading' | 'releaseReading'>;

/** Makes reading wait while the computer runs on its battery, if that is wished; returns the function to ask again. */
export function followBattery(monitor: Battery, isWished: () => boolean, shellApi: ReadingSwitch): () => void {
  const adjust = (isOnBattery: boolean): void => {
    if (isWished() && isOnBattery) shellApi.holdReading({ code: 'reading.on_battery' });
    else shellApi.releaseReading('reading.on_battery');
  };
  const ask = (): void => adjust(monitor.isOnBatteryPower());
  monitor.on('on-battery', () => adjust(true));
  monitor.on('on-ac', () => adjust(false));
  ask();
  return ask;
}

/** Keeps the computer awake while recipients can open a share; call it after every change. */
export function createAwakeGuard(
  blocker: Pick<PowerSaveBlocker, 'start' | 'stop'>,
  hasLiveShares: () => boolean,
): () => void {
  let blocked: number | null = null;
  return () => {
    const isNeeded = hasLiveShares();
    if (isNeeded && blocked === null) blocked = blocker.start('prevent-app-suspension');
    else if (!isNeeded && blocked !== null) {
      blocker.stop(blocked);
      blocked = null;
    }
  };
}
