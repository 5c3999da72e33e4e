import { md5 } from '@noble/hashes/legacy.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { TickerPort } from '../port.ts';
import { checkImages, type FirmwarePart } from './check-images.ts';
import {
  type BoardFacts,
  connectBoard,
  type Connection,
  guardWork,
  SAFE_BAUD,
  startProgram,
  translateTo,
} from './connection.ts';
import { guardPort, type GuardedPort } from './guarded-port.ts';
import { formatAddress, TickerError, type TickerErrorCode } from './ticker-error.ts';
import { writePart } from './write-part.ts';

export const FAST_BAUD = 460_800;
/** A read is checked, kept and, if it was wrong, repeated in pieces of this size. */
export const READ_CHUNK_BYTES = 0x10000;
const MAX_CHUNK_MS = 60_000;
const MAX_ERASE_MS = 130_000;
const MAX_TRIES = 3;
/** Failures after which a slower line can help. */
const WORTH_RETRYING = new Set<TickerErrorCode>([
  'ticker.timed_out',
  'ticker.loader_failed',
  'ticker.no_flash',
  'ticker.read_failed',
  'ticker.write_failed',
  'ticker.verify_failed',
]);

/** How far a transfer is. */
export interface Progress {
  /** Index of the part. */
  part: number;
  done: number;
  total: number;
  bytesPerSecond: number;
  secondsLeft: number | null;
  baud: number;
}

export interface BenchOptions {
  baud?: number;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
}

/** What was written. */
export interface WrittenPart {
  name: string;
  address: number;
  bytes: number;
  md5: string;
}

/** A board on the bench, from its recognition to the start of its program. */
export interface Bench {
  readonly facts: BoardFacts;
  readonly baud: number;
  /** Whether something failed at the faster speed, so that the safe one is used. */
  readonly isSlowed: boolean;
  /**
   * Reads the flash from an address to an end, piece by piece; each piece was compared with the MD5 that the chip
   * computes. Go on later from the first byte that was not kept.
   */
  read(from: number, end: number, keep: (offset: number, bytes: Uint8Array) => void | Promise<void>): Promise<void>;
  /** MD5 of a range, as the chip computes it. */
  hash(address: number, size: number): Promise<string>;
  /** Checks the parts, writes and verifies them. With `eraseAll`, everything else is gone. */
  write(
    parts: readonly FirmwarePart[],
    options?: { eraseAll?: boolean; board?: string | null },
  ): Promise<WrittenPart[]>;
  /** Starts what is in flash, and gives the port back. */
  finish(): Promise<void>;
  /** Gives the port back at once. */
  close(): Promise<void>;
}

/** MD5 as hexadecimal letters. */
export function hashBytes(bytes: Uint8Array): string {
  return bytesToHex(md5(bytes));
}

/** What the steps on one port share. */
interface FlashSession {
  port: TickerPort;
  guarded: GuardedPort;
  connection: Connection | null;
  baud: number;
  isSlowed: boolean;
  signal: AbortSignal | undefined;
  onProgress: (progress: Progress) => void;
  now: () => number;
}

/** Opens a port and recognizes the board on it. A failure at the fast speed is followed by a try at the safe one. */
export async function openBench(port: TickerPort, options: BenchOptions = {}): Promise<Bench> {
  const { signal, onProgress = () => undefined, now = () => performance.now(), baud = FAST_BAUD } = options;
  const guarded = guardPort(port);
  const session: FlashSession = { port, guarded, connection: null, baud, isSlowed: false, signal, onProgress, now };
  const { facts } = await persist(session, (current) => Promise.resolve(current));
  return {
    facts,
    get baud() {
      return session.baud;
    },
    get isSlowed() {
      return session.isSlowed;
    },
    read: (from, end, keep) => readRange(session, from, end, keep),
    hash: (address, size) => persist(session, (current) => readHash(session, current, address, size)),
    async write(parts, { eraseAll = false, board = null } = {}) {
      checkImages(parts, { ...facts, board });
      throwIfStopped(session);
      if (eraseAll) await eraseFlash(session);
      const written: WrittenPart[] = [];
      for (const [index, part] of parts.entries())
        written.push(await persist(session, (current) => writeAndVerify(session, current, part, index)));
      return written;
    },
    async finish() {
      await startProgram(session.guarded);
      await giveBack(session);
    },
    close: () => giveBack(session),
  };
}

