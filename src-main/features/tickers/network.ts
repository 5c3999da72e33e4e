import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { tickers as contract } from '../../../src-shared/contract/tickers.ts';
import type { ErrorCode } from '../../../src-shared/contract/errors.ts';
import type { Input, ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { DeviceSettings } from '../../../src-shared/ticker/device/shapes.ts';
import { writeSettings } from '../../../src-shared/ticker/device/write-settings.ts';
import { TickerError } from '../../../src-shared/ticker/flash/ticker-error.ts';
import { diffSettings, documentOf, missingChanges } from '../../../src-shared/ticker/settings/change.ts';
import { valueAt } from '../../../src-shared/ticker/settings/check.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import { fail, Failure } from '../../platform/kernel/errors.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { listFirmware, readFirmware } from './bundled-firmware.ts';
import { type Announced, browseNetwork, findDevices } from './discover.ts';
import { bodyOf, isInHomeNetwork, type LanDevice, type MayReach, openLanDevice } from './lan-device.ts';
import { searchSymbols, tryQuote } from './market.ts';

/** Larger than any image of a board. */
const MAX_UPDATE_BYTES = 8 * 1024 * 1024;
/** The release workflow puts the firmware there; a copy from the source code has none. */
const BUNDLED = new URL('../../../resources/firmware', import.meta.url);
const ACTIONS = { refresh: '/api/refresh', reboot: '/api/reboot', presence: '/api/presence' } as const;

/** Why a device refuses an update (firmware/core/update); `older` is among the other answers of a device. */
const UPDATE_REFUSALS = new Map<unknown, ErrorCode>([
  ['not_an_update', 'ticker.update_unreadable'],
  ['damaged', 'ticker.update_unreadable'],
  ['other_chip', 'ticker.update_other_board'],
  ['other_board', 'ticker.update_other_board'],
  ['too_large', 'ticker.update_too_large'],
  ['not_signed', 'ticker.update_not_signed'],
  ['not_stored', 'ticker.update_not_stored'],
]);

export interface TickerNetworkDeps {
  /** The setting of this name. */
  nothingLeaves: () => boolean;
  /** Where received files are. */
  vault: Pick<Vault, 'resolve' | 'discard'>;
  send?: typeof fetch;
  mayReach?: MayReach;
  browse?: (seconds: number) => Promise<Announced[]>;
  /** Folder of the firmware that comes with Hearth. */
  firmwareFolder?: string;
}
interface Deps {
  nothingLeaves: () => boolean;
  vault: Pick<Vault, 'resolve' | 'discard'>;
  send: typeof fetch;
  mayReach: MayReach;
  browse: (seconds: number) => Promise<Announced[]>;
  firmwareFolder: string;
}

export type TickerNetwork = ReturnType<typeof createTickerNetwork>;

/** Tickers on the network and their sources, for the page. */
export const createTickerNetwork = ({
  nothingLeaves,
  vault,
  send = fetch,
  mayReach = isInHomeNetwork,
  browse = browseNetwork,
  firmwareFolder = fileURLToPath(BUNDLED),
}: TickerNetworkDeps) =>
  bindFirst({ nothingLeaves, vault, send, mayReach, browse, firmwareFolder } satisfies Deps as Deps, {
    discover,
    search,
    tryOut,
    read,
    write,
    act,
    update,
    listImages,
    readImage,
  });

const listImages = async ({ firmwareFolder }: Deps): Promise<ReplyInput<typeof contract.listFirmware>> => ({
  images: await listFirmware(firmwareFolder),
});

const readImage = ({ firmwareFolder }: Deps, board: string): Promise<Uint8Array> => readFirmware(firmwareFolder, board);

function refuseLeaving({ nothingLeaves }: Deps): void {
  if (nothingLeaves()) throw fail('ticker.nothing_leaves');
}

async function search(deps: Deps, text: string): Promise<ReplyInput<typeof contract.search>> {
  refuseLeaving(deps);
  return { found: await searchSymbols(deps, text) };
}

/** A symbol that a source does not know is an answer, not a failed call. */
async function tryOut(
  deps: Deps,
  wish: Input<typeof contract.tryQuote>['body'],
): Promise<ReplyInput<typeof contract.tryQuote>> {
  refuseLeaving(deps);
  try {
    return { quote: await tryQuote(deps, wish), failure: null };
  } catch (error) {
    if (error instanceof Failure) return { quote: null, failure: { code: error.code, params: error.params } };
    throw error;
  }
}

async function discover({ browse, mayReach }: Deps, seconds: number): Promise<ReplyInput<typeof contract.discover>> {
  return { devices: seconds === 0 ? [] : await findDevices(await browse(seconds), mayReach) };
}

async function read(
  { mayReach }: Deps,
  where: Input<typeof contract.readDevice>['body'],
): Promise<ReplyInput<typeof contract.readDevice>> {
  const device = openLanDevice(where, mayReach);
  return { status: await device.status(), settings: await device.settings() };
}

async function write(
  { mayReach }: Deps,
  { document, ...where }: Input<typeof contract.writeDevice>['body'],
): Promise<ReplyInput<typeof contract.writeDevice>> {
  const login = { ...where };
  const device = openLanDevice(login, mayReach);
  const target = {
    ...device,
    // What was just set as the password is what the device wants from then on.
    set: (changes: object) => device.set(changes).finally(() => Object.assign(login, loginIn(changes))),
  };
  try {
    return { settings: (await writeSettings(target, document)).settings };
  } catch (error) {
    if (error instanceof TickerError) throw new Failure(error.code, { params: error.params });
    throw error;
  }
}

function loginIn(document: object): { user?: string; password?: string } {
  const [user, password] = [valueAt(document, 'auth.user'), valueAt(document, 'auth.pass')];
  return {
    ...(typeof user === 'string' && { user }),
    ...(typeof password === 'string' && password !== '' && { password }),
  };
}

async function act(
  { mayReach }: Deps,
  { action, ...where }: Input<typeof contract.actDevice>['body'],
): Promise<ReplyInput<typeof contract.actDevice>> {
  bodyOf(await openLanDevice(where, mayReach).send('POST', ACTIONS[action]));
  return { ok: true };
}

/** Receives a file into the vault's tmp folder; `path` is relative to the vault. */
type Receive = () => Promise<{ path: string; size: number; given: Input<typeof contract.updateDevice>['query'] }>;

/** Installs an update; settings that the new firmware does not have any more are written again. */
async function update({ mayReach, vault }: Deps, receive: Receive): Promise<ReplyInput<typeof contract.updateDevice>> {
  const { path, size, given } = await receive();
  try {
    const { address = '', code, ...login } = given;
    const device = openLanDevice({ address, ...login }, mayReach);
    if (size > MAX_UPDATE_BYTES) throw fail('ticker.update_too_large');
    const before = await device.settings();
    const reply = await device.send('POST', '/update', await readFile(vault.resolve(path)), {
      'content-type': 'application/octet-stream',
      ...(code !== '' && { 'x-hearth-code': code }),
    });
    refuseUpdate(reply);
    return { status: await device.awaitStart(), restored: await putBack(device, before) };
  } finally {
    vault.discard(path);
  }
}

/** Writes the settings from before that the device does not have any more; returns their names. */
async function putBack(device: LanDevice, before: DeviceSettings): Promise<string[]> {
  const lost = diffSettings(await device.settings(), before);
  if (lost.length === 0) return [];
  if (await device.set(documentOf(lost))) await device.awaitStart();
  const missing = missingChanges(lost, await device.settings());
  if (missing.length > 0) throw fail('ticker.not_kept', { paths: missing.map(({ path }) => path).join(', ') });
  return lost.map(({ path }) => path);
}

function refuseUpdate(reply: { status: number; body: unknown }): void {
  const { error } = (reply.body ?? {}) as { error?: unknown };
  const refusal = UPDATE_REFUSALS.get(error);
  if (refusal !== undefined) throw fail(refusal);
  bodyOf(reply);
}
