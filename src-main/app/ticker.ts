import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { textOfError } from '../../src-shared/contract/errors.ts';
import { flashTicker, listTickerPorts, TickerError } from '../features/tickers/service.ts';
import type { Flags } from './flags.ts';

interface TickerInput {
  flags: Flags;
  words: string[];
  print(line: string): void;
}

/** `hearth ticker list | flash PORT FILES…`: the bench without a window. Returns the exit code. */
export async function runTicker(input: TickerInput): Promise<number> {
  const [action, ...words] = input.words;
  try {
    if (action === 'list') return await list(input);
    if (action === 'flash') return await flash(input, words);
  } catch (error) {
    if (!(error instanceof TickerError)) throw error;
    input.print(`${textOfError(error.reference)} (${error.code})`);
    return 1;
  }
  throw new TypeError('Use “hearth ticker list” or “hearth ticker flash PORT FILES…”.');
}

async function list({ print }: TickerInput): Promise<number> {
  const ports = await listTickerPorts();
  for (const { path, usbVendorId, usbProductId } of ports) {
    const ids = usbVendorId === undefined ? '' : `  USB ${hex(usbVendorId)}:${hex(usbProductId ?? 0)}`;
    print(`${path}${ids}`);
  }
  if (ports.length === 0) print('No serial port was found. Plug the board in with a cable that carries data.');
  return 0;
}

async function flash({ flags, print }: TickerInput, [path, ...paths]: string[]): Promise<number> {
  if (path === undefined || paths.length === 0) throw new TypeError('Name the port and the images to write.');
  const files = await Promise.all(paths.map(async (file) => ({ name: basename(file), bytes: await readFile(file) })));
  let tenth = -1;
  const written = await flashTicker({
    path,
    files,
    board: flags.board,
    eraseAll: flags.eraseAll,
    keep: flags.keep,
    onFacts: ({ description, flashBytes, mac }) => print(`${description}, ${flashBytes / 1024 / 1024} MB, MAC ${mac}`),
    onProgress: ({ part, done, total, bytesPerSecond, secondsLeft }) => {
      const reached = part * 100 + Math.floor((done / total) * 10);
      if (reached === tenth) return;
      tenth = reached;
      const speed = `${Math.round(bytesPerSecond / 1000)} kB/s`;
      print(`${Math.floor((done / total) * 100)} %  ${speed}  ${Math.ceil(secondsLeft ?? 0)} s left`);
    },
  });
  for (const { name, address, bytes, md5 } of written)
    print(`${name}: ${bytes} bytes at 0x${address.toString(16)}, verified, MD5 ${md5}`);
  return 0;
}

function hex(id: number): string {
  return id.toString(16).padStart(4, '0');
}