async function giveBack(session: FlashSession): Promise<void> {
  await session.guarded.close();
  session.connection = null;
}

async function connect(session: FlashSession): Promise<Connection> {
  await giveBack(session);
  session.guarded = guardPort(session.port);
  const connection = await connectBoard(session.guarded, session.baud, session.signal);
  session.connection = connection;
  if (connection.baud < session.baud) session.isSlowed = true;
  session.baud = connection.baud;
  return connection;
}

/** Runs work on a connected board; what a bad line breaks is tried again on a fresh connection at the safe speed. */
async function persist<T>(session: FlashSession, work: (connection: Connection) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work(session.connection ?? (await connect(session)));
    } catch (error) {
      if (!(error instanceof TickerError) || !WORTH_RETRYING.has(error.code) || tries === MAX_TRIES) {
        await giveBack(session);
        throw error;
      }
      session.connection = null;
      session.isSlowed ||= session.baud > SAFE_BAUD;
      session.baud = SAFE_BAUD;
    }
  }
}

function throwIfStopped({ signal }: FlashSession): void {
  if (signal?.aborted) throw new TickerError('ticker.cancelled');
}

function createMeter(session: FlashSession, part: number, total: number): (done: number) => void {
  const { now, onProgress } = session;
  const started = now();
  return (done) => {
    const seconds = (now() - started) / 1000;
    const bytesPerSecond = seconds > 0 ? done / seconds : 0;
    const secondsLeft = bytesPerSecond > 0 ? (total - done) / bytesPerSecond : null;
    onProgress({ part, done, total, bytesPerSecond, secondsLeft, baud: session.baud });
  };
}

type Keep = (offset: number, bytes: Uint8Array) => void | Promise<void>;

async function readRange(session: FlashSession, from: number, end: number, keep: Keep): Promise<void> {
  const meter = createMeter(session, 0, end - from);
  for (let offset = from; offset < end; offset += READ_CHUNK_BYTES) {
    throwIfStopped(session);
    const size = Math.min(READ_CHUNK_BYTES, end - offset);
    await keep(offset, await persist(session, (current) => readChunk(session, current, offset, size)));
    meter(offset + size - from);
  }
}

async function readChunk(
  session: FlashSession,
  { loader }: Connection,
  offset: number,
  size: number,
): Promise<Uint8Array> {
  const { guarded } = session;
  const failed = translateTo('ticker.read_failed', { address: formatAddress(offset) });
  const bytes = await guardWork(guarded, loader.readFlash(offset, size), MAX_CHUNK_MS).catch(failed);
  const digest = await guardWork(guarded, loader.flashMd5sum(offset, size), MAX_CHUNK_MS).catch(failed);
  if (digest !== hashBytes(bytes)) throw new TickerError('ticker.read_failed', { address: formatAddress(offset) });
  return bytes;
}

function readHash({ guarded }: FlashSession, { loader }: Connection, address: number, size: number): Promise<string> {
  const failed = translateTo('ticker.read_failed', { address: formatAddress(address) });
  return guardWork(guarded, loader.flashMd5sum(address, size), MAX_CHUNK_MS).catch(failed);
}

const eraseFlash = (session: FlashSession): Promise<unknown> =>
  persist(session, ({ loader }) =>
    guardWork(session.guarded, loader.eraseFlash(), MAX_ERASE_MS).catch(
      translateTo('ticker.write_failed', { address: '0x0' }),
    ),
  );

async function writeAndVerify(
  session: FlashSession,
  { loader }: Connection,
  part: FirmwarePart,
  index: number,
): Promise<WrittenPart> {
  const onProgress = createMeter(session, index, part.bytes.length);
  await writePart({ port: session.guarded, loader, part, onProgress, throwIfStopped: () => throwIfStopped(session) });
  const address = formatAddress(part.address);
  const expected = hashBytes(part.bytes);
  const hashing = loader.flashMd5sum(part.address, part.bytes.length);
  const failed = translateTo('ticker.verify_failed', { address });
  if ((await guardWork(session.guarded, hashing, MAX_CHUNK_MS).catch(failed)) !== expected)
    throw new TickerError('ticker.verify_failed', { address });
  return { name: part.name, address: part.address, bytes: part.bytes.length, md5: expected };
}
