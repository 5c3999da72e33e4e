import { useEffect, useRef, useState } from 'react';
import type { ErrorReference } from '../../../src-shared/contract/errors.ts';
import {
  type Bench,
  hashBytes,
  openBench,
  type Progress,
  type WrittenPart,
} from '../../../src-shared/ticker/flash/bench.ts';
import type { FirmwarePart } from '../../../src-shared/ticker/flash/check-images.ts';
import type { BoardFacts } from '../../../src-shared/ticker/flash/connection.ts';
import { findBoardTag } from '../../../src-shared/ticker/flash/image-head.ts';
import { TickerError } from '../../../src-shared/ticker/flash/ticker-error.ts';
import type { PortIds, TickerPort } from '../../../src-shared/ticker/port.ts';
import { currentPort, selectPort } from './held-port.ts';

export type Work = 'connect' | 'read' | 'write';

/** What was read from a board so far. */
export interface Backup {
  mac: string;
  bytes: Uint8Array;
  kept: number;
}

/** What the page shows of the board and of the running work. */
export interface BenchState {
  facts: BoardFacts | null;
  ids: PortIds;
  work: Work | null;
  progress: Progress | null;
  failure: ErrorReference | null;
  backup: Backup | null;
  written: readonly WrittenPart[] | null;
  isSlowed: boolean;
}

const NOTHING: BenchState = {
  facts: null,
  ids: {},
  work: null,
  progress: null,
  failure: null,
  backup: null,
  written: null,
  isSlowed: false,
};

/** The board of Hearth's firmware that a complete backup of this chip holds. */
export function boardOf(backup: Backup | null, { mac }: BoardFacts): string | null {
  const isWhole = backup !== null && backup.mac === mac && backup.kept === backup.bytes.length;
  return isWhole ? findBoardTag(backup.bytes) : null;
}

function referenceOf(error: unknown): ErrorReference {
  return error instanceof TickerError ? error.reference : { code: 'ticker.timed_out' };
}

/** A bench on one port: connect, read and write, each of which can be stopped and done again. */
export function useBench() {
  const [state, setState] = useState<BenchState>(NOTHING);
  const held = useRef<{ bench: Bench | null; stop: AbortController | null }>({ bench: null, stop: null });
  const show = (change: Partial<BenchState>): void => setState((before) => ({ ...before, ...change }));

  // A page that is left gives the port back.
  useEffect(() => {
    const { current } = held;
    return () => {
      current.stop?.abort();
      void current.bench?.close();
    };
  }, []);

  /** Runs work on the board, which is connected first if it is not. True if it succeeded. */
  async function run(work: Work, act: (bench: Bench) => Promise<void>): Promise<boolean> {
    const port = await currentPort().catch(() => undefined);
    if (!port) {
      show({ failure: { code: port === null ? 'ticker.device_gone' : 'ticker.port_denied' } });
      return false;
    }
    const stop = new AbortController();
    held.current.stop = stop;
    show({ work, failure: null, progress: null });
    try {
      await held.current.bench?.close();
      const bench = await openBench(port, {
        signal: stop.signal,
        onProgress: (progress) => show({ progress }),
      });
      held.current.bench = bench;
      show({ facts: bench.facts });
      await act(bench);
      show({ work: null, isSlowed: bench.isSlowed });
      return true;
    } catch (error) {
      await held.current.bench?.close();
      show({ work: null, failure: referenceOf(error) });
      return false;
    }
  }

  /** Asks for a port; null without one. */
  async function select(): Promise<TickerPort | null> {
    const port = await selectPort().catch(() => undefined);
    if (port === undefined) show({ failure: { code: 'ticker.port_denied' } });
    return port ?? null;
  }

  return {
    state,
    select,
    stop: () => held.current.stop?.abort(),
    async connect(): Promise<boolean> {
      const port = await select();
      if (port === null) return false;
      setState({ ...NOTHING, ids: port.getInfo() });
      return run('connect', async () => undefined);
    },
    read: () =>
      run('read', async (bench) => {
        const { mac, flashBytes } = bench.facts;
        const backup = await resumable(bench, state.backup, mac, flashBytes);
        await bench.read(backup.kept, flashBytes, (offset, bytes) => {
          backup.bytes.set(bytes, offset);
          backup.kept = offset + bytes.length;
          show({ backup: { ...backup } });
        });
      }),
    write: (parts: readonly FirmwarePart[], eraseAll: boolean) =>
      run('write', async (bench) => {
        const written = await bench.write(parts, { eraseAll, board: boardOf(state.backup, bench.facts) });
        await bench.finish();
        held.current.bench = null;
        show({ written });
      }),
    reset: () => {
      void held.current.bench?.close();
      held.current.bench = null;
      setState(NOTHING);
    },
  };
}

/** The kept part of a backup if it is of this board and its memory has not changed since; else an empty one. */
async function resumable(bench: Bench, kept: Backup | null, mac: string, flashBytes: number): Promise<Backup> {
  const isSame =
    kept !== null &&
    kept.mac === mac &&
    kept.bytes.length === flashBytes &&
    kept.kept > 0 &&
    kept.kept < flashBytes &&
    (await bench.hash(0, kept.kept)) === hashBytes(kept.bytes.subarray(0, kept.kept));
  return isSame ? { ...kept } : { mac, bytes: new Uint8Array(flashBytes), kept: 0 };
}
