import { utf8 } from './column-values.ts';

/**
 * Reads the text of an archived NSAttributedString or NSString, such as `attributedBody` of a message. The format is
 * the `typedstream` of NeXT's runtime: gcc's libobjc `typedstream.h`, and https://github.com/ReagentX/crabstep. Reading
 * ends with the text.
 */

/** First bytes of a number or reference; all others are the number itself. */
const INT_16 = 0x81,
  INT_32 = 0x82,
  FLOAT = 0x83,
  NEW = 0x84,
  NIL = 0x85,
  END = 0x86;
/** References to earlier values start at this byte. */
const FIRST_REFERENCE = 0x92;
/** Attributed strings nest less deeply; a stream that nests deeper is hostile. */
const MAX_DEPTH = 32;
const MAX_VALUES = 10_000;
const STREAMER = 4;

/** Thrown inside the reader for damaged or unsupported streams. */
class Unreadable extends Error {}

/** Up to this length, decoding ASCII here is faster than calling a decoder. */
const MAX_ASCII_LENGTH = 100;

function textOfBytes(bytes: Uint8Array): string {
  if (bytes.length > MAX_ASCII_LENGTH) return utf8(bytes);
  let text = '';
  for (const byte of bytes) {
    if (byte > 0x7f) return utf8(bytes);
    text += String.fromCharCode(byte);
  }
  return text;
}

/** `start`: the position of the text's length. */
type Found = { text: string; start: number };
type Encoding = string;

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #little: boolean;
  readonly #strings: string[] = [];
  /** Shared values by reference number: names of classes, null for objects. */
  readonly #shared: (string | null)[] = [];
  #at: number;
  #values = 0;

  constructor(bytes: Uint8Array, little: boolean, start: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#little = little;
    this.#at = start;
  }

  /** Reads a text, which follows its length. */
  text(): string {
    return textOfBytes(this.#take(this.#length()));
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new Unreadable('the stream ends early');
    this.#at += 1;
    return byte;
  }

  #take(length: number): Uint8Array {
    if (length < 0 || this.#at + length > this.#bytes.length) throw new Unreadable('a length exceeds the stream');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  #int(head = this.#byte()): number {
    if (head === INT_16) return this.#view.getInt16(this.#skip(2), this.#little);
    if (head === INT_32) return this.#view.getInt32(this.#skip(4), this.#little);
    if (head >= FLOAT && head < FIRST_REFERENCE) throw new Unreadable('not a number');
    return head > 0x7f ? head - 256 : head;
  }

  #skip(length: number): number {
    this.#take(length);
    return this.#at - length;
  }

  /** Lengths are unsigned. */
  #length(): number {
    const head = this.#byte();
    if (head === INT_16) return this.#view.getUint16(this.#skip(2), this.#little);
    if (head === INT_32) return this.#view.getUint32(this.#skip(4), this.#little);
    if (head > 0x7f) throw new Unreadable('not a length');
    return head;
  }

  #sharedString(): string | null {
    const head = this.#byte();
    if (head === NIL) return null;
    if (head === NEW) {
      const text = utf8(this.#take(this.#length()));
      this.#strings.push(text);
      return text;
    }
    const text = this.#strings[this.#reference(head)];
    if (text === undefined) throw new Unreadable('a reference to nothing');
    return text;
  }

  #reference(head: number): number {
    const number = this.#int(head);
    return number + 256 - FIRST_REFERENCE;
  }

  /** Reads the names of a class and its superclasses. */
  #classes(depth: number): string[] {
    if (depth > MAX_DEPTH) throw new Unreadable('too deep');
    const head = this.#byte();
    if (head === NIL) return [];
    if (head !== NEW) {
      const classNames = this.#shared[this.#reference(head)];
      return classNames === undefined || classNames === null ? [] : classNames.split(' ');
    }
    const name = this.#sharedString() ?? '';
    this.#int();
    const index = this.#shared.push(name) - 1;
    const names = [name, ...this.#classes(depth + 1)];
    this.#shared[index] = names.join(' ');
    return names;
  }

  /** Values of one group, until the text is found. */
  values(depth: number, inString: boolean): Found | null {
    const encoding = this.#sharedString();
    if (encoding === null) throw new Unreadable('a type is missing');
    return this.#ofEncoding(encoding, depth, inString);
  }

  #ofEncoding(encoding: Encoding, depth: number, inString: boolean): Found | null {
    for (let i = 0; i < encoding.length; i += 1) {
      this.#values += 1;
      if (this.#values > MAX_VALUES) throw new Unreadable('too many values');
      const type = encoding[i];
      if (type === '+') {
        const start = this.#at;
        const bytes = this.#take(this.#length());
        if (inString) return { text: textOfBytes(bytes), start };
      } else if (type === '@') {
        const textValue = this.#object(depth + 1);
        if (textValue) return textValue;
      } else if (type === '*') {
        if (this.#byte() === NEW) {
          this.#shared.push(null);
          this.#sharedString();
        }
      } else if (type === '%' || type === ':') this.#sharedString();
      else if (type === '#') this.#classes(depth + 1);
      else if (type === 'c' || type === 'C') this.#byte();
      else if (type === 'f' || type === 'd') this.#real(type);
      else if (type === '[') {
        const end = encoding.indexOf(']', i);
        const array = /^\[(\d{1,9})([cC])\]$/.exec(encoding.slice(i, end + 1));
        if (!array) throw new Unreadable('an array of another kind');
        this.#take(Number(array[1]));
        i = end;
      } else if ('iIlLqQsS'.includes(type ?? '')) this.#int();
      else if (!'{}='.includes(type ?? '') || type === undefined) throw new Unreadable('an unknown type');
    }
    return null;
  }

  #real(type: 'f' | 'd'): void {
    const head = this.#byte();
    if (head === FLOAT) this.#take(type === 'f' ? 4 : 8);
    else this.#int(head);
  }

  #object(depth: number): Found | null {
    if (depth > MAX_DEPTH) throw new Unreadable('too deep');
    const head = this.#byte();
    if (head === NIL) return null;
    if (head !== NEW) {
      this.#reference(head);
      return null;
    }
    this.#shared.push(null);
    const isString = this.#classes(depth).some((name) => name === 'NSString' || name === 'NSMutableString');
    for (;;) {
      if (this.#bytes[this.#at] === END) {
        this.#at += 1;
        return null;
      }
      const textValue = this.values(depth, isString);
      if (textValue) return textValue;
    }
  }
}

