/** Ignores the case of ASCII letters, as SQLite's LIKE does. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte));
const PERCENT = 0x25,
  UNDERSCORE = 0x5f;

const foldedBytes = (text: string): Uint8Array => new TextEncoder().encode(text).map((byte) => FOLDED[byte] ?? byte);

export interface LikeMatcher {
  /** Decides about UTF-8 bytes [start, end) of a buffer. */
  matches(bytes: Uint8Array, start: number, end: number): boolean;
  /** Whether bytes with this last byte can match: it alone rules out most paths. */
  mayEndSo(bytes: Uint8Array, start: number, end: number): boolean;
}

/**
 * SQLite's LIKE without an escape character: `%` is any text, `_` one character (not one byte). The common shapes (`%.pdf`,
 * `Media/%`, `%DCIM%`) are compared without backtracking; the others cost at most pattern times text.
 */
export function like(pattern: string): LikeMatcher {
  const wanted = foldedBytes(pattern),
    last = wanted.at(-1),
    open = last === undefined || last === PERCENT || last === UNDERSCORE;
  return {
    matches: matcherOf(pattern, wanted),
    mayEndSo: open ? () => true : (bytes, start, end) => end > start && FOLDED[bytes[end - 1] ?? 0] === last,
  };
}

function matcherOf(pattern: string, wanted: Uint8Array): LikeMatcher['matches'] {
  const inner = pattern.replace(/^%+|%+$/g, '');
  if (/[%_]/.test(inner)) return (bytes, start, end) => backtracks(wanted, bytes, start, end);
  const literal = foldedBytes(inner),
    size = literal.length;
  const open = pattern.startsWith('%'),
    openEnd = pattern.endsWith('%') && pattern !== '';
  if (!open && !openEnd) return (bytes, start, end) => end - start === size && equals(literal, bytes, start);
  if (!openEnd || size === 0) return (bytes, start, end) => end - start >= size && equals(literal, bytes, end - size);
  if (!open) return (bytes, start, end) => end - start >= size && equals(literal, bytes, start);
  const first = literal[0];
  return (bytes, start, end) => {
    for (let at = start; at <= end - size; at += 1)
      if (FOLDED[bytes[at] ?? 0] === first && equals(literal, bytes, at)) return true;
    return false;
  };
}

function equals(literal: Uint8Array, bytes: Uint8Array, at: number): boolean {
  for (let i = literal.length - 1; i >= 0; i -= 1) if (FOLDED[bytes[at + i] ?? 0] !== literal[i]) return false;
  return true;
}

/** Two pointers with a return to the last `%`. */
function backtracks(pattern: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  let at = start,
    p = 0,
    star = -1,
    resume = start;
  while (at < end) {
    if (p < pattern.length && pattern[p] === PERCENT) {
      star = p;
      p += 1;
      resume = at;
    } else if (p < pattern.length && pattern[p] === UNDERSCORE) {
      p += 1;
      at = nextCharacter(bytes, at, end);
    } else if (p < pattern.length && pattern[p] === FOLDED[bytes[at] ?? 0]) {
      p += 1;
      at += 1;
    } else if (star >= 0) {
      p = star + 1;
      resume = nextCharacter(bytes, resume, end);
      at = resume;
    } else {
      return false;
    }
  }
  while (pattern[p] === PERCENT) p += 1;
  return p === pattern.length;
}

function nextCharacter(bytes: Uint8Array, at: number, end: number): number {
  let next = at + 1;
  while (next < end && ((bytes[next] ?? 0) & 0xc0) === 0x80) next += 1;
  return next;
}
