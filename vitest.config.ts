import { configDefaults, defineConfig } from 'vitest/config';

/** Long proofs; `npm run test:deep` runs them, and the nightly workflow does. */
const DEEP = '**/*.deep.test.ts';

/** Files whose proofs grow with `inDepth`; they run in `npm test` and, at full size, among the deep ones. */
const GROWING = [
  'test/api/contract.test.ts',
  'test/crash/crash.test.ts',
  'test/e2e/phone-screens.test.ts',
  'test/phone-backups/layouts.test.ts',
  'test/security/image-bombs.test.ts',
  'src-main/features/vault-files/check.test.ts',
  'src-main/reading/providers/page/reading.test.ts',
];

const project = (name: string, include: string[], timeoutMs: number) => ({
  extends: true as const,
  test: {
    name,
    include,
    exclude: name === 'deep' ? configDefaults.exclude : [...configDefaults.exclude, DEEP],
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    environment: 'node' as const,
    // Two workers load the modules once instead of once a file, which halves the time of the quick files.
    isolate: false,
    // A poll ends when its value is there; its bound only has to outlast a busy machine.
    expect: { poll: { timeout: 30_000 } },
    ...(name === 'deep' && { env: { HEARTH_DEEP: '1' } }),
    // The Improv client is written for bundlers: its imports have no file endings.
    ...(name === 'firmware' && { server: { deps: { inline: ['improv-wifi-serial-sdk'] } } }),
  },
});

/**
 * Unit tests are beside their code, all others in test/. Three files run at a time: on two cores, one of them often waits.
 */
export default defineConfig({
  test: {
    maxWorkers: 3,
    globalSetup: 'test/support/global-setup.ts',
    projects: [
      project('unit', ['src-*/**/*.test.ts'], 60_000),
      project('api', ['test/api/**/*.test.ts'], 120_000),
      project('security', ['test/security/**/*.test.ts'], 300_000),
      project('phone-backups', ['test/phone-backups/**/*.test.ts'], 120_000),
      project('fuzz', ['test/fuzz/**/*.test.ts'], 120_000),
      project('layers', ['test/layers/**/*.test.ts'], 60_000),
      project('firmware', ['test/firmware/**/*.test.ts'], 300_000),
      project('crash', ['test/crash/**/*.test.ts'], 600_000),
      project('e2e', ['test/e2e/**/*.test.ts'], 300_000),
      project('deep', [DEEP, ...GROWING], 900_000),
    ],
  },
});
