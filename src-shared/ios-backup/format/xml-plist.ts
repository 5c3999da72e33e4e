import {
  MAX_DEPTH,
  MAX_VALUES,
  Uid,
  damaged,
  emptyDictionary,
  exact,
  type PlistDictionary,
  type PlistValue,
} from './plist-value.ts';

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Reads an XML property list (DTD: www.apple.com/DTDs/PropertyList-1.0.dtd), which has a few elements and no relevant
 * attributes. Only XML's five entities and character references are known, so nothing can be expanded or fetched.
 */
export function readXmlPlist(bytes: Uint8Array): PlistValue {
  const reader = new Reader(textOf(bytes));
  reader.open('plist');
  const value = reader.value(0);
  reader.close('plist');
  return value;
}

function textOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  return new TextDecoder('utf-8').decode(bytes);
}

interface Tag {
  name: string;
  isClosing: boolean;
  isEmpty: boolean;
}

class Reader {
  private readonly text: string;
  private at = 0;
  private values = 0;

  constructor(text: string) {
    this.text = text;
  }

  open(name: string): void {
    const tag = this.tag();
    if (tag.name !== name || tag.isClosing || tag.isEmpty) throw damaged(`<${name}> is missing`);
  }

  close(name: string): void {
    const tag = this.tag();
    if (tag.name !== name || !tag.isClosing) throw damaged(`</${name}> is missing`);
  }

  value(depth: number): PlistValue {
    const tag = this.tag();
    if (tag.isClosing) throw damaged(`</${tag.name}> instead of a value`);
    return this.valueOf(tag, depth);
  }

  private valueOf(tag: Tag, depth: number): PlistValue {
    if (depth > MAX_DEPTH) throw damaged('nested too deeply');
    this.values += 1;
    if (this.values > MAX_VALUES) throw damaged('the property list has too many values');
    switch (tag.name) {
      case 'dict':
        return tag.isEmpty ? emptyDictionary() : this.dictionary(depth);
      case 'array':
        return tag.isEmpty ? [] : this.array(depth);
      case 'true':
      case 'false':
        if (!tag.isEmpty) this.close(tag.name);
        return tag.name === 'true';
      case 'string':
        return this.content(tag);
      case 'integer':
        return integerOf(this.content(tag).trim());
      case 'real':
        return realOf(this.content(tag).trim());
      case 'date':
        return dateOf(this.content(tag).trim());
      case 'data':
        return dataOf(this.content(tag));
      default:
        throw damaged(`<${tag.name.slice(0, 20)}> is not an element of a property list`);
    }
  }

  /** XML writes a reference of a keyed archive as `<dict><key>CF$UID</key><integer>3</integer></dict>`. */
  private dictionary(depth: number): PlistDictionary | Uid {
    const out = emptyDictionary();
    for (;;) {
      const tag = this.tag();
      if (tag.name === 'dict' && tag.isClosing)
        return typeof out.CF$UID === 'number' && Object.keys(out).length === 1 ? new Uid(out.CF$UID) : out;
      if (tag.name !== 'key' || tag.isClosing) throw damaged('a value without a key');
      const key = this.content(tag);
      out[key] = this.value(depth + 1);
    }
  }

  private array(depth: number): PlistValue[] {
    const out: PlistValue[] = [];
    for (;;) {
      const tag = this.tag();
      if (tag.name === 'array' && tag.isClosing) return out;
      if (tag.isClosing) throw damaged(`</${tag.name.slice(0, 20)}> in an array`);
      out.push(this.valueOf(tag, depth + 1));
    }
  }

  /** Reads the next element tag and skips blank text, comments and declarations before it. */
  private tag(): Tag {
    for (;;) {
      const start = this.text.indexOf('<', this.at);
      if (start < 0) throw damaged('the file ends too early');
      if (/[^\s\uFEFF]/.test(this.text.slice(this.at, start))) throw damaged('text between elements');
      if (this.text.startsWith('<!--', start)) this.at = this.past('-->', start + 4);
      else if (this.text.startsWith('<?', start)) this.at = this.past('?>', start + 2);
      else if (this.text.startsWith('<!', start)) this.at = this.pastDoctype(start);
      else return this.element(start);
    }
  }

  private element(start: number): Tag {
    const end = this.past('>', start);
    this.at = end;
    const inner = this.text.slice(start + 1, end - 1);
    const isClosing = inner.startsWith('/'),
      isEmpty = inner.endsWith('/');
    const name = /^\/?([A-Za-z]+)/.exec(inner)?.[1];
    if (name === undefined) throw damaged('a tag without a name');
    return { name, isClosing, isEmpty };
  }

  private past(mark: string, from: number): number {
    const position = this.text.indexOf(mark, from);
    if (position < 0) throw damaged(`${mark} is missing`);
    return position + mark.length;
  }

  /** Skips a doctype, which may contain declarations in brackets. */
  private pastDoctype(start: number): number {
    const end = this.past('>', start),
      bracket = this.text.slice(start, end).indexOf('[');
    return bracket < 0 ? end : this.past('>', this.past(']', start + bracket));
  }

  /** Reads the text up to the closing tag and resolves references and CDATA sections; an empty element has none. */
  private content({ name, isEmpty }: Tag): string {
    let out = '';
    if (isEmpty) return out;
    for (;;) {
      const start = this.text.indexOf('<', this.at);
      if (start < 0) throw damaged('the file ends too early');
      out += unescape(this.text.slice(this.at, start));
      if (this.text.startsWith('<![CDATA[', start)) {
        this.at = this.past(']]>', start);
        out += this.text.slice(start + 9, this.at - 3);
      } else if (this.text.startsWith('<!--', start)) {
        this.at = this.past('-->', start + 4);
      } else {
        this.at = start;
        this.close(name);
        return out;
      }
    }
  }
}

/** Matches `&amp;`, `&#38;` and `&#x26;`. */
const unescape = (text: string): string =>
  text.replace(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

/** Parses `42`, `-42`, `+42` or `0x2a`; at most 20 digits, which is enough for 64 bits. */
function integerOf(text: string): number | bigint {
  if (!/^[+-]?(\d{1,20}|0x[0-9a-f]{1,16})$/i.test(text)) throw damaged('an invalid integer');
  const size = BigInt(text.replace(/^[+-]/, ''));
  return exact(text.startsWith('-') ? -size : size);
}

const SPECIAL_NUMBERS: Readonly<Record<string, number>> = { nan: NaN, inf: Infinity, infinity: Infinity };

function realOf(text: string): number {
  const special = SPECIAL_NUMBERS[text.replace(/^[+-]/, '').toLowerCase()];
  if (special !== undefined) return text.startsWith('-') ? -special : special;
  if (text === '' || Number.isNaN(Number(text))) throw damaged('an invalid number');
  return Number(text);
}

/** Parses `2024-02-29T10:00:00Z`. */
function dateOf(text: string): Date {
  const date = new Date(text);
  if (!/^-?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) || Number.isNaN(date.getTime()))
    throw damaged('an invalid date');
  return date;
}

/** Decodes Base64; `atob` skips white space. */
function dataOf(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    throw damaged('data that is not Base64');
  }
}
