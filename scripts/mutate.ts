import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { MUTATION_AREAS, type MutationArea } from './mutation-areas.ts';
import { SAMPLE, sample } from './mutation-sample.ts';

/** The share of mutants that the tests of an area have to notice, in percent. */
const MIN_SCORE = 80;

const USAGE = `npm run mutate [-- [--one-in N] [--turn K] AREA…]   areas: ${Object.keys(MUTATION_AREAS).join(', ')}`;

/** Outcomes of mutants that a test detected, and of those that no test detected. Others are not counted. */
const NOTICED = new Set(['Killed', 'Timeout']);
const MISSED = new Set(['Survived', 'NoCoverage']);

/**
 * Changes the code of an area in small ways, one at a time, and runs the tests that reach the changed place.
 * Results of unchanged code and tests are taken from the run before.
 * @returns the number of mutants that were noticed, and of those that were not
 */
async function mutate(area: MutationArea): Promise<{ noticed: number; missed: number }> {
  // Read by vitest.mutation.config.ts in the processes that Stryker starts.
  process.env.HEARTH_MUTATION_AREA = area;
  const results = await new Stryker({
    plugins: ['@stryker-mutator/vitest-runner', fileURLToPath(new URL('mutation-sample.ts', import.meta.url))],
    ignorers: [SAMPLE],
    testRunner: 'vitest',
    vitest: { configFile: 'vitest.mutation.config.ts', related: false },
    mutate: [...MUTATION_AREAS[area].mutate, '!**/*.test.ts', '!**/*-thread.ts'],
    ignorePatterns: ['dist', 'docs', 'firmware', 'src-renderer', 'test-results', '.cache'],
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    concurrency: 2,
    reporters: ['progress-append-only', 'clear-text', 'json'],
    clearTextReporter: { logTests: false, allowColor: false, reportTests: false },
    jsonReporter: { fileName: `test-results/mutation-${area}.json` },
    incremental: true,
    incrementalFile: `.cache/stryker-${area}.json`,
    tempDirName: `.cache/stryker-${area}`,
    thresholds: { high: 90, low: MIN_SCORE, break: null },
    allowConsoleColors: false,
  }).runMutationTest();
  return {
    noticed: results.filter(({ status }) => NOTICED.has(status)).length,
    missed: results.filter(({ status }) => MISSED.has(status)).length,
  };
}

/** A file system in memory, and the free bytes that tests need there. */
const MEMORY_FOLDER = '/dev/shm';
const MIN_FREE_BYTES = 2 ** 30;

/**
 * Has the tests write their vaults to memory where the system offers it, which makes them about three times as fast:
 * most of their time goes into flushing files, and no vault of a mutant has to outlast the run.
 */
function writeToMemory(): void {
  if (process.env.TMPDIR !== undefined || !existsSync(MEMORY_FOLDER)) return;
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  if (bavail * bsize < MIN_FREE_BYTES) return;
  const folder = mkdtempSync(join(MEMORY_FOLDER, 'hearth-mutate-'));
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

const MS_PER_DAY = 86_400_000;

/** The areas that are asked for. `--one-in 20` changes a twentieth of the declarations, every day another one. */
function readArguments(): MutationArea[] {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'one-in': { type: 'string', default: '1' }, turn: { type: 'string' } },
  });
  sample.oneIn = Number(values['one-in']);
  sample.turn = Number(values.turn ?? Math.floor(Date.now() / MS_PER_DAY)) % sample.oneIn;
  const unknown = positionals.filter((area) => !(area in MUTATION_AREAS));
  if (unknown.length > 0) throw new Error(`There is no area ${unknown.join(', ')}.`);
  if (!(sample.oneIn >= 1 && sample.turn >= 0)) throw new Error('--one-in and --turn take whole numbers.');
  return positionals.length > 0 ? (positionals as MutationArea[]) : (Object.keys(MUTATION_AREAS) as MutationArea[]);
}

/** The areas, or the end of the program with the usage. */
function requireAreas(): MutationArea[] {
  try {
    return readArguments();
  } catch (error) {
    console.error(`${(error as Error).message} ${USAGE}`);
    return process.exit(2);
  }
}

const areas = requireAreas();
writeToMemory();
const scores: string[] = [];
let isBelow = false;
for (const area of areas) {
  const { noticed, missed } = await mutate(area);
  const score = (100 * noticed) / Math.max(1, noticed + missed);
  isBelow ||= score < MIN_SCORE;
  scores.push(`${area}: ${score.toFixed(1)} % of ${noticed + missed} mutants killed`);
}
if (sample.oneIn > 1) console.log(`A sample: part ${sample.turn + 1} of ${sample.oneIn} of the declarations.`);
console.log([`Mutation scores, at least ${MIN_SCORE} % wanted:`, ...scores].join('\n'));
process.exit(isBelow ? 1 : 0);
