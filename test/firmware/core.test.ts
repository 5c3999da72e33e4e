/**
 * The firmware's core on this machine: g++ with line coverage and sanitizers, with -Wall -Wextra -Werror. Clang and its
 * fuzzers follow in the deep tests.
 *
 * @module-tag long
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildCore, CORE_TIMEOUT_MS, run } from '../support/firmware-core.ts';
import { describeWith, type Requirements } from '../support/requirements.ts';

const MIN_COVERAGE = 95;

const NEEDS: Requirements = {
  gate: 'firmware',
  programs: ['cmake', 'ninja', 'ctest', 'g++', 'gcov'],
  headers: ['doctest/doctest.h', 'mbedtls/sha256.h'],
  libraries: ['libmbedcrypto.a', 'libbearssl.so'],
  sanitizers: 'g++',
};
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
    'passes its tests under sanitizers with full coverage, and so do the programs of all boards',
    () => {
      const folder = buildCore('coverage', [
        '-DCMAKE_CXX_COMPILER=g++',
        '-DHEARTH_COVERAGE=ON',
        '-DHEARTH_SANITIZE=ON',
      ]);
      run('ctest', ['--output-on-failure', '-j', '2', '-R', '^(unit|board-.*)$'], folder);
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
    CORE_TIMEOUT_MS,
  );
});
