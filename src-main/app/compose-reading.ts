import { createNameResolver } from '../features/names/resolver.ts';
import type { Documents } from '../features/documents/service.ts';
import { createKnowledge } from '../reading/knowledge/service.ts';
import { createPipeline } from '../reading/pipeline/pipeline.ts';
import { createLargeWork } from '../platform/kernel/large-work.ts';
import { createReading } from '../reading/providers/page/reading.ts';
import { scanLanguages } from '../reading/providers/page/scan-languages.ts';
import { createProviders } from '../reading/providers/registry.ts';
import type { Platform } from './open-platform.ts';
import { toolsFor } from './reading-tools.ts';

/** Threads that read pages end after this idle time. */
const READING_IDLE_MS = 60_000;

export type ReadingParts = ReturnType<typeof composeReading>;

/** Composes everything that turns files into text and values: knowledge base, names, engines and the pipeline. */
export function composeReading(platform: Platform, documents: () => Documents) {
  const { db, clock, log, root, config, vault, access, events, announce, settings } = platform;
  const knowledge = createKnowledge();
  const language = (): string => config['llm.canonical_language'];
  const names = createNameResolver({ db, clock, access, knowledge, language, events });
  const largeWork = createLargeWork();
  const providers = createProviders({ config, clock, largeWork });
  const reading = createReading({
    clock,
    idleMs: READING_IDLE_MS,
    largeWork,
    beforeLargeImage: providers.endIdle,
    languages: () => scanLanguages(config['ocr.language']),
    limits: { maxPages: config['upload.max_pages'], maxPixels: config['upload.max_megapixels'] * 1e6 },
  });
  const toolDeps = { vault, providers, reading, documents, prepareNames: names.prepare };
  const pipeline = createPipeline({
    db,
    clock,
    log,
    root,
    announce,
    hasProvider: providers.has,
    toolsFor: (job, document, options) => toolsFor(toolDeps, job, document, options),
    rules: () => ({ retryInterval: config['pipeline.retry_interval'], maxRetries: config['pipeline.max_retries'] }),
    watch: () => ({ enabled: config['pipeline.watch_enabled'], pollSeconds: config['pipeline.poll_interval'] }),
  });
  settings.onChange((changed) => {
    if (changed.includes('pipeline_watch_enabled') || changed.includes('pipeline_poll_interval'))
      void pipeline.rewatch();
  });
  return { knowledge, language, names, providers, reading, pipeline };
}
