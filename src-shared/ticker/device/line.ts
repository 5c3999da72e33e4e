import type { z } from 'zod';
import { guardPort, type GuardedPort, withinTime } from '../flash/guarded-port.ts';
import { TickerError } from '../flash/ticker-error.ts';
import type { TickerPort } from '../port.ts';
import { createFrameReader, decodeScreen, encodeFrame, isReplyTo, LINK_TYPES, type LinkFrame } from '../protocol.ts';
import { MAX_SETTINGS_BYTES } from '../settings/fields.ts';
import { type DeviceSettings, deviceSettings, type DeviceStatus, deviceStatus, setReply } from './shapes.ts';

const BAUD = 115_200;
const ANSWER_MS = 4_000;
/** A screenshot of many colors takes long at this speed. */
const SCREEN_MS = 45_000;
const SCREEN_ROWS = 240;
/** A device that was just started or reset says nothing yet. */
const START_MS = 15_000;
const FIRST_ANSWER_MS = 1_000;
const MAX_LOG_BYTES = 1000;
const LOG_FRAME = LINK_TYPES.log | 0x80;

/** Bytes of the line for another protocol; requests of ours wait meanwhile. */
export interface SidePort {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}

/** A running device on a cable. Each call ends in time, with a `TickerError` if it failed. */
export interface DeviceLine {
  status(): Promise<DeviceStatus>;
  settings(): Promise<DeviceSettings>;
  /** Writes part of the settings: all of it or nothing. True if the device starts again because of it. */
  set(document: object): Promise<boolean>;
  refresh(): Promise<void>;
  /** 240 x 240 RGB565 values, as people see them. */
  screen(): Promise<Uint16Array>;
  /** Switches the log on or off. */
  log(isOn: boolean): Promise<void>;
  reboot(): Promise<void>;
  factory(): Promise<void>;
  /** Waits until the device answers again after a restart. */
  awaitStart(): Promise<DeviceStatus>;
  withSidePort<T>(use: (port: SidePort) => Promise<T>): Promise<T>;
  /** Rejects with `ticker.device_gone` when the cable is pulled; never resolves. */
  readonly gone: Promise<never>;
  close(): Promise<void>;
}

export interface LineOptions {
  onLog?: (line: string) => void;
}

/** What one line shares among its calls. */
interface Line {
  guarded: GuardedPort;
  writer: WritableStreamDefaultWriter<Uint8Array>;
  frames: ReturnType<typeof createFrameReader>;
  sequence: number;
  waiting: ((frame: LinkFrame) => void) | null;
  side: ReadableStreamDefaultController<Uint8Array> | null;
  /** The last call; the next one begins after it. */
  queue: Promise<unknown>;
  onLog: (line: string) => void;
}

/** Opens a port and waits for the firmware of Hearth to answer on it. */
export async function openDeviceLine(
  port: TickerPort,
  { onLog = () => undefined }: LineOptions = {},
): Promise<DeviceLine> {
  const guarded = guardPort(port);
  await guarded.open({ baudRate: BAUD });
  // Both lines off: the program runs.
  await guarded.setSignals({ dataTerminalReady: false, requestToSend: false });
  const line: Line = {
    guarded,
    writer: guarded.writable!.getWriter(),
    frames: createFrameReader(),
    sequence: 0,
    waiting: null,
    side: null,
    queue: Promise.resolve(),
    onLog,
  };
  void pump(line, guarded.readable!.getReader());
  try {
    await awaitStart(line);
  } catch (error) {
    await guarded.close();
    throw error;
  }
  return createCalls(line);
}

function createCalls(line: Line): DeviceLine {
  const simple = (type: number) => async (): Promise<void> => void (await request(line, type));
  return {
    status: () => ask(line, LINK_TYPES.info, deviceStatus),
    settings: () => ask(line, LINK_TYPES.get, deviceSettings),
    set: (document) => set(line, document),
    refresh: simple(LINK_TYPES.refresh),
    reboot: simple(LINK_TYPES.reboot),
    factory: simple(LINK_TYPES.factory),
    screen: () => screen(line),
    log: (isOn) => switchLog(line, isOn),
    awaitStart: () => awaitStart(line),
    withSidePort: (use) => inTurn(line, () => lendPort(line, use)),
    gone: line.guarded.gone,
    close: () => line.guarded.close(),
  };
}

async function pump(line: Line, reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      line.side?.enqueue(value);
      for (const frame of line.frames.push(value)) {
        if (frame.type === LOG_FRAME && frame.sequence === 0) line.onLog(logLine(frame.payload));
        else line.waiting?.(frame);
      }
    }
  } catch {
    // The port is gone; whoever waits hears of it from the port.
  }
}

/** A line of the log. Control characters become their pictures, so that a terminal does not act on them. */
function logLine(payload: Uint8Array): string {
  return new TextDecoder()
    .decode(payload.subarray(0, MAX_LOG_BYTES))
    .replace(/[\0-\x08\x0a-\x1f]/g, (control) => String.fromCharCode(0x2400 + control.charCodeAt(0)))
    .replace(/[\x7f-\x9f]|\p{Cf}/gu, '�');
}

