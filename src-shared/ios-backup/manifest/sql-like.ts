/** Maps ASCII letters to lower case: SQLite's LIKE ignores their case. */
const LOWER_CASE = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte));
const PERCENT = 0x25,
  UNDERSCORE = 0x5f;

const lowerCaseBytes = (text: string): Uint8Array =>
  new TextEncoder().encode(text).map((byte) => LOWER_CASE[byte] ?? byte);

export interface LikeMatcher {
  /** Whether the UTF-8 bytes [start, end) of a buffer match. */
  matches(bytes: Uint8Array, start: number, end: number): boolean;
  /** Whether bytes with this last byte can match, which rules out most paths quickly. */
  mayMatchEnd(bytes: Uint8Array, start: number, end: number): boolean;
}

/**
 * Compiles a pattern of SQLite's LIKE without an escape character: `%` is any text, `_` one character (not one byte).
 * The common forms (`%.pdf`, `Media/%`, `%DCIM%`) are compared without backtracking; the effort for others is at most
 * the length of the pattern times that of the text.
 */
export function createLikeMatcher(pattern: string): LikeMatcher {
  const folded = lowerCaseBytes(pattern),
    last = folded.at(-1),
    isOpen = last === undefined || last === PERCENT || last === UNDERSCORE;
  return {
    matches: matcherOf(pattern, folded),
    mayMatchEnd: isOpen ? () => true : (bytes, start, end) => end > start && LOWER_CASE[bytes[end - 1] ?? 0] === last,
  };
}

function matcherOf(pattern: string, folded: Uint8Array): LikeMatcher['matches'] {
  const inner = pattern.replace(/^%+|%+$/g, '');
  if (/[%_]/.test(inner)) return (bytes, start, end) => matchesWithBacktracking(folded, bytes, start, end);
  const literal = lowerCaseBytes(inner),
    size = literal.length;
  const hasOpenStart = pattern.startsWith('%'),
    hasOpenEnd = pattern.endsWith('%') && pattern !== '';
  if (!hasOpenStart && !hasOpenEnd) return (bytes, start, end) => end - start === size && equals(literal, bytes, start);
  if (!hasOpenEnd || size === 0)
    return (bytes, start, end) => end - start >= size && equals(literal, bytes, end - size);
  if (!hasOpenStart) return (bytes, start, end) => end - start >= size && equals(literal, bytes, start);
  const first = literal[0];
  return (bytes, start, end) => {
    for (let at = start; at <= end - size; at += 1)
      if (LOWER_CASE[bytes[at] ?? 0] === first && equals(literal, bytes, at)) return true;
    return false;
  };
}

function equals(literal: Uint8Array, bytes: Uint8Array, at: number): boolean {
  for (let i = literal.length - 1; i >= 0; i -= 1) if (LOWER_CASE[bytes[at + i] ?? 0] !== literal[i]) return false;
  return true;
}

/** Compares with two pointers and returns to the last `%` on a mismatch. */
function matchesWithBacktracking(pattern: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
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
    } else if (p < pattern.length && pattern[p] === LOWER_CASE[bytes[at] ?? 0]) {
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
