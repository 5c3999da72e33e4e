import { defineConfig } from 'vitest/config';

const project = (name: string, include: string[], timeout: number) => ({
  test: { name, include, testTimeout: timeout, hookTimeout: timeout, environment: 'node' as const },
});

/** Unit tests stand beside their code; what crosses a border stands in test/. Two cores: files of one project run two at a time. */
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
      // The Improv client is written for bundlers: its imports have no file endings.
      {
        test: {
          ...project('firmware', ['test/firmware/**/*.test.ts'], 300_000).test,
          server: { deps: { inline: ['improv-wifi-serial-sdk'] } },
        },
      },
      project('crash', ['test/crash/**/*.test.ts'], 600_000),
      project('e2e', ['test/e2e/**/*.test.ts'], 300_000),
    ],
  },
});
