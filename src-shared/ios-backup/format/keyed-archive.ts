import {
  MAX_DEPTH,
  Uid,
  appleDate,
  damaged,
  emptyDictionary,
  isDictionary,
  walkable,
  type PlistDictionary,
  type PlistValue,
} from './plist-value.ts';

/** Whether a property list was written by NSKeyedArchiver. */
export const isKeyedArchive = (value: PlistValue): boolean =>
  isDictionary(value) && value.$archiver === 'NSKeyedArchiver' && Array.isArray(value.$objects);

/**
 * Converts the object graph of an NSKeyedArchiver plist to plain values: strings, data, dates, arrays and sets, and
 * dictionaries with string keys. Objects of other classes become dictionaries of their fields, with their class in
 * `$class`. A reference to an object that contains it (such as a parent) becomes null. `key` selects the root in
 * `$top`. Throws `damaged_plist`.
 */
export function unarchive(archive: PlistValue, key = 'root'): PlistValue {
  if (!isDictionary(archive) || !Array.isArray(archive.$objects)) throw damaged('not a keyed archive');
  const top = archive.$top;
  return walkable(new Unarchiver(archive.$objects).resolve(isDictionary(top) ? (top[key] ?? null) : null, 0));
}

class Unarchiver {
  private readonly objects: PlistValue[];
  private readonly resolved = new Map<number, PlistValue>();
  /** Objects whose resolution has started. An object without a result contains the object that refers to it. */
  private readonly visited = new Set<number>();

  constructor(objects: PlistValue[]) {
    this.objects = objects;
  }

  resolve(value: PlistValue, depth: number): PlistValue {
    if (depth > MAX_DEPTH) throw damaged('nested too deeply');
    if (value instanceof Uid) return this.object(value.index, depth);
    if (Array.isArray(value)) return value.map((item) => this.resolve(item, depth + 1));
    return isDictionary(value) ? this.fields(value, depth) : value;
  }

  private object(index: number, depth: number): PlistValue {
    const resolved = this.resolved.get(index);
    if (resolved !== undefined) return resolved;
    if (index >= this.objects.length) throw damaged('a reference to a missing object');
    const raw = this.objects[index] ?? null;
    if (raw === '$null' || this.visited.has(index)) return null;
    this.visited.add(index);
    const value = isDictionary(raw) ? this.instance(raw, depth) : this.resolve(raw, depth + 1);
    this.resolved.set(index, value);
    return value;
  }

  private instance(raw: PlistDictionary, depth: number): PlistValue {
    const name = this.className(raw.$class);
    if (name === null) return this.fields(raw, depth);
    const field = (key: string): PlistValue => this.resolve(raw[key] ?? null, depth + 1);
    switch (name.replace(/^NSMutable/, 'NS')) {
      case 'NSString':
        return field('NS.string') ?? textOf(field('NS.bytes'));
      case 'NSData':
        return field('NS.data') ?? field('NS.bytes') ?? new Uint8Array();
      case 'NSArray':
      case 'NSSet':
      case 'NSOrderedSet':
        return field('NS.objects') ?? [];
      case 'NSDictionary':
        return this.dictionary(field('NS.keys'), field('NS.objects'));
      case 'NSDate':
        return dateOf(field('NS.time'));
      case 'NSURL':
        return urlOf(field('NS.base'), field('NS.relative'));
      case 'NSUUID':
        return uuidOf(field('NS.uuidbytes'));
      case 'NSNull':
        return null;
      default:
        return this.fields(raw, depth, name);
    }
  }

  private fields(raw: PlistDictionary, depth: number, name?: string): PlistDictionary {
    const out = emptyDictionary();
    if (name !== undefined) out.$class = name;
    for (const [key, value] of Object.entries(raw)) if (key !== '$class') out[key] = this.resolve(value, depth + 1);
    return out;
  }

  private dictionary(keys: PlistValue, values: PlistValue): PlistDictionary {
    const out = emptyDictionary();
    if (!Array.isArray(keys) || !Array.isArray(values)) return out;
    keys.forEach((key, i) => {
      if (typeof key === 'string' || typeof key === 'number' || typeof key === 'bigint')
        out[String(key)] = values[i] ?? null;
    });
    return out;
  }

  private className(reference: PlistValue | undefined): string | null {
    const described = reference instanceof Uid ? this.objects[reference.index] : undefined;
    return isDictionary(described) && typeof described.$classname === 'string' ? described.$classname : null;
  }
}

const textOf = (bytes: PlistValue): string => (bytes instanceof Uint8Array ? new TextDecoder().decode(bytes) : '');
const dateOf = (time: PlistValue): Date | null => (typeof time === 'number' ? appleDate(time) : null);
const urlOf = (base: PlistValue, relative: PlistValue): string =>
  `${typeof base === 'string' ? base : ''}${typeof relative === 'string' ? relative : ''}`;

/** `E621E1F8-C36C-495A-93FC-0C247A3E6E5F` */
function uuidOf(bytes: PlistValue): string | null {
  if (!(bytes instanceof Uint8Array) || bytes.length !== 16) return null;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
