/**
 * How a large PDF is stamped: `npm run bench watermark [-- --pages 300 --file FILE]`. Streams the stamped copy in a
 * process that does nothing else, and reports the time until the first bytes, pages a second, the largest sum of memory of
 * that process and the one that draws, what of it the first one did not hold before, and how long the event loop worked at
 * once. With limits for the last two.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { systemClock } from '../../src-main/platform/kernel/clock.ts';
import { createLargeWork } from '../../src-main/platform/kernel/large-work.ts';
import { createWatermark } from '../../src-main/reading/providers/watermark/watermark.ts';
import { watchMemory } from '../support/memory.ts';

const MAX_MEGABYTES = 300;
const MAX_WORK_MS = 20;
const MIB = 2 ** 20;

const { values } = parseArgs({
  options: { pages: { type: 'string', default: '300' }, file: { type: 'string' }, stream: { type: 'string' } },
});

/** Streams a stamped copy to nobody, and prints its figures as JSON. */
async function stream(path: string): Promise<void> {
  process.kill(process.pid, 'SIGUSR2');
  const watermark = createWatermark({
    clock: systemClock,
    largeWork: createLargeWork(),
    limits: { maxPages: 2000, maxPixels: 100e6 },
  });
  const before = process.memoryUsage.rss();
  const start = performance.now();
  let first = 0,
    bytes = 0;
  const parts = watermark.streamWatermarkedPdf(
    { path, mime: 'application/pdf', turns: {} },
    {
      stamp: { label: 'Dr. med. Ruth Oesch', at: systemClock.now() },
      unreadable: 'This page could not be shown.',
      signal: new AbortController().signal,
    },
  );
  for await (const part of parts) {
    first ||= performance.now() - start;
    bytes += part.length;
  }
  process.stdout.write(JSON.stringify({ first, bytes, before, seconds: (performance.now() - start) / 1000 }));
  await watermark.close();
}

async function makeLetter(path: string): Promise<string> {
  const { letter } = await import('../support/sample-documents.ts');
  const lines = (page: number) =>
    Array.from({ length: 40 }, (_, i) => ({
      text: `Page ${page}, line ${i}: Ferritin 24 µg/L, Hb 13.4`,
      y: 60 + 18 * i,
    }));
  writeFileSync(path, await letter(Array.from({ length: Number(values.pages) }, (_, i) => lines(i + 1))));
  return path;
}

let missed = 0;
function report(name: string, value: number, unit: string, limit = Infinity): void {
  if (value > limit) missed += 1;
  const bound = limit === Infinity ? '' : `, limit ${limit}${value > limit ? '  MISSED' : ''}`;
  process.stdout.write(`${name.padEnd(44)} ${value.toFixed(1).padStart(8)} ${unit}${bound}\n`);
}

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-bench-watermark-'));
  try {
    const path = values.file ?? (await makeLetter(join(folder, 'long.pdf')));
    const delays = join(folder, 'delays.json');
    const child = spawn(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        ...['--import', new URL('./loop-delay.ts', import.meta.url).href],
        ...[fileURLToPath(import.meta.url), '--stream', path],
      ],
      { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, LOOP_DELAY_FILE: delays } },
    );
    const mostMemory = watchMemory(child.pid);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await once(child, 'close');
    const figures = JSON.parse(output) as { first: number; bytes: number; before: number; seconds: number };
    const { worked } = JSON.parse(readFileSync(delays, 'utf8')) as { worked: { max: number } };
    report('first bytes after', figures.first, 'ms');
    report('pages a second', Number(values.pages) / figures.seconds, '');
    report('size of the copy', figures.bytes / MIB, 'MB');
    const memory = (mostMemory() ?? 0) / MIB;
    report('memory of both processes', memory, 'MB');
    report('memory that the copy takes', memory - figures.before / MIB, 'MB', MAX_MEGABYTES);
    report('longest work of the event loop', worked.max, 'ms', MAX_WORK_MS);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.exitCode = missed > 0 ? 1 : 0;
}

await (values.stream === undefined ? measure() : stream(values.stream));
