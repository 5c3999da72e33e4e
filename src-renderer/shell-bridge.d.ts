/** In the desktop shell, preload puts the bridge here; a browser has none. */
interface Window {
  hearth?: import('../src-shared/contract/bridge.ts').ShellBridge;
}
