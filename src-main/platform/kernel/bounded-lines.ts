import type { Readable } from 'node:stream';
import type { Clock } from './clock.ts';

/** What of a line is passed on, in characters. */
const MAX_LENGTH = 1000;
/** Lines that are passed on in a second; more of them are left out. */
const MAX_PER_SECOND = 400;
const SECOND_MS = 1000;

/**
 * Passes the lines of a program on, as far as a program that writes without end may go: neither a line without an end
 * nor very many lines take memory or time. Resolves at the end of the stream.
 */
export async function readBoundedLines(
  stream: Readable,
  clock: Pick<Clock, 'now'>,
  onLine: (line: string) => void,
): Promise<void> {
  let line = '';
  let [second, passed] = [0, 0];
  const pass = (): void => {
    const now = Math.floor(clock.now() / SECOND_MS);
    if (now !== second) [second, passed] = [now, 0];
    passed += 1;
    if (passed <= MAX_PER_SECOND) onLine(line);
    line = '';
  };
  for await (const piece of stream.setEncoding('utf8') as AsyncIterable<string>)
    for (const [index, part] of piece.split(/\r\n|\n|\r/).entries()) {
      if (index > 0) pass();
      line += part.slice(0, MAX_LENGTH - line.length);
    }
  if (line !== '') pass();
}
