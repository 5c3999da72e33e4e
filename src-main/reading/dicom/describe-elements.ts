import type { DataSet, Tag } from './data-set.ts';
import { elementName } from './element-names.ts';
import type { DicomObject } from './parse.ts';

/** An element of an object, for people. */
export interface DescribedElement {
  /** `(0010,0010)` */
  tag: string;
  /** Empty where neither the standard nor a known device names it. */
  keyword: string;
  vr: string;
  name: string;
  /** Binary values are described by their length, sequences by the number of their items. */
  value: string;
  /** 0 for elements of the object; those of an item of a sequence follow it one level deeper. */
  level: number;
}

const MAX_ELEMENTS = 5_000;
const MAX_LEVEL = 16;
const MAX_VALUE = 1_000;
const MAX_NUMBERS = 64;
const PER_FRAME_GROUPS: Tag = 'x52009230';
const NUMBERS = new Set(['US', 'SS', 'UL', 'SL', 'FL', 'FD']);
const BYTES = new Set(['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'SV', 'UN', 'UV']);

/** The elements of an object in the order of the file, up to its pixels; of those of frames, the ones of `frame`. */
export function describeElements(
  { data, meta }: DicomObject,
  frame: number,
): { elements: DescribedElement[]; isCut: boolean } {
  const found = { elements: [] as DescribedElement[], isCut: false };
  describeAll(meta, { frame, level: 0 }, found);
  describeAll(data, { frame, level: 0 }, found);
  return found;
}

function describeAll(
  data: DataSet,
  { frame, level }: { frame: number; level: number },
  found: { elements: DescribedElement[]; isCut: boolean },
): void {
  for (const tag of data.tags()) {
    if (found.elements.length >= MAX_ELEMENTS) {
      found.isCut = true;
      return;
    }
    const { keyword, name, vr: usual } = elementName(tag, creatorOf(data, tag));
    const items = data.items(tag);
    const vr = data.vr(tag) ?? usual ?? (items.length > 0 ? 'SQ' : 'UN');
    const isSequence = vr === 'SQ' || items.length > 0;
    const value = isSequence ? counted(items.length, 'item') : valueOf(data, tag, vr === 'UN' ? (usual ?? vr) : vr);
    found.elements.push({ tag: `(${tag.slice(1, 5)},${tag.slice(5)})`.toUpperCase(), keyword, vr, name, value, level });
    const shown = tag === PER_FRAME_GROUPS ? items.slice(frame, frame + 1) : items;
    if (level >= MAX_LEVEL && shown.length > 0) found.isCut = true;
    else for (const item of shown) describeAll(item, { frame, level: level + 1 }, found);
  }
}

/** The creator of a private block: (gggg,00bb) for elements (gggg,bbxx). @see PS3.5, section 7.8.1 */
export function creatorOf(data: DataSet, tag: Tag): string | null {
  const [group, block] = [tag.slice(1, 5), tag.slice(5, 7)];
  return Number.parseInt(group, 16) % 2 === 1 && block !== '00' ? data.text(`x${group}00${block}`) : null;
}

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

function valueOf(data: DataSet, tag: Tag, vr: string): string {
  const length = data.bytes(tag).length;
  if (length === 0) return '';
  if (BYTES.has(vr)) {
    const stored = data.length(tag);
    return stored === null ? 'encapsulated' : counted(stored, 'byte');
  }
  if (vr === 'AT') return tagsIn(data.numbers(tag, 'US'));
  if (!NUMBERS.has(vr)) return cut(data.texts(tag).join('\\'));
  const numbers = data.numbers(tag, vr as 'US');
  const shown = numbers.slice(0, MAX_NUMBERS).join('\\');
  return numbers.length > MAX_NUMBERS ? `${shown} … (${numbers.length} values)` : shown;
}

const hex = (value = 0): string => value.toString(16).padStart(4, '0').toUpperCase();

const tagsIn = (halves: number[]): string =>
  Array.from(
    { length: Math.min(MAX_NUMBERS, halves.length >> 1) },
    (_, i) => `(${hex(halves[2 * i])},${hex(halves[2 * i + 1])})`,
  ).join('\\');

function cut(text: string): string {
  // Control characters but tabs and line ends.
  // oxlint-disable-next-line no-control-regex
  const shown = text.slice(0, MAX_VALUE).replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '');
  return text.length > MAX_VALUE ? `${shown} … (${text.length} characters)` : shown;
}
