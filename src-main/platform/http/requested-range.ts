/** Bytes of [start, end) of `size` bytes. */
export type RequestedRange = { start: number; end: number } | 'whole' | 'unsatisfiable';

/**
 * Parses a Range header (RFC 9110, 14.1.2 and 14.2). Several ranges and invalid ones are answered with the whole
 * content, as the RFC permits; a range past the end is cut, and a suffix longer than the content is the whole content.
 */
export function requestedRange(header: string | undefined, size: number): RequestedRange {
  const list = /^\s*bytes\s*=(.*)$/is.exec(header ?? '')?.[1];
  if (list === undefined) return 'whole';
  const ranges: { start: number; end: number }[] = [];
  for (const part of list.split(',')) {
    if (part.trim() === '') continue;
    const [, from = '', to = ''] = /^\s*(\d*)-(\d*)\s*$/.exec(part) ?? [];
    if ((from === '' && to === '') || (from !== '' && to !== '' && Number(to) < Number(from))) return 'whole';
    const range =
      from === ''
        ? { start: Math.max(0, size - Number(to)), end: size }
        : { start: Number(from), end: Math.min(size, to === '' ? size : Number(to) + 1) };
    // An empty file has no satisfiable range; its suffix is the whole file.
    if (size === 0 && from === '' && Number(to) > 0) return 'whole';
    if (range.start < range.end) ranges.push(range);
  }
  const [only] = ranges;
  if (only === undefined) return list.trim() === '' ? 'whole' : 'unsatisfiable';
  return ranges.length === 1 ? only : 'whole';
}
