import { contextBridge, ipcRenderer } from 'electron';
import {
  BRIDGE_CHANNELS,
  BRIDGE_NAME,
  CALL_NAMES,
  FILES_MESSAGE,
  ORIGIN_ARGUMENT,
} from '../../../src-shared/contract/bridge-names.ts';
import type { BridgeSignal, ShellBridge } from '../../../src-shared/contract/bridge.ts';

/**
 * Runs in the window's sandbox before each page. Hearth's own page gets the bridge, but no other channels and none of
 * Electron's objects. The page of a sign-in provider gets nothing. Main checks the sender again.
 */
const origin = process.argv.find((word) => word.startsWith(ORIGIN_ARGUMENT))?.slice(ORIGIN_ARGUMENT.length);

/** Main parses the rest by the schema of the call. */
const isPlain = (args: unknown): args is object => typeof args === 'object' && args !== null && !Array.isArray(args);

if (location.origin === origin) {
  const callOf = (name: (typeof CALL_NAMES)[number]) => (args: unknown) =>
    isPlain(args) ? ipcRenderer.invoke(BRIDGE_CHANNELS.call, name, args) : Promise.resolve({ error: 'malformed' });
  const calls = Object.fromEntries(CALL_NAMES.map((name) => [name, callOf(name)])) as Omit<ShellBridge, 'onSignal'>;
  const bridge: ShellBridge = {
    ...calls,
    onSignal: (listener) => {
      ipcRenderer.on(BRIDGE_CHANNELS.signal, (_event, signal: BridgeSignal) => listener(signal));
    },
  } as ShellBridge;
  contextBridge.exposeInMainWorld(BRIDGE_NAME, bridge);
  window.addEventListener(
    'message',
    ({ source, origin: from, data, ports }: MessageEvent<{ kind?: unknown; key?: unknown } | null>) => {
      if (source === window && from === origin && data?.kind === FILES_MESSAGE)
        ipcRenderer.postMessage(BRIDGE_CHANNELS.files, data.key, [...ports]);
    },
  );
}
