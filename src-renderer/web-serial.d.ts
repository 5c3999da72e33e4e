/** The parts of Web Serial in use; TypeScript's DOM types omit them. */
interface Navigator {
  readonly serial?: {
    getPorts(): Promise<import('../src-shared/ticker/port.ts').TickerPort[]>;
    requestPort(): Promise<import('../src-shared/ticker/port.ts').TickerPort>;
  };
}
