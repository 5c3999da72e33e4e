import { contextBridge, ipcRenderer } from 'electron';
import {
  BRIDGE_CHANNELS,
  BRIDGE_NAME,
  FILES_MESSAGE,
  ORIGIN_ARGUMENT,
} from '../../../src-shared/contract/bridge-names.ts';
import type { BridgeSignal, ShellBridge } from '../../../src-shared/contract/bridge.ts';

/**
 * Runs in the window's sandbox before each page. Hearth's own page gets the bridge, but no other channels and none of
 * Electron's objects. The page of a sign-in provider gets nothing. Main checks the sender again.
 */
const origin = process.argv.find((word) => word.startsWith(ORIGIN_ARGUMENT))?.slice(ORIGIN_ARGUMENT.length);

if (location.origin === origin) {
  const bridge: ShellBridge = {
    call: (name, args) => ipcRenderer.invoke(BRIDGE_CHANNELS.call, name, args),
    onSignal: (listener) => {
      ipcRenderer.on(BRIDGE_CHANNELS.signal, (_event, signal: BridgeSignal) => listener(signal));
    },
  };
  contextBridge.exposeInMainWorld(BRIDGE_NAME, bridge);
  window.addEventListener(
    'message',
    ({ source, origin: from, data, ports }: MessageEvent<{ kind?: unknown; key?: unknown } | null>) => {
      if (source === window && from === origin && data?.kind === FILES_MESSAGE)
        ipcRenderer.postMessage(BRIDGE_CHANNELS.files, data.key, [...ports]);
    },
  );
}
