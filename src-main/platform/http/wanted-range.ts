/** Bytes of [start, end) of something of `size` bytes. */
export type WantedRange = { start: number; end: number } | 'whole' | 'unsatisfiable';

/**
 * What a Range header asks for (RFC 9110, 14.1.2 and 14.2). Several ranges, and what is none, are answered with the whole, as the RFC
 * permits; a range that reaches over the end is cut there, and a suffix longer than the whole is the whole.
 */
export function wantedRange(header: string | undefined, size: number): WantedRange {
  const list = /^\s*bytes\s*=(.*)$/is.exec(header ?? '')?.[1];
  if (list === undefined) return 'whole';
  const wanted: { start: number; end: number }[] = [];
  for (const part of list.split(',')) {
    if (part.trim() === '') continue;
    const [, from = '', to = ''] = /^\s*(\d*)-(\d*)\s*$/.exec(part) ?? [];
    if ((from === '' && to === '') || (from !== '' && to !== '' && Number(to) < Number(from))) return 'whole';
    const range =
      from === ''
        ? { start: Math.max(0, size - Number(to)), end: size }
        : { start: Number(from), end: Math.min(size, to === '' ? size : Number(to) + 1) };
    // No answer of bytes could name a part of nothing; the end of nothing is nothing.
    if (size === 0 && from === '' && Number(to) > 0) return 'whole';
    if (range.start < range.end) wanted.push(range);
  }
  const [only] = wanted;
  if (only === undefined) return list.trim() === '' ? 'whole' : 'unsatisfiable';
  return wanted.length === 1 ? only : 'whole';
}
