import { useCallback, useEffect, useRef, useState } from 'react';
import type { ErrorReference } from '../../../src-shared/contract/errors.ts';
import { type DeviceLine, openDeviceLine } from '../../../src-shared/ticker/device/line.ts';
import type { DeviceSettings, DeviceStatus } from '../../../src-shared/ticker/device/shapes.ts';
import { TickerError } from '../../../src-shared/ticker/flash/ticker-error.ts';
import type { TickerPort } from '../../../src-shared/ticker/port.ts';
import { currentPort } from './held-port.ts';
import { rgbaOf } from './rgba.ts';

const POLL_MS = 4000;
const MAX_LOG_LINES = 500;

/** What a page shows of a running device on a cable. */
export interface LineState {
  line: DeviceLine | null;
  status: DeviceStatus | null;
  settings: DeviceSettings | null;
  /** What is on its screen now. */
  picture: Uint8ClampedArray<ArrayBuffer> | null;
  log: readonly string[];
  failure: ErrorReference | null;
}

const NOTHING: LineState = { line: null, status: null, settings: null, picture: null, log: [], failure: null };

export const referenceOf = (error: unknown): ErrorReference =>
  error instanceof TickerError ? error.reference : { code: 'ticker.timed_out' };

/** Opens the line to the device on a port and follows its state until the page is left. */
export function useLine(port: TickerPort | null) {
  const [state, setState] = useState<LineState>(NOTHING);
  const [attempt, setAttempt] = useState(0);
  const open = useRef<DeviceLine | null>(null);
  const show = useCallback((change: Partial<LineState>) => setState((before) => ({ ...before, ...change })), []);

  useEffect(() => {
    if (port === null) return;
    const stop = new AbortController();
    void follow(port, stop.signal, show, open);
    return () => {
      stop.abort();
      void open.current?.close();
      open.current = null;
    };
  }, [port, attempt, show]);

  return {
    state,
    show,
    /** Opens the line anew, at the port that the board has now. */
    retry: async () => {
      const found = await currentPort().catch(() => undefined);
      if (found === undefined) show({ failure: { code: 'ticker.port_denied' } });
      if (!found) return;
      setState(NOTHING);
      setAttempt((before) => before + 1);
    },
    /** Closes the line, so that the board can be written. */
    release: async () => {
      await open.current?.close();
      open.current = null;
    },
  };
}

async function follow(
  port: TickerPort,
  signal: AbortSignal,
  show: (change: Partial<LineState>) => void,
  open: { current: DeviceLine | null },
): Promise<void> {
  const log: string[] = [];
  const onLog = (text: string): void => {
    log.push(text);
    log.splice(0, log.length - MAX_LOG_LINES);
    if (!signal.aborted) show({ log: [...log] });
  };
  try {
    const line = await openDeviceLine(port, { onLog });
    if (signal.aborted) return await line.close();
    open.current = line;
    show({ line, settings: await line.settings() });
    while (!signal.aborted) {
      show({ status: await line.status() });
      show({ picture: rgbaOf(await line.screen()) });
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  } catch (error) {
    await open.current?.close();
    open.current = null;
    if (!signal.aborted) show({ line: null, failure: referenceOf(error) });
  }
}
