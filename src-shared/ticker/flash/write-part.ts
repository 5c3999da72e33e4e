import type { ESPLoader } from 'esptool-js';
import type { FirmwarePart } from './check-images.ts';
import { guardWork } from './connection.ts';
import type { GuardedPort } from './guarded-port.ts';
import { formatAddress, TickerError } from './ticker-error.ts';

const MIN_BLOCK_MS = 5_000;
const MAX_BLOCK_MS = 120_000;
const ERASE_AND_WRITE_MS_PER_BYTE = 0.04;
/** How often a block is sent that the board refused because its checksum was wrong. */
const MAX_SENDS = 3;

/** Compresses as zlib, the form that loaders take. */
async function compress(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([Uint8Array.from(bytes)]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Writes one part compressed. Between blocks the user can stop; the board then waits for the next beginning. */
export async function writePart({
  port,
  loader,
  part,
  onProgress,
  throwIfStopped,
}: {
  port: GuardedPort;
  loader: ESPLoader;
  part: FirmwarePart;
  onProgress: (done: number) => void;
  throwIfStopped: () => void;
}): Promise<void> {
  const total = part.bytes.length;
  // A block that expands to the whole part is erased and written before it is answered.
  const timeout = Math.min(MAX_BLOCK_MS, Math.max(MIN_BLOCK_MS, total * ERASE_AND_WRITE_MS_PER_BYTE));
  const failed = (error: unknown): never => {
    throw error instanceof TickerError
      ? error
      : new TickerError('ticker.write_failed', { address: formatAddress(part.address) });
  };
  const guard = <T>(work: Promise<T>): Promise<T> => guardWork(port, work, timeout + MIN_BLOCK_MS);

  const packed = await compress(part.bytes);
  await guard(loader.flashDeflBegin(total, packed.length, part.address)).catch(failed);
  onProgress(0);
  for (let sent = 0, sequence = 0; sent < packed.length; sequence += 1) {
    throwIfStopped();
    const block = packed.subarray(sent, sent + loader.FLASH_WRITE_SIZE);
    await sendBlock(
      (attempt) => guard(attempt()),
      () => loader.flashDeflBlock(block, sequence, timeout),
    ).catch(failed);
    sent += block.length;
    onProgress(Math.floor((sent / packed.length) * total));
  }
  await guard(loader.flashDeflFinish(false, timeout)).catch(failed);
}

/** Sends a block again only if the board said that it refused it: one whose answer was lost may be in flash already. */
async function sendBlock(
  run: (attempt: () => Promise<void>) => Promise<void>,
  send: () => Promise<void>,
): Promise<void> {
  for (let sends = 1; ; sends += 1) {
    try {
      await run(send);
      return;
    } catch (error) {
      const isRefused = error instanceof Error && error.message.includes('failed with status');
      if (!isRefused || sends === MAX_SENDS) throw error;
    }
  }
}
