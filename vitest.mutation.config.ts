import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { MUTATION_AREAS, type MutationArea } from './scripts/mutation-areas.ts';

const IN_PROCESS = fileURLToPath(new URL('test/support/serve-in-process.ts', import.meta.url));

/** The tests that `npm run mutate` runs against each mutant. The core runs in their process: a program of its own has no mutants. */
export default defineConfig({
  resolve: { alias: [{ find: /^(\.\.\/support|.*\/test\/support|\.)\/serve\.ts$/, replacement: IN_PROCESS }] },
  test: {
    include: MUTATION_AREAS[process.env.HEARTH_MUTATION_AREA as MutationArea].tests,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
