/** USB ids of the adapter behind a port, where the system tells them. */
export interface PortIds {
  usbVendorId?: number;
  usbProductId?: number;
}

/**
 * A serial port, as Web Serial has it. The browser's own ports fit; a program brings ports of this shape. `setBaudRate`
 * changes the speed of an open port; without it, the port is closed and opened again.
 */
export interface TickerPort {
  /** False once the device was unplugged: the port stays dead then, also when the device comes back. */
  readonly connected?: boolean;
  readonly readable: ReadableStream<Uint8Array> | null;
  readonly writable: WritableStream<Uint8Array> | null;
  open(options: { baudRate: number; bufferSize?: number }): Promise<void>;
  close(): Promise<void>;
  /** Sets the lines for reset; a port without such lines ignores it. */
  setSignals(signals: { dataTerminalReady?: boolean; requestToSend?: boolean; break?: boolean }): Promise<void>;
  getInfo(): PortIds;
  setBaudRate?(baudRate: number): Promise<void>;
}
