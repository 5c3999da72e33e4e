import { configDefaults, defineConfig } from 'vitest/config';

/** Long proofs; `npm run test:deep` runs them, and the nightly workflow does. */
const DEEP = '**/*.deep.test.ts';

const project = (name: string, include: string[], timeoutMs: number) => ({
  extends: true as const,
  test: {
    name,
    include,
    exclude: name === 'deep' ? configDefaults.exclude : [...configDefaults.exclude, DEEP],
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    environment: 'node' as const,
    // The Improv client is written for bundlers: its imports have no file endings.
    ...(name === 'firmware' && { server: { deps: { inline: ['improv-wifi-serial-sdk'] } } }),
  },
});

/** Unit tests are beside their code, all others in test/. Two files run at a time, as on two cores. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    globalSetup: 'test/support/global-setup.ts',
    projects: [
      project('unit', ['src-*/**/*.test.ts'], 60_000),
      project('api', ['test/api/**/*.test.ts'], 120_000),
      project('phone-backups', ['test/phone-backups/**/*.test.ts'], 120_000),
      project('fuzz', ['test/fuzz/**/*.test.ts'], 120_000),
      project('layers', ['test/layers/**/*.test.ts'], 60_000),
      project('firmware', ['test/firmware/**/*.test.ts'], 300_000),
      project('crash', ['test/crash/**/*.test.ts'], 600_000),
      project('e2e', ['test/e2e/**/*.test.ts'], 300_000),
      project('deep', [`src-*/${DEEP}`, `test/${DEEP}`], 900_000),
    ],
  },
});
