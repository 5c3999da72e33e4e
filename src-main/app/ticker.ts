import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { textOfError } from '../../src-shared/contract/errors.ts';
import { UDEV_FILE, UDEV_RULE } from '../../src-shared/ticker/usb-names.ts';
import {
  flashTicker,
  followTickerLog,
  listTickerPorts,
  readTickerSettings,
  TickerError,
  writeTickerSettings,
} from '../features/tickers/service.ts';
import type { Flags } from './flags.ts';

interface TickerInput {
  flags: Flags;
  words: string[];
  print(line: string): void;
}

/** `hearth ticker list | flash | config | log`: the bench without a window. Returns the exit code. */
export async function runTicker(input: TickerInput): Promise<number> {
  const [action, ...words] = input.words;
  try {
    if (action === 'list') return await list(input);
    if (action === 'flash') return await flash(input, words);
    if (action === 'config') return await configure(input, words);
    if (action === 'log') return await followLog(input, words);
  } catch (error) {
    if (!(error instanceof TickerError)) throw error;
    input.print(`${textOfError(error.reference)} (${error.code})`);
    if (process.platform === 'linux' && error.code === 'ticker.port_denied') input.print(`${UDEV_FILE}:\n${UDEV_RULE}`);
    return 1;
  }
  throw new TypeError('Use “hearth ticker list”, “flash PORT FILES…”, “config PORT [FILE]” or “log PORT”.');
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
  const files = await Promise.all(paths.map(async (file) => ({ name: basename(file), bytes: await readGiven(file) })));
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

/** A file that the user named. */
function readGiven(path: string): Promise<Buffer> {
  return readFile(path).catch(() => {
    throw new TickerError('ticker.file_unreadable', { name: path });
  });
}

/** Without a file, prints the settings; with one, writes what differs and prints it. */
async function configure({ print }: TickerInput, [path, file]: string[]): Promise<number> {
  if (path === undefined) throw new TypeError('Name the port.');
  if (file === undefined) {
    print((await readTickerSettings(path)).trimEnd());
    return 0;
  }
  const changes = await writeTickerSettings(path, basename(file), (await readGiven(file)).toString());
  for (const { path: key, before, after } of changes)
    print(isSecret(key) ? `${key}: changed` : `${key}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`);
  print(changes.length === 0 ? 'The device has these settings already.' : 'Written, read back and compared.');
  return 0;
}

/** Networks carry passwords too. */
const isSecret = (path: string): boolean => /pass$/i.test(path) || path === 'wifi';

/** Prints the log of the device until the command is interrupted. */
async function followLog({ print }: TickerInput, [path]: string[]): Promise<number> {
  if (path === undefined) throw new TypeError('Name the port.');
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  await followTickerLog(path, print, stop.signal);
  return 0;
}

function hex(id: number): string {
  return id.toString(16).padStart(4, '0');
}
