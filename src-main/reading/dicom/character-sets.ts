/**
 * A set of graphic characters: how many bytes one takes, and the bytes of a text of them as a web encoding has them.
 */
interface CodedSet {
  encoding: string;
  /** Puts these bytes before each character. */
  prefix?: readonly number[];
  bytes: 1 | 2;
}

const single = (encoding: string): CodedSet => ({ encoding, bytes: 1 });
const LATIN_1 = single('iso-8859-1');
const KANJI: CodedSet = { encoding: 'euc-jp', bytes: 2 };
/** EUC-JP shifts to the supplement by 0x8F and to half-width katakana by 0x8E. */
const KANJI_SUPPLEMENT: CodedSet = { encoding: 'euc-jp', prefix: [0x8f], bytes: 2 };
const KATAKANA: CodedSet = { encoding: 'euc-jp', prefix: [0x8e], bytes: 1 };
const HANGUL: CodedSet = { encoding: 'euc-kr', bytes: 2 };
const HANZI: CodedSet = { encoding: 'gb18030', bytes: 2 };

/** PS3.3, tables C.12-2 to C.12-4: the right half of each defined term; the left half is ASCII, or nearly so. */
const RIGHT_HALVES: Readonly<Record<string, CodedSet>> = {
  '100': LATIN_1,
  '101': single('iso-8859-2'),
  '109': single('iso-8859-3'),
  '110': single('iso-8859-4'),
  '144': single('iso-8859-5'),
  '127': single('iso-8859-6'),
  '126': single('iso-8859-7'),
  '138': single('iso-8859-8'),
  '148': single('iso-8859-9'),
  '203': single('iso-8859-15'),
  '13': KATAKANA,
  '166': single('windows-874'),
  '149': HANGUL,
  '58': HANZI,
};

/** PS3.3, table C.12-5, and terms that devices write instead. They have no code extensions. */
const WHOLE_ENCODINGS: Readonly<Record<string, string>> = {
  'ISO_IR 192': 'utf-8',
  GB18030: 'gb18030',
  GBK: 'gbk',
};

/** PS3.3, tables C.12-3 and C.12-4: escape sequences without ESC, as hexadecimal bytes. */
const ESCAPES: readonly [sequence: string, half: 'left' | 'right', set: CodedSet | null][] = [
  ['2842', 'left', null],
  ['284a', 'left', null],
  ['2d41', 'right', LATIN_1],
  ['2d42', 'right', single('iso-8859-2')],
  ['2d43', 'right', single('iso-8859-3')],
  ['2d44', 'right', single('iso-8859-4')],
  ['2d4c', 'right', single('iso-8859-5')],
  ['2d47', 'right', single('iso-8859-6')],
  ['2d46', 'right', single('iso-8859-7')],
  ['2d48', 'right', single('iso-8859-8')],
  ['2d4d', 'right', single('iso-8859-9')],
  ['2d62', 'right', single('iso-8859-15')],
  ['2d54', 'right', single('windows-874')],
  ['2949', 'right', KATAKANA],
  ['2442', 'left', KANJI],
  ['2440', 'left', KANJI],
  ['242844', 'left', KANJI_SUPPLEMENT],
  ['242943', 'right', HANGUL],
  ['242941', 'right', HANZI],
];

const ESC = 0x1b;
/** PS3.5, section 6.1.2.5.3: these characters bring the initial sets back: TAB, LF, FF, CR, and `\ ^ =`. */
const RESETTING = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x5c, 0x5e, 0x3d]);

/** Decodes the texts of a data set. */
export type TextDecoding = (bytes: Uint8Array) => string;

/**
 * How texts are coded under a Specific Character Set (0008,0005); an unknown one is read as Latin 1, in which no byte
 * is lost. Devices that write UTF-8 sometimes forget to say so.
 * @see PS3.5, section 6.1.2, and annexes H to K
 */
export function textDecoding(terms: readonly string[]): TextDecoding {
  const whole = terms.map((term) => WHOLE_ENCODINGS[term.trim().toUpperCase()]).find((found) => found !== undefined);
  if (whole !== undefined) {
    const decoder = new TextDecoder(whole);
    return (bytes) => decoder.decode(bytes);
  }
  if (terms.every((term) => term.trim() === '')) return decodeUndeclared;
  const initial = rightHalfOf(terms[0]) ?? lostRightHalf(terms) ?? LATIN_1;
  return (bytes) => decodeWithExtensions(bytes, initial);
}

function rightHalfOf(term: string | undefined): CodedSet | undefined {
  const [, number = ''] = /(\d+)\s*$/.exec(term ?? '') ?? [];
  return RIGHT_HALVES[number];
}

/** ASCII has no right half: of a program that leaves the escape sequences out, it can only be that of the one other set. */
function lostRightHalf([first = '', ...others]: readonly string[]): CodedSet | undefined {
  return first.trim() === '' && others.length === 1 ? rightHalfOf(others[0]) : undefined;
}

function decodeUndeclared(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeWithExtensions(bytes, LATIN_1);
  }
}

/** Decodes runs of bytes between escape sequences, each half of the code table with its current set. */
function decodeWithExtensions(bytes: Uint8Array, initial: CodedSet): string {
  let text = '';
  let left: CodedSet | null = null;
  let right = initial;
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at]!;
    if (byte === ESC) {
      const found = escapeAt(bytes, at + 1);
      if (found?.half === 'left') left = found.set;
      else if (found?.set) right = found.set;
      at += 1 + (found?.length ?? 0);
      continue;
    }
    const set: CodedSet | null = byte >= 0x80 ? right : left;
    if (set === null || byte <= 0x20) {
      if (RESETTING.has(byte)) [left, right] = [null, initial];
      text += String.fromCharCode(byte);
      at += 1;
      continue;
    }
    const end = endOfRun(bytes, at);
    text += decodeRun(bytes.subarray(at, end), set);
    at = end;
  }
  return text;
}

function escapeAt(
  bytes: Uint8Array,
  at: number,
): { half: 'left' | 'right'; set: CodedSet | null; length: number } | null {
  const next = Buffer.from(bytes.subarray(at, at + 3)).toString('hex');
  const found = ESCAPES.find(([sequence]) => next.startsWith(sequence));
  return found ? { half: found[1], set: found[2], length: found[0].length / 2 } : null;
}

/** Where the bytes of the same half of the code table end. */
function endOfRun(bytes: Uint8Array, from: number): number {
  const isRight = bytes[from]! >= 0x80;
  let end = from;
  while (end < bytes.length && bytes[end]! > 0x20 && bytes[end]! >= 0x80 === isRight) end += 1;
  return end;
}

const decoders = new Map<string, InstanceType<typeof TextDecoder>>();

function decodeRun(run: Uint8Array, { encoding, prefix = [], bytes }: CodedSet): string {
  const coded: number[] = [];
  for (let at = 0; at < run.length; at += bytes) {
    coded.push(...prefix);
    for (const byte of run.subarray(at, at + bytes)) coded.push(byte | 0x80);
  }
  const decoder = decoders.get(encoding) ?? new TextDecoder(encoding);
  decoders.set(encoding, decoder);
  return decoder.decode(Uint8Array.from(coded));
}
