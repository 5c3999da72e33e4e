/** The bridge that the preload script of the desktop shell provides; absent in a browser. */
interface Window {
  hearth?: import('../src-shared/contract/bridge.ts').ShellBridge;
}
