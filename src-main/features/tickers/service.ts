import { open } from 'node:fs/promises';
import type { Bench, Progress, WrittenPart } from '../../../src-shared/ticker/flash/bench.ts';
import { checkImages } from '../../../src-shared/ticker/flash/check-images.ts';
import type { BoardFacts } from '../../../src-shared/ticker/flash/connection.ts';
import { planParts, type SelectedFile } from '../../../src-shared/ticker/flash/manifest.ts';
import { TickerError } from '../../../src-shared/ticker/flash/ticker-error.ts';
import type { ListedPort } from './kernel-ports.ts';
import { createNodePort, listPorts } from './node-port.ts';

export { followTickerLog, readTickerSettings, writeTickerSettings } from './device.ts';
export { createTickerPrices, type TickerPrices } from './source.ts';
export { createFileListReader } from './source-list.ts';
export { createSourceRepository } from './source-repository.ts';
export { createTickerSourceService, listOf, type SourcePort } from './source-service.ts';
export { createTickerNetwork, type TickerNetwork } from './network.ts';
export { TickerError };

/** The programs of all chips are a tenth of what the core would load at its start. */
const loadBench = () => import('../../../src-shared/ticker/flash/bench.ts');

/** The serial ports of this computer. */
export async function listTickerPorts(): Promise<ListedPort[]> {
  const ports = await listPorts();
  if (ports === null) throw new TickerError('ticker.no_driver');
  return ports;
}

/** What a board is written with, and what is heard of it meanwhile. */
export interface FlashInput {
  path: string;
  files: readonly SelectedFile[];
  board: string | null;
  eraseAll: boolean;
  /** File for what is on the board now; a shorter one of the same board is gone on with. */
  keep: string | null;
  onFacts: (facts: BoardFacts) => void;
  onProgress: (progress: Progress) => void;
}

/** Writes files to the board on a port and starts it. Throws a `TickerError`. */
export async function flashTicker(input: FlashInput): Promise<WrittenPart[]> {
  const { openBench } = await loadBench();
  const port = await createNodePort(input.path);
  if (port === null) throw new TickerError('ticker.no_driver');
  const bench = await openBench(port, { onProgress: input.onProgress }).catch((error: unknown) => {
    const isMissing = error instanceof TickerError && error.code === 'ticker.device_gone';
    throw isMissing ? new TickerError('ticker.port_not_found', { port: input.path }) : error;
  });
  try {
    input.onFacts(bench.facts);
    const parts = planParts(input.files, bench.facts.chip);
    // What does not fit is refused before minutes of reading.
    checkImages(parts, { ...bench.facts, board: input.board });
    if (input.keep !== null) await keepFlash(bench, input.keep);
    const written = await bench.write(parts, { eraseAll: input.eraseAll, board: input.board });
    await bench.finish();
    return written;
  } finally {
    await bench.close();
  }
}

/** Reads the board into a file, from where an earlier read of the same memory ended. */
async function keepFlash(bench: Bench, path: string): Promise<void> {
  const { hashBytes } = await loadBench();
  const file = await open(path, 'a+').catch(() => {
    throw new TickerError('ticker.file_unreadable', { name: path });
  });
  try {
    const before = await file.readFile();
    const isSame = before.length > 0 && before.length <= bench.facts.flashBytes;
    const goesOn = isSame && (await bench.hash(0, before.length)) === hashBytes(before);
    if (!goesOn && before.length > 0) throw new TickerError('ticker.backup_exists', { name: path });
    await bench.read(before.length, bench.facts.flashBytes, async (_, bytes) => {
      await file.appendFile(bytes);
    });
    await file.sync();
  } finally {
    await file.close();
  }
}
