import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const IN_PROCESS = fileURLToPath(new URL('test/support/serve-in-process.ts', import.meta.url));

/** The tests that `npm run mutate` runs against each mutant. The core runs in their process: a program of its own has no mutants. */
export default defineConfig({
  resolve: { alias: [{ find: /^.*\/support\/serve\.ts$/, replacement: IN_PROCESS }] },
  test: {
    include: [
      'src-shared/ios-backup/**/*.test.ts',
      'src-main/platform/vault/**/*.test.ts',
      'src-main/features/{labs,names,vault-files,vault-backups}/**/*.test.ts',
      'test/api/{labs,names,name-merges,vault,vault-backups,events}.test.ts',
      'test/phone-backups/{formats,vectors,engine}.test.ts',
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
