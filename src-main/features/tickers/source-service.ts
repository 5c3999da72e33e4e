import { randomBytes } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import type { Input, ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import {
  MAX_SOURCE_DEVICES,
  MAX_SOURCE_SYMBOLS,
  type SourceDevice,
  type SourceView,
  type StoredDevice,
  type StoredList,
  type tickerSourceList as contract,
} from '../../../src-shared/contract/ticker-source.ts';
import type { Database } from '../../platform/database/connection.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import { type Clock, toTimestamp } from '../../platform/kernel/clock.ts';
import { fail, Failure } from '../../platform/kernel/errors.ts';
import { hashToken, type SourceList } from './source-list.ts';
import type { SourceRepository } from './source-repository.ts';
import type { TickerPrices } from './source.ts';

const DAY_MS = 86_400_000;
const TOKEN_BYTES = 24;
const MAX_FILES = 100;

/** The port for tickers. */
export interface SourcePort {
  state(): SourceView['state'];
  /** Where devices reach it, or would. */
  addresses(): string[];
  /** Opens or closes it, as the list says. */
  refresh(): Promise<void>;
}

export interface SourceServiceDeps {
  db: Database;
  clock: Clock;
  repository: SourceRepository;
  prices: Pick<TickerPrices, 'tryEntry'>;
  port: SourcePort;
  /** Folder of the files that entries may read. */
  folder: string;
  /** The configuration names a file as list. */
  isFile: boolean;
}

export type TickerSourceService = ReturnType<typeof createTickerSourceService>;

/** The list of prices that administrators edit. */
export const createTickerSourceService = (deps: SourceServiceDeps) =>
  bindFirst(deps, { view, turn, setSymbol, tryEntry, addDevice, removeDevice, restoreDevice });

/** The stored list as tickers see it; null while it is off. */
export function listOf({ is_on, devices, symbols }: StoredList, folder: string): SourceList | null {
  if (!is_on) return null;
  const known = devices.filter(({ removed_at }) => removed_at === null);
  return {
    hashes: known.map(({ hash }) => Buffer.from(hash, 'hex')),
    symbols: Object.fromEntries(symbols.map(({ symbol, entry }) => [symbol, entry])),
    folder,
  };
}

/** `isHere`: the caller uses the computer on which Hearth runs. */
async function view({ repository, port, folder, isFile }: SourceServiceDeps, isHere: boolean): Promise<SourceView> {
  const { devices, symbols } = repository.read();
  return {
    state: port.state(),
    is_file: isFile,
    addresses: port.addresses(),
    devices: devices.filter(({ removed_at }) => removed_at === null).map(withoutHash),
    symbols,
    files: await listFiles(folder),
    folder: isHere ? folder : null,
  };
}

const withoutHash = ({ id, name, created_at }: StoredDevice): SourceDevice => ({ id, name, created_at });

async function listFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => /\.(csv|json)$/i.test(name))
    .sort()
    .slice(0, MAX_FILES);
}

/** Changes the list in one transaction. Devices that were removed long ago are forgotten. */
function edit(deps: SourceServiceDeps, change: (list: StoredList, now: string) => Partial<StoredList>): void {
  if (deps.isFile) throw fail('ticker.source_is_file');
  const { db, repository, clock } = deps;
  const [now, limit] = [toTimestamp(clock.now()), toTimestamp(clock.now() - DAY_MS)];
  db.transaction(() => {
    const list = repository.read();
    const devices = list.devices.filter(({ removed_at }) => removed_at === null || removed_at > limit);
    const kept = { ...list, devices };
    repository.write({ ...kept, ...change(kept, now) }, now);
  });
}

async function turn(deps: SourceServiceDeps, isOn: boolean, isHere: boolean): Promise<SourceView> {
  edit(deps, () => ({ is_on: isOn }));
  if (isOn) await mkdir(deps.folder, { recursive: true }).catch(() => undefined);
  await deps.port.refresh();
  return view(deps, isHere);
}

function setSymbol(
  deps: SourceServiceDeps,
  { symbol, before, entry }: Input<typeof contract.setSymbol>['body'],
  isHere: boolean,
): Promise<SourceView> {
  edit(deps, ({ symbols }) => {
    const replaced = before ?? symbol;
    const at = symbols.findIndex((one) => one.symbol === replaced);
    if (entry === null) return { symbols: symbols.filter((one) => one.symbol !== replaced) };
    const isTaken = symbols.some((one, index) => one.symbol === symbol && (before === null || index !== at));
    if (isTaken) throw fail('ticker.symbol_listed', { symbol });
    if (at < 0 && symbols.length >= MAX_SOURCE_SYMBOLS) throw fail('ticker.source_full', { most: MAX_SOURCE_SYMBOLS });
    const row = { symbol, entry };
    return { symbols: at < 0 ? [...symbols, row] : symbols.with(at, row) };
  });
  return view(deps, isHere);
}

/** An entry without a price is an answer, not a failed call. */
async function tryEntry(
  { repository, prices, folder }: SourceServiceDeps,
  { symbol, entry }: Input<typeof contract.tryEntry>['body'],
): Promise<ReplyInput<typeof contract.tryEntry>> {
  const list = listOf({ ...repository.read(), is_on: true }, folder)!;
  try {
    const quote = await prices.tryEntry({ ...list, symbols: { ...list.symbols, [symbol]: entry } }, symbol);
    return { quote, failure: quote === null ? { code: 'ticker.entry_without_price' } : null };
  } catch (error) {
    const failure =
      error instanceof Failure
        ? { code: error.code, params: error.params }
        : ({ code: 'ticker.entry_without_price' } as const);
    return { quote: null, failure };
  }
}

async function addDevice(
  deps: SourceServiceDeps,
  name: string,
  isHere: boolean,
): Promise<ReplyInput<typeof contract.addDevice>> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  let device: StoredDevice | null = null;
  edit(deps, ({ devices, next_id: id }, now) => {
    refuseMoreDevices(devices);
    device = { id, name, hash: hashToken(token).toString('hex'), created_at: now, removed_at: null };
    return { next_id: id + 1, devices: [...devices, device] };
  });
  const addresses = deps.port.addresses().map((address) => `${address}/quote?token=${token}`);
  return { device: withoutHash(device!), addresses, view: await view(deps, isHere) };
}

function refuseMoreDevices(devices: readonly StoredDevice[]): void {
  const count = devices.filter(({ removed_at }) => removed_at === null).length;
  if (count >= MAX_SOURCE_DEVICES) throw fail('ticker.source_full', { most: MAX_SOURCE_DEVICES });
}

function removeDevice(deps: SourceServiceDeps, id: number, isHere: boolean): Promise<SourceView> {
  edit(deps, ({ devices }, now) => ({ devices: markRemoved(devices, id, now) }));
  return view(deps, isHere);
}

function restoreDevice(deps: SourceServiceDeps, id: number, isHere: boolean): Promise<SourceView> {
  edit(deps, ({ devices }) => {
    const restored = markRemoved(devices, id, null);
    refuseMoreDevices(devices);
    return { devices: restored };
  });
  return view(deps, isHere);
}

/** @throws `ticker.source_device_unknown` */
function markRemoved(devices: readonly StoredDevice[], id: number, removedAt: string | null): StoredDevice[] {
  if (!devices.some((device) => device.id === id)) throw fail('ticker.source_device_unknown');
  return devices.map((device) => (device.id === id ? { ...device, removed_at: removedAt } : device));
}
