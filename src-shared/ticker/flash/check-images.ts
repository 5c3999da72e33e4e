import { type ChipFacts, CHIPS } from './chips.ts';
import {
  findBoardTag,
  type ImageHead,
  type Partition,
  readImageHead,
  readPartitions,
  TABLE_BYTES,
  TABLE_OFFSET,
} from './image-head.ts';
import { formatAddress, TickerError } from './ticker-error.ts';

export const SECTOR_BYTES = 4096;
const UPDATE_MAGIC = 'HEARTHUP';
const APPLICATION_TYPE = 0;

/** A file and where it goes. */
export interface FirmwarePart {
  name: string;
  address: number;
  bytes: Uint8Array;
}

/** The board that is to be written. */
export interface Target {
  chip: ChipFacts;
  flashBytes: number;
  /** The table that is on it now; null without one. */
  partitions: readonly Partition[] | null;
  /** The board's tag as far as it is known. */
  board?: string | null;
}

/** Throws a `TickerError` if these parts would not run on this board. Nothing is erased before. */
export function checkImages(parts: readonly FirmwarePart[], target: Target): void {
  if (parts.length === 0 || parts.some(({ bytes }) => bytes.length === 0)) throw new TickerError('ticker.no_images');
  for (const part of parts) checkMaker(part, target);
  for (const part of parts) checkPlace(part, target);
  checkOverlaps(parts);
  const partitions = newPartitions(parts) ?? target.partitions;
  checkPartitions(parts, partitions, target);
  for (const part of parts) checkContent(part, partitions, target);
  if (!parts.some((part) => holdsProgram(part, partitions, target)))
    throw new TickerError('ticker.not_an_image', { name: parts[0]!.name });
}

/** What has the head of another chip is refused with that reason, wherever it would go. */
function checkMaker(part: FirmwarePart, target: Target): void {
  const { name, bytes } = part;
  if (new TextDecoder('latin1').decode(bytes.subarray(0, UPDATE_MAGIC.length)) === UPDATE_MAGIC)
    throw new TickerError('ticker.update_file', { name });
  // A whole image of an ESP32 begins with an empty sector.
  const head = readImageHead(bytes, bytes[0] === 0xff ? CHIPS.esp32.bootOffset : 0);
  if (typeof head === 'object' && head.chip?.name !== target.chip.name)
    throw new TickerError('ticker.wrong_chip', { name, image: head.chip?.label ?? '?', chip: target.chip.label });
}

function checkPlace({ name, address, bytes }: FirmwarePart, { flashBytes }: Target): void {
  if (!Number.isInteger(address) || address < 0 || address % SECTOR_BYTES !== 0)
    throw new TickerError('ticker.wrong_address', { name, address: formatAddress(address) });
  if (address + bytes.length > flashBytes)
    throw new TickerError('ticker.too_large', { name, size: bytes.length, room: Math.max(0, flashBytes - address) });
}

function checkOverlaps(parts: readonly FirmwarePart[]): void {
  const sorted = [...parts].sort((one, other) => one.address - other.address);
  for (const [index, part] of sorted.entries()) {
    const next = sorted[index + 1];
    const end = Math.ceil((part.address + part.bytes.length) / SECTOR_BYTES) * SECTOR_BYTES;
    if (next !== undefined && end > next.address)
      throw new TickerError('ticker.overlapping', { name: part.name, other: next.name });
  }
}

/** The bytes of a part from an address of the flash on; null if it does not have it. */
function bytesAt({ address, bytes }: FirmwarePart, at: number): Uint8Array | null {
  return at >= address && at < address + bytes.length ? bytes.subarray(at - address) : null;
}

function newPartitions(parts: readonly FirmwarePart[]): Partition[] | null {
  for (const part of parts) {
    const bytes = bytesAt(part, TABLE_OFFSET);
    const rows = bytes && readPartitions(bytes.subarray(0, TABLE_BYTES));
    if (rows) return rows;
  }
  return null;
}

function checkPartitions(
  parts: readonly FirmwarePart[],
  partitions: readonly Partition[] | null,
  { flashBytes, chip }: Target,
): void {
  if (chip.name === 'esp8266') return;
  const end = Math.max(0, ...(partitions ?? []).map(({ offset, size }) => offset + size));
  if (end > flashBytes)
    throw new TickerError('ticker.too_large', { name: parts[0]!.name, size: end, room: flashBytes });
}

/** Places where a program may begin: the loader's, and those of applications. */
function programPlaces(partitions: readonly Partition[] | null, { chip, flashBytes }: Target): Partition[] {
  const boot = { type: APPLICATION_TYPE, label: 'boot', offset: chip.bootOffset };
  if (chip.name === 'esp8266') return [{ ...boot, size: flashBytes }];
  const applications = (partitions ?? []).filter(({ type }) => type === APPLICATION_TYPE);
  return [{ ...boot, size: TABLE_OFFSET - chip.bootOffset }, ...applications];
}

function holdsProgram(part: FirmwarePart, partitions: readonly Partition[] | null, target: Target): boolean {
  return programPlaces(partitions, target).some(({ offset }) => bytesAt(part, offset)?.[0] === 0xe9);
}

function checkContent(part: FirmwarePart, partitions: readonly Partition[] | null, target: Target): void {
  const { name, address, bytes } = part;
  const places = programPlaces(partitions, target);
  const first = readImageHead(bytes);
  if (typeof first === 'object') checkHead(first, part, target);
  if (first === 'incomplete') throw new TickerError('ticker.image_incomplete', { name });
  const hasPlace = places.some(({ offset }) => offset === address);
  if (first !== 'not an image' && !hasPlace)
    throw new TickerError('ticker.wrong_address', { name, address: formatAddress(address) });
  for (const place of places) checkProgram(part, place, target);
  const tag = findBoardTag(bytes);
  if (tag !== null && target.board != null && tag !== target.board)
    throw new TickerError('ticker.wrong_board', { name, image: tag, board: target.board });
}

function checkProgram(part: FirmwarePart, place: Partition, target: Target): void {
  const { name } = part;
  const bytes = bytesAt(part, place.offset);
  if (bytes === null || bytes[0] === 0xff) return;
  const head = readImageHead(bytes);
  if (head === 'incomplete') throw new TickerError('ticker.image_incomplete', { name });
  if (head === 'not an image') throw new TickerError('ticker.not_an_image', { name });
  checkHead(head, part, target);
  const isBootPlace = place.offset === target.chip.bootOffset && target.chip.name !== 'esp8266';
  if (isBootPlace === head.isApplication && target.chip.name !== 'esp8266')
    throw new TickerError('ticker.wrong_address', { name, address: formatAddress(place.offset) });
  if (head.bytes > place.size) throw new TickerError('ticker.too_large', { name, size: head.bytes, room: place.size });
}

function checkHead({ flashMegabytes }: ImageHead, { name }: FirmwarePart, target: Target): void {
  const size = (flashMegabytes ?? 0) * 1024 * 1024;
  if (size > target.flashBytes) throw new TickerError('ticker.too_large', { name, size, room: target.flashBytes });
}
