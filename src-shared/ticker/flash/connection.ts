import { ESPLoader, UnexpectedChipIdError, UnexpectedChipMagicError } from 'esptool-js';
import { type ChipFacts, findChip } from './chips.ts';
import { type GuardedPort, withinTime } from './guarded-port.ts';
import { GrowingTransport } from './growing-transport.ts';
import { type Partition, readPartitions, TABLE_BYTES, TABLE_OFFSET } from './image-head.ts';
import { formatAddress, TickerError, type TickerErrorCode } from './ticker-error.ts';

export const SAFE_BAUD = 115_200;
const SYNC_ROUNDS = 4;
/** Longer than any single answer of a loader; the library's own waits for reads are 100 s. */
const MAX_ANSWER_MS = 5_000;
const MAX_CONNECT_MS = 40_000;
const MAX_ERASE_MS = 120_000;
const RESET_PULSE_MS = 100;
const SILENT = { clean: () => undefined, write: () => undefined, writeLine: () => undefined };

/** What Hearth read from a chip. */
export interface BoardFacts {
  chip: ChipFacts;
  /** The chip's own words, with its revision. */
  description: string;
  crystalMegahertz: number;
  mac: string;
  flashBytes: number;
  /** The table that is on it now; null without one. */
  partitions: readonly Partition[] | null;
}

/** A board whose loader runs in its RAM. */
export interface Connection {
  readonly loader: ESPLoader;
  readonly facts: BoardFacts;
  readonly baud: number;
}

/** Connects to a board: reset into the loader, chip, loader in RAM, speed, flash. Throws a `TickerError`. */
export async function connectBoard(port: GuardedPort, baud: number, signal?: AbortSignal): Promise<Connection> {
  const transport = new GrowingTransport(port as unknown as ConstructorParameters<typeof GrowingTransport>[0]);
  transport.trace = () => undefined;
  port.forgetHeard();
  const loader = new ESPLoader({ transport, baudrate: baud, romBaudrate: SAFE_BAUD, terminal: SILENT });
  loader.FLASH_READ_TIMEOUT = MAX_ANSWER_MS;
  loader.CHIP_ERASE_TIMEOUT = MAX_ERASE_MS;
  loader.WRITE_BLOCK_ATTEMPTS = 1;
  const guard = <T>(work: Promise<T>): Promise<T> => guardWork(port, work, MAX_CONNECT_MS, signal);

  const chip = await detectChip(loader, port, guard);
  if (loader.secureDownloadMode) throw new TickerError('ticker.chip_locked');
  const [description, crystalMegahertz, mac] = await guard(describeChip(loader));
  await guard(loader.runStub()).catch(translateTo('ticker.loader_failed'));
  if (baud !== SAFE_BAUD) await guard(loader.changeBaud()).catch(translateTo('ticker.timed_out'));
  const flashBytes = await guard(readFlashSize(loader)).catch(translateTo('ticker.no_flash'));
  const partitions =
    chip.name === 'esp8266'
      ? null
      : await guard(readTable(loader)).catch(
          translateTo('ticker.read_failed', { address: formatAddress(TABLE_OFFSET) }),
        );
  return {
    loader,
    facts: { chip, description, crystalMegahertz, mac, flashBytes, partitions },
    // The library goes on at its first speed where the faster one did not work.
    baud: transport.baudrate,
  };
}

/** Runs work of the library until it ends, the board is unplugged, the time is over or the user stops. */
export async function guardWork<T>(port: GuardedPort, work: Promise<T>, ms: number, signal?: AbortSignal): Promise<T> {
  let stop: () => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(new TickerError('ticker.cancelled'));
  });
  stopped.catch(() => undefined);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  try {
    const bounded = withinTime(work, ms, () => new TickerError('ticker.timed_out'));
    return await Promise.race([bounded, port.gone, stopped]);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** Pulses the reset line so that what is in flash starts; the library leaves boards with an adapter in the loader. */
export async function startProgram(port: GuardedPort): Promise<void> {
  await port.setSignals({ dataTerminalReady: false, requestToSend: true });
  await new Promise((resolve) => setTimeout(resolve, RESET_PULSE_MS));
  await port.setSignals({ dataTerminalReady: false, requestToSend: false });
}

/** Turns what a library throws into a code; codes stay as they are. */
export function translateTo(code: TickerErrorCode, params: Record<string, string | number> = {}) {
  return (error: unknown): never => {
    throw error instanceof TickerError ? error : new TickerError(code, params);
  };
}

async function detectChip(
  loader: ESPLoader,
  port: GuardedPort,
  guard: <T>(work: Promise<T>) => Promise<T>,
): Promise<ChipFacts> {
  await guard(loader.detectChip('default_reset', SYNC_ROUNDS)).catch((error: unknown) => {
    if (error instanceof TickerError) throw error;
    if (error instanceof UnexpectedChipIdError || error instanceof UnexpectedChipMagicError)
      throw new TickerError('ticker.unknown_chip');
    // A loader names its mode when it starts; a program that runs writes lines of its own.
    const isProgram = /[\w ,:()[\]]{12,}/.test(port.heard) && !/download/i.test(port.heard);
    throw new TickerError(isProgram ? 'ticker.not_in_loader' : 'ticker.no_answer');
  });
  const chip = findChip(loader.chip.CHIP_NAME);
  if (chip === null) throw new TickerError('ticker.unknown_chip');
  return chip;
}

async function describeChip(loader: ESPLoader): Promise<[string, number, string]> {
  const chip = loader.chip as unknown as {
    getChipDescription(loader: ESPLoader): Promise<string>;
    getCrystalFreq(loader: ESPLoader): Promise<number>;
    readMac(loader: ESPLoader): Promise<string>;
  };
  return [await chip.getChipDescription(loader), await chip.getCrystalFreq(loader), await chip.readMac(loader)];
}

async function readFlashSize(loader: ESPLoader): Promise<number> {
  const id = await loader.readFlashId();
  const size = loader.DETECTED_FLASH_SIZES[(id >> 16) & 0xff];
  if (size === undefined) throw new TickerError('ticker.no_flash');
  return Number.parseInt(size, 10) * (size.endsWith('KB') ? 1024 : 1024 * 1024);
}

async function readTable(loader: ESPLoader): Promise<Partition[] | null> {
  return readPartitions(await loader.readFlash(TABLE_OFFSET, TABLE_BYTES));
}
