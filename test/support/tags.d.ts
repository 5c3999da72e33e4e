import 'vitest';

declare module 'vitest' {
  /** The tags of vitest.config.ts. */
  interface TestTags {
    tags: 'long';
  }
}
