import type { PortIds, TickerPort } from '../port.ts';
import { TickerError } from './ticker-error.ts';

/** The longest that opening, closing and one write may take. */
const MAX_PORT_WAIT_MS = 10_000;
/** What the board said at last, for the search for traces of a running program. */
const MAX_HEARD_BYTES = 4096;

/** A port whose every wait ends, and that can be closed whatever a library still does with it. */
export interface GuardedPort extends TickerPort {
  /** Rejects with `ticker.device_gone` when the board is unplugged; never resolves. */
  readonly gone: Promise<never>;
  /** The last bytes that the board sent. */
  readonly heard: string;
  forgetHeard(): void;
}

/** Ends with `error` if a promise takes longer. What it does later is ignored. */
export async function withinTime<T>(promise: Promise<T>, ms: number, error: () => Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  promise.catch(() => undefined);
  try {
    return await Promise.race([
      promise,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(error()), ms);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}

/** Guards a port: a library gets streams of its own, so that a lock that it never releases does not hold the port. */
export function guardPort(port: TickerPort): GuardedPort {
  let readable: ReadableStream<Uint8Array> | null = null;
  let writable: WritableStream<Uint8Array> | null = null;
  let reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  let writer: WritableStreamDefaultWriter<Uint8Array> | null = null;
  let heard = '';
  let reportGone: (error: Error) => void = () => undefined;
  const gone = new Promise<never>((_, reject) => {
    reportGone = reject;
  });
  gone.catch(() => undefined);

  async function pump(
    source: ReadableStreamDefaultReader<Uint8Array>,
    controller: ReadableStreamDefaultController<Uint8Array>,
  ): Promise<void> {
    try {
      for (;;) {
        const { value, done } = await source.read();
        if (done) break;
        heard = (heard + new TextDecoder('latin1').decode(value)).slice(-MAX_HEARD_BYTES);
        controller.enqueue(value);
      }
      controller.close();
    } catch {
      // After a close by us, nobody waits for the rest; otherwise the device was lost.
      if (reader === source) {
        reportGone(new TickerError('ticker.device_gone'));
        controller.error(new TickerError('ticker.device_gone'));
      }
    }
  }

  async function write(bytes: Uint8Array): Promise<void> {
    if (writer === null) throw new TickerError('ticker.device_gone');
    try {
      await withinTime(writer.write(bytes), MAX_PORT_WAIT_MS, () => new TickerError('ticker.timed_out'));
    } catch (error) {
      const failure = error instanceof TickerError ? error : new TickerError('ticker.device_gone');
      reportGone(failure);
      throw failure;
    }
  }

  function attach(): void {
    const source = port.readable!.getReader();
    reader = source;
    writer = port.writable!.getWriter();
    readable = new ReadableStream<Uint8Array>({ start: (controller) => void pump(source, controller) });
    writable = new WritableStream<Uint8Array>({ write });
  }

  async function detach(): Promise<void> {
    const [source, sink] = [reader, writer];
    reader = null;
    writer = null;
    readable = null;
    writable = null;
    await source?.cancel().catch(() => undefined);
    source?.releaseLock();
    sink?.releaseLock();
  }

  return {
    gone,
    get heard() {
      return heard;
    },
    forgetHeard: () => (heard = ''),
    get readable() {
      return readable;
    },
    get writable() {
      return writable;
    },
    async open(options) {
      await withinTime(port.open(options), MAX_PORT_WAIT_MS, () => new TickerError('ticker.port_busy')).catch(
        (error: unknown) => {
          throw describeOpenError(error);
        },
      );
      attach();
    },
    async close() {
      if (reader === null) return;
      const closing = detach().then(() => port.close());
      await withinTime(closing, MAX_PORT_WAIT_MS, () => new TickerError('ticker.timed_out')).catch(() => undefined);
    },
    async setSignals(signals) {
      const setting = port.setSignals(signals);
      // Some adapters have no such lines; whether the chip answers shows the rest.
      await withinTime(setting, MAX_PORT_WAIT_MS, () => new TickerError('ticker.timed_out')).catch(() => undefined);
    },
    getInfo: (): PortIds => port.getInfo(),
    ...(port.setBaudRate && {
      setBaudRate: (baudRate: number) =>
        withinTime(port.setBaudRate!(baudRate), MAX_PORT_WAIT_MS, () => new TickerError('ticker.timed_out')),
    }),
  };
}

/**
 * What a system says when it does not open a port. Browsers say only that it failed, and "Access denied" is how Windows
 * says that another program has it.
 */
function describeOpenError(error: unknown): TickerError {
  if (error instanceof TickerError) return error;
  const text = error instanceof Error ? `${error.name} ${error.message}` : String(error);
  if (/permission|EACCES/i.test(text)) return new TickerError('ticker.port_denied');
  if (/no such file|ENOENT|not found/i.test(text)) return new TickerError('ticker.device_gone');
  return new TickerError('ticker.port_busy');
}
