import type { DesktopState } from '../../../src-shared/contract/bridge.ts';
import type { ShellApi } from '../shell-api.ts';
import type { BridgeHandlers } from './bridge.ts';
import type { Preferences } from './preferences.ts';
import type { SerialPicker } from './serial-ports.ts';

export interface ShellApiHandlerDeps {
  shellApi: Pick<ShellApi, 'fileOf'>;
  preferences: Preferences;
  serial: SerialPicker;
  isSafeMode: boolean;
  isPackaged: boolean;
  /** The cookies of the window. */
  cookies(): Promise<string>;
  reveal: { showItemInFolder(path: string): void };
}

type ShellApiCalls = 'revealDocument' | 'choosePort' | 'desktopState' | 'changeDesktop' | 'forgetDevices';

/** Calls about this computer: its file manager, its ports and what is set for it. */
export function createShellApiHandlers(deps: ShellApiHandlerDeps): Pick<BridgeHandlers, ShellApiCalls> {
  const { shellApi, preferences, serial, cookies, reveal } = deps;
  const state = (): DesktopState => ({
    preferences: preferences.get(),
    devices: preferences.devices().length,
    is_safe_mode: deps.isSafeMode,
    can_update: deps.isPackaged,
  });
  return {
    async revealDocument({ id }) {
      const path = shellApi.fileOf(await cookies(), id);
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
