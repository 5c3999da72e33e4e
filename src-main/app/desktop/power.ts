import type { PowerMonitor } from 'electron';
import type { BridgeSignal } from '../../../src-shared/contract/bridge.ts';

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
  const lock = (reason: BridgeSignal['reason']) => (): void => {
    // There may be little time before sleep, so synchronous steps come first.
    sendSignal({ kind: 'forget-keys', reason });
    forget();
    void lockAll();
  };
  monitor.on('suspend', lock('suspend'));
  monitor.on('lock-screen', lock('lock-screen'));
  monitor.on('user-did-resign-active', lock('lock-screen'));
}