/** One call at a time, as the device has one buffer. */
function inTurn<T>(line: Line, act: () => Promise<T>): Promise<T> {
  const turn = line.queue.then(act, act);
  line.queue = turn.catch(() => undefined);
  return turn;
}

interface Wait {
  /** Whether these replies are all of them. */
  isComplete?: (replies: readonly LinkFrame[]) => boolean;
  ms?: number;
}

function request(line: Line, type: number, payload = new Uint8Array(0), wait: Wait = {}): Promise<LinkFrame[]> {
  return inTurn(line, () => exchange(line, type, payload, wait));
}

async function exchange(
  line: Line,
  type: number,
  payload: Uint8Array,
  { isComplete = () => true, ms = ANSWER_MS }: Wait,
): Promise<LinkFrame[]> {
  // Sequence 0 belongs to the log.
  line.sequence = (line.sequence % 255) + 1;
  const { sequence } = line;
  // Half a frame of noise would hold back the answer.
  line.frames = createFrameReader();
  const replies: LinkFrame[] = [];
  const answered = new Promise<LinkFrame[]>((resolve, reject) => {
    line.waiting = (frame) => {
      if (!isReplyTo(frame, type, sequence)) return;
      if (frame.type === (LINK_TYPES.error | 0x80)) return reject(failureOf(frame));
      replies.push(frame);
      if (isComplete(replies)) resolve(replies);
    };
  });
  answered.catch(() => undefined);
  try {
    await line.writer.write(encodeFrame({ type, sequence, payload }));
    return await Promise.race([
      withinTime(answered, ms, () => new TickerError('ticker.device_silent')),
      line.guarded.gone,
    ]);
  } finally {
    line.waiting = null;
  }
}

function jsonOf({ payload }: LinkFrame): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(payload));
  } catch {
    return null;
  }
}

function failureOf(frame: LinkFrame): TickerError {
  const { error } = (jsonOf(frame) ?? {}) as { error?: unknown };
  if (error === 'busy') return new TickerError('ticker.device_busy');
  if (error === 'not_saved') return new TickerError('ticker.not_saved');
  if (error === 'no_screen') return new TickerError('ticker.no_screen');
  if (error === 'bad_frame') return new TickerError('ticker.line_noise');
  return new TickerError('ticker.not_hearth');
}

async function ask<T>(line: Line, type: number, shape: z.ZodType<T>, ms = ANSWER_MS): Promise<T> {
  const [reply] = await request(line, type, new Uint8Array(0), { ms });
  const parsed = shape.safeParse(jsonOf(reply!));
  if (!parsed.success) throw new TickerError('ticker.not_hearth');
  return parsed.data;
}

async function set(line: Line, document: object): Promise<boolean> {
  const payload = new TextEncoder().encode(JSON.stringify(document));
  if (payload.length > MAX_SETTINGS_BYTES)
    throw new TickerError('ticker.settings_too_long', { bytes: MAX_SETTINGS_BYTES });
  const [reply] = await request(line, LINK_TYPES.set, payload);
  const parsed = setReply.safeParse(jsonOf(reply!));
  if (!parsed.success) throw new TickerError('ticker.not_hearth');
  if (!parsed.data.ok)
    throw new TickerError('ticker.setting_refused', { key: parsed.data.key, rule: parsed.data.rule });
  return parsed.data.reboot;
}

async function screen(line: Line): Promise<Uint16Array> {
  const isEnd = ({ payload }: LinkFrame): boolean => payload.length === 1 && payload[0] === SCREEN_ROWS;
  const replies = await request(line, LINK_TYPES.screen, new Uint8Array(0), {
    isComplete: (received) => isEnd(received.at(-1)!) || received.length > SCREEN_ROWS,
    ms: SCREEN_MS,
  });
  const pixels = decodeScreen(replies);
  if (pixels === null) throw new TickerError('ticker.line_noise');
  return pixels;
}

/** The request toggles, so it is sent until the device says what is wanted. */
async function switchLog(line: Line, isOn: boolean): Promise<void> {
  for (let tries = 0; tries < 2; tries += 1) {
    const [reply] = await request(line, LINK_TYPES.log);
    if ((jsonOf(reply!) as { log?: unknown } | null)?.log === isOn) return;
  }
}

async function awaitStart(line: Line): Promise<DeviceStatus> {
  const end = performance.now() + START_MS;
  for (;;) {
    try {
      return await ask(line, LINK_TYPES.info, deviceStatus, FIRST_ANSWER_MS);
    } catch (error) {
      const isSilent =
        error instanceof TickerError && ['ticker.device_silent', 'ticker.line_noise'].includes(error.code);
      if (!isSilent) throw error;
      if (performance.now() > end) throw new TickerError('ticker.not_hearth');
    }
  }
}

async function lendPort<T>(line: Line, use: (port: SidePort) => Promise<T>): Promise<T> {
  const readable = new ReadableStream<Uint8Array>({
    start: (controller) => {
      line.side = controller;
    },
    cancel: () => {
      line.side = null;
    },
  });
  const writable = new WritableStream<Uint8Array>({ write: (bytes) => line.writer.write(bytes) });
  try {
    return await Promise.race([use({ readable, writable }), line.guarded.gone]);
  } finally {
    line.side = null;
  }
}
