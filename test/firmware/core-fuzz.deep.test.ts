/**
 * The firmware's core with clang, its sanitizers and its fuzzers, with -Wall -Wextra -Werror.
 * HEARTH_FUZZ_SECONDS sets the seconds of each fuzzer (60).
 */
import { expect, it } from 'vitest';
import { buildCore, CORE_TIMEOUT_MS, run } from '../support/firmware-core.ts';
import { describeWith } from '../support/requirements.ts';

const NEEDS = {
  gate: 'firmware',
  programs: ['cmake', 'ninja', 'ctest', 'clang', 'clang++'],
  headers: ['doctest/doctest.h', 'mbedtls/sha256.h'],
  libraries: ['libmbedcrypto.a', 'libbearssl.so'],
  sanitizers: 'clang++',
} as const;

describeWith(NEEDS, 'the firmware core', () => {
  it(
    'passes its tests with clang, sanitizers and fuzzers',
    () => {
      const folder = buildCore('fuzz', [
        '-DCMAKE_CXX_COMPILER=clang++',
        '-DCMAKE_C_COMPILER=clang',
        '-DHEARTH_SANITIZE=ON',
        '-DHEARTH_FUZZ=ON',
        `-DHEARTH_FUZZ_SECONDS=${process.env['HEARTH_FUZZ_SECONDS'] ?? '60'}`,
        '-DCMAKE_BUILD_TYPE=RelWithDebInfo',
      ]);
      const output = run('ctest', ['--output-on-failure', '-j', '2', '-R', '^(unit|fuzz-.*)$'], folder);
      expect([...output.matchAll(/fuzz-[\w-]+ \.+ +Passed/g)].length).toBeGreaterThanOrEqual(8);
    },
    CORE_TIMEOUT_MS,
  );
});
