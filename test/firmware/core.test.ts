/**
 * The firmware's core on this machine: g++ with line coverage, clang with sanitizers and fuzzers; both with -Wall
 * -Wextra -Werror.
 * HEARTH_FUZZ_SECONDS sets the seconds of each fuzzer (3; 60 in the deep tests).
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { inDepth } from '../support/depth.ts';
import { describeWith, type Requirements } from '../support/requirements.ts';

const FIRMWARE = fileURLToPath(new URL('../../firmware', import.meta.url));
const BUILD = fileURLToPath(new URL('../../.cache/firmware-core', import.meta.url));
const MIN_COVERAGE = 95;
const TIMEOUT_MS = 1_200_000;

const NEEDS: Requirements = {
  gate: 'firmware',
  programs: ['cmake', 'ninja', 'ctest', 'g++', 'gcov', 'clang++'],
  headers: ['doctest/doctest.h', 'mbedtls/sha256.h'],
  libraries: ['libmbedcrypto.a'],
  clangSanitizers: true,
};
function run(program: string, args: string[], cwd = BUILD): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0)
    throw new Error(
      `${program} ${args.join(' ')}\n${error?.message ?? ''}${stdout.slice(-6000)}${stderr.slice(-6000)}`,
    );
  return stdout;
}

function build(name: string, options: string[]): string {
  const folder = join(BUILD, name);
  run('cmake', ['-S', FIRMWARE, '-B', folder, '-G', 'Ninja', ...options], FIRMWARE);
  run('cmake', ['--build', folder], FIRMWARE);
  return folder;
}

const objects = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.gcno') && file.includes('hearth-core.dir'))
    .map((file) => join(folder, file));

/** Lines of firmware/core that a run reached, file by file; headers are counted once over all objects. */
function coverage(folder: string): { file: string; lines: number; reached: number }[] {
  const reached = new Map<string, Map<number, boolean>>();
  for (const object of objects(folder)) {
    const text = execFileSync('gcov', ['--json-format', '--stdout', object], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const report = JSON.parse(text) as { files: { file: string; lines: { line_number: number; count: number }[] }[] };
    for (const { file, lines } of report.files) {
      const name = /firmware\/core\/(.*)$/.exec(file)?.[1];
      if (name === undefined) continue;
      const known = reached.get(name) ?? new Map<number, boolean>();
      for (const line of lines) known.set(line.line_number, (known.get(line.line_number) ?? false) || line.count > 0);
      reached.set(name, known);
    }
  }
  return [...reached].map(([file, lines]) => ({
    file,
    lines: lines.size,
    reached: [...lines.values()].filter(Boolean).length,
  }));
}

describeWith(NEEDS, 'the firmware core', () => {
  it(
    'passes its tests with g++ with full coverage',
    () => {
      const folder = build('coverage', ['-DCMAKE_CXX_COMPILER=g++', '-DHEARTH_COVERAGE=ON']);
      run('ctest', ['--test-dir', folder, '--output-on-failure', '-R', '^unit$']);
      const files = coverage(folder);
      const lines = files.reduce((sum, file) => sum + file.lines, 0);
      const percent = (100 * files.reduce((sum, file) => sum + file.reached, 0)) / lines;
      const least = files
        .toSorted((a, b) => b.lines - b.reached - (a.lines - a.reached))
        .slice(0, 5)
        .map((file) => `${file.file} ${file.lines - file.reached}`);
      process.stdout.write(
        `coverage of firmware/core: ${percent.toFixed(1)} % of ${lines} lines; most missing: ${least.join(', ')}\n`,
      );
      expect(lines).toBeGreaterThan(2000);
      expect(percent).toBeGreaterThanOrEqual(MIN_COVERAGE);
    },
    TIMEOUT_MS,
  );

  it(
    'passes its tests with clang, sanitizers and fuzzers',
    () => {
      const seconds = process.env['HEARTH_FUZZ_SECONDS'] ?? inDepth('3', '60');
      const folder = build('fuzz', [
        '-DCMAKE_CXX_COMPILER=clang++',
        '-DCMAKE_C_COMPILER=clang',
        '-DHEARTH_SANITIZE=ON',
        '-DHEARTH_FUZZ=ON',
        `-DHEARTH_FUZZ_SECONDS=${seconds}`,
        '-DCMAKE_BUILD_TYPE=RelWithDebInfo',
      ]);
      const output = run('ctest', ['--test-dir', folder, '--output-on-failure', '-j', '2', '-R', '^(unit|fuzz-.*)$']);
      expect([...output.matchAll(/fuzz-\w+ \.+ +Passed/g)].length).toBeGreaterThanOrEqual(6);
    },
    TIMEOUT_MS,
  );
});
