import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readBoundedLines } from './bounded-lines.ts';

async function linesOf(pieces: Iterable<string>, now: () => number = () => 0): Promise<string[]> {
  const lines: string[] = [];
  await readBoundedLines(Readable.from(pieces), { now }, (line) => lines.push(line));
  return lines;
}

test('lines are whole wherever their pieces end, with any end, and the last one without', async () => {
  expect(await linesOf(['open at htt', 'ps://a.example\nnext\r\n', 'third\rlast'])).toEqual([
    ...['open at https://a.example', 'next', 'third', 'last'],
  ]);
});

test('a line without an end is cut, and the next one is read', async () => {
  const endless = function* (): Generator<string> {
    for (let n = 0; n < 2000; n += 1) yield 'x'.repeat(65_536);
    yield '\nopen';
  };
  const before = process.memoryUsage().heapUsed;
  const lines = await linesOf(endless());
  expect(lines.map((line) => line.length)).toEqual([1000, 4]);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 2 ** 20);
});

test('very many lines are left out until the next second', async () => {
  let now = 5000;
  const flood = function* (): Generator<string> {
    yield 'x\n'.repeat(100_000);
    now += 1000;
    yield 'later\n';
  };
  const lines = await linesOf(flood(), () => now);
  expect([lines.length, lines.at(-1)]).toEqual([401, 'later']);
});
