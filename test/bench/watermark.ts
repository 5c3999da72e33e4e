/**
 * How a large PDF is stamped: `npm run bench watermark [-- --pages 300 --file FILE]`. Streams the stamped copy in a
 * process that does nothing else, and reports the time until the first bytes, pages a second, the memory of that process
 * and of the one that draws, and how long the event loop worked at once. With limits for the last three.
 *
 * Memory is what is resident. What a copy takes is that of both processes at one time, without what the streaming one
 * held before, as the household's has it anyway. The program itself, about 60 MB, counts in the process that draws,
 * although both share its pages.
 */
import { parseArgs } from 'node:util';
import { measureWatermark } from '../support/measure-watermark.ts';

const MAX_MEGABYTES = 300;
const MAX_WORK_MS = 20;
const MIB = 2 ** 20;

const { values } = parseArgs({
  options: { pages: { type: 'string', default: '300' }, file: { type: 'string' } },
});

let missed = 0;
function report(name: string, value: number, unit: string, limit = Infinity): void {
  if (value > limit) missed += 1;
  const bound = limit === Infinity ? '' : `, limit ${limit}${value > limit ? '  MISSED' : ''}`;
  process.stdout.write(`${name.padEnd(44)} ${value.toFixed(1).padStart(8)} ${unit}${bound}\n`);
}

const made = await measureWatermark(values.file ?? Number(values.pages));
report('first bytes after', made.first, 'ms');
report('pages a second', Number(values.pages) / made.seconds, '');
report('size of the copy', made.bytes / MIB, 'MB');
report('memory of the process that draws', (made.drawing ?? 0) / MIB, 'MB', MAX_MEGABYTES);
report('memory of the process that streams', made.own / MIB, 'MB', MAX_MEGABYTES);
report('  before', made.before / MIB, 'MB');
report('memory that the copy takes in both', ((made.together ?? 0) - made.before) / MIB, 'MB', MAX_MEGABYTES);
report('longest work of the event loop', made.worked, 'ms', MAX_WORK_MS);
process.exitCode = missed > 0 ? 1 : 0;
