import type { DesktopState } from '../../../src-shared/contract/bridge.ts';
import type { Desk } from '../desk.ts';
import type { BridgeHandlers } from './bridge.ts';
import type { Preferences } from './preferences.ts';
import type { SerialPicker } from './serial-ports.ts';

export interface DeskHandlerDeps {
  desk: Pick<Desk, 'fileOf'>;
  preferences: Preferences;
  serial: SerialPicker;
  isSafeMode: boolean;
  isPackaged: boolean;
  /** The cookies of the window. */
  cookies(): Promise<string>;
  reveal: { showItemInFolder(path: string): void };
}

type DeskCalls = 'revealDocument' | 'choosePort' | 'desktopState' | 'changeDesktop' | 'forgetDevices';

/** Calls about this computer: its file manager, its ports and what is set for it. */
export function createDeskHandlers(deps: DeskHandlerDeps): Pick<BridgeHandlers, DeskCalls> {
  const { desk, preferences, serial, cookies, reveal } = deps;
  const state = (): DesktopState => ({
    preferences: preferences.get(),
    devices: preferences.devices().length,
    is_safe_mode: deps.isSafeMode,
    can_update: deps.isPackaged,
  });
  return {
    async revealDocument({ id }) {
      const path = desk.fileOf(await cookies(), id);
      if (path === null) return 'forbidden';
      reveal.showItemInFolder(path);
      return {};
    },
    choosePort({ id }) {
      serial.choose(id);
      return {};
    },
    desktopState: state,
    changeDesktop(changes) {
      preferences.change(changes);
      return state();
    },
    forgetDevices() {
      preferences.forgetDevices();
      return state();
    },
  };
}