/** The bytes before the text of the previous stream: a million streams of one phone start with the same bytes. */
let lastStart = new Uint8Array();

const startsLikeLast = (bytes: Uint8Array): boolean => {
  if (lastStart.length === 0 || bytes.length <= lastStart.length) return false;
  for (let i = 0; i < lastStart.length; i += 1) if (bytes[i] !== lastStart[i]) return false;
  return true;
};

/**
 * Returns the plain text of a typed stream, with U+FFFC for each attachment; null if it has none, is damaged, or is
 * something else. The effort is limited by the bytes before the text, even for hostile streams.
 */
export function textOfTypedStream(bytes: Uint8Array): string | null {
  try {
    if (startsLikeLast(bytes)) return new Reader(bytes, true, lastStart.length).text();
    if (bytes[0] !== STREAMER || bytes[1] !== 11) return null;
    const magic = utf8(bytes.subarray(2, 13));
    if (magic !== 'streamtyped' && magic !== 'typedstream') return null;
    const little = magic === 'streamtyped';
    // The system version follows: 1000 on every system that has Messages.
    const shortStart = bytes[13] === INT_16 ? 16 : 14;
    const start = bytes[13] === INT_32 ? 18 : shortStart;
    const reader = new Reader(bytes, little, start);
    const textValue = reader.values(0, false);
    if (textValue && little) lastStart = bytes.slice(0, textValue.start);
    return textValue?.text ?? null;
  } catch (error) {
    if (error instanceof Unreadable || error instanceof RangeError) return null;
    throw error;
  }
}
