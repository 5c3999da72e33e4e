import type { PowerMonitor } from 'electron';
import type { BridgeSignal } from '../../../src-shared/contract/bridge.ts';

export interface PowerDeps {
  /** Ends all sessions of the service. */
  lockAll(): Promise<void>;
  /** Closes what the page reads through. */
  forget(): void;
  /** Tells every page. */
  tell(signal: BridgeSignal): void;
}

/** Who opens the computer again may be somebody else: no key of a phone outlives its sleep, its lock, or the change to another person. */
export function watchPower(monitor: Pick<PowerMonitor, 'on'>, { lockAll, forget, tell }: PowerDeps): void {
  const lock = (reason: BridgeSignal['reason']) => (): void => {
    // There may be little time before sleep: what takes none comes first.
    tell({ kind: 'forget-keys', reason });
    forget();
    void lockAll();
  };
  monitor.on('suspend', lock('suspend'));
  monitor.on('lock-screen', lock('lock-screen'));
  monitor.on('user-did-resign-active', lock('lock-screen'));
}
