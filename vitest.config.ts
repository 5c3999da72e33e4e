import { readdirSync, readFileSync } from 'node:fs';
import { configDefaults, defineConfig } from 'vitest/config';

/** Long proofs; `npm run test:deep` runs them, and the nightly workflow does. */
const DEEP = '**/*.deep.test.ts';

/** Files whose proofs grow with `inDepth`; they run in `npm test` and, at full size, among the deep ones. */
const GROWING = ['src-main', 'test'].flatMap((area) =>
  readdirSync(area, { recursive: true, encoding: 'utf8' })
    .map((path) => `${area}/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.test.ts') && readFileSync(path, 'utf8').includes("/support/depth.ts'")),
);

/** Unit tests of what Vite bundles, or with a stand-in for Electron in the place of its module. */
const BUNDLED = ['src-renderer/**/*.test.ts', 'src-main/app/desktop/**/*.test.ts'];

/** Files that `npm test` does not load, because all their tests are long; see scripts/test.mjs. */
const LEFT_OUT = (process.env['HEARTH_LONG_FILES'] ?? '').split('\n').filter((path) => path !== '');

const project = (name: string, include: string[], timeoutMs: number) => ({
  extends: true as const,
  test: {
    name,
    include,
    exclude: [
      ...configDefaults.exclude,
      ...LEFT_OUT,
      ...(name === 'deep' ? [] : [DEEP]),
      ...(name === 'unit' ? BUNDLED : []),
    ],
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    environment: 'node' as const,
    // Two workers load the modules once instead of once a file, which halves the time of the quick files.
    isolate: false,
    // A poll ends when its value is there. Its bound has to outlast a busy machine, and two scans of the inbox, which
    // find a file whose event the system lost.
    expect: { poll: { timeout: 75_000 } },
    // Node runs the sources of the core as they are, as the product does, and needs no other form of them.
    ...(name === 'unit' && { experimental: { viteModuleRunner: false } }),
    ...(name === 'deep' && { env: { HEARTH_DEEP: '1' } }),
    // The Improv client is written for bundlers: its imports have no file endings.
    ...(name === 'firmware' && { server: { deps: { inline: ['improv-wifi-serial-sdk'] } } }),
  },
});

/**
 * Unit tests are beside their code, all others in test/. A project is what its files need: each has workers of its own,
 * which take seconds to load what the tests share. Three files run at a time: on two cores, one of them often waits.
 */
export default defineConfig({
  test: {
    tags: [{ name: 'long', description: 'Left out of `npm test`; `npm run test:long` and CI run them.' }],
    maxWorkers: 3,
    globalSetup: 'test/support/global-setup.ts',
    projects: [
      project('unit', ['src-*/**/*.test.ts'], 120_000),
      project('unit-bundled', BUNDLED, 120_000),
      project('api', ['test/{api,fuzz,layers,phone-backups,security,tickers}/**/*.test.ts'], 300_000),
      project('desktop', ['test/desktop/**/*.test.ts'], 180_000),
      project('firmware', ['test/firmware/**/*.test.ts'], 300_000),
      project('crash', ['test/crash/**/*.test.ts'], 600_000),
      project('e2e', ['test/e2e/**/*.test.ts'], 300_000),
      project('deep', [DEEP, ...GROWING], 900_000),
    ],
  },
});
