import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { watchChildren, watchMemory } from './memory.ts';
import { letter } from './sample-documents.ts';

const SCRIPT = fileURLToPath(new URL('./stream-watermark.ts', import.meta.url));
const LOOP_DELAY = new URL('../bench/loop-delay.ts', import.meta.url).href;

/** How a stamped copy was streamed. Bytes and milliseconds. */
export interface Streamed {
  /** Until the first bytes. */
  first: number;
  seconds: number;
  bytes: number;
  /** Of one piece. */
  largest: number;
  /** Of the process that streams: before, and at most. */
  before: number;
  own: number;
  /** Of the process that draws, at most; null where the system does not say. */
  drawing: number | null;
  /** Of both together. */
  together: number | null;
  /** The longest work of the event loop. */
  worked: number;
}

/** Streams a stamped copy of a PDF, or of a letter with so many pages, in a process that does nothing else. */
export async function measureWatermark(source: string | number): Promise<Streamed> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-watermark-'));
  try {
    const path = typeof source === 'string' ? source : join(folder, 'long.pdf');
    if (typeof source === 'number')
      writeFileSync(path, await letter(Array.from({ length: source }, (_, i) => lines(i + 1))));
    const delays = join(folder, 'delays.json');
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--import', LOOP_DELAY, SCRIPT, path],
      { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, LOOP_DELAY_FILE: delays } },
    );
    const [together, drawing] = [watchMemory(child.pid), watchChildren(child.pid)];
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await once(child, 'close');
    const figures = JSON.parse(output) as Omit<Streamed, 'drawing' | 'together' | 'worked'>;
    const { worked } = JSON.parse(readFileSync(delays, 'utf8')) as { worked: { max: number } };
    return { ...figures, drawing: drawing(), together: together(), worked: worked.max };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const lines = (page: number): { text: string; y: number }[] =>
  Array.from({ length: 40 }, (_, i) => ({
    text: `Page ${page}, line ${i}: Ferritin 24 µg/L, Hb 13.4`,
    y: 60 + 18 * i,
  }));
