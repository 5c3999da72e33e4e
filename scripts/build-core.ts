/** `npm run build:core`: bundles the core into `dist/core`. `--if-stale` does so only when a source is newer. */
import { parseArgs } from 'node:util';
import { bundleCore, bundleCoreIfStale, CORE_BUNDLE } from './core-bundle.ts';

const { values } = parseArgs({ options: { 'if-stale': { type: 'boolean' } } });
if (values['if-stale']) await bundleCoreIfStale();
else await bundleCore(CORE_BUNDLE);
