#!/usr/bin/env node
/** `npm run serve` and `npm run hearth`: the command line from a clone, bundled again when a source is newer. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleCoreIfStale, CORE_BUNDLE } from './core-bundle.ts';

await bundleCoreIfStale();
await import(pathToFileURL(join(CORE_BUNDLE, 'cli.js')).href);
