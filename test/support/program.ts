import { join } from 'node:path';
import { bundleCoreIfStale, CORE_BUNDLE } from '../../scripts/core-bundle.ts';

// Tests and benchmarks start the program as people run it: bundled.
await bundleCoreIfStale();

/** Entry that serves a vault. */
export const SERVE = join(CORE_BUNDLE, 'serve.js');
/** Entry of the command line. */
export const HEARTH = join(CORE_BUNDLE, 'cli.js');
