import { resolve } from 'node:path';
import { LANGUAGES } from '../../src-shared/contract/language-names.ts';
import { LANGUAGES as SCAN_LANGUAGES } from '../../src-shared/medical/page.ts';
import { createNameResolver } from '../features/names/resolver.ts';
import type { Documents } from '../features/documents/service.ts';
import { createPrompts } from '../features/prompts/service.ts';
import { createKnowledge } from '../reading/knowledge/service.ts';
import { createPipeline } from '../reading/pipeline/pipeline.ts';
import { createLargeWork } from '../platform/kernel/large-work.ts';
import type { Config } from '../platform/config/config.ts';
import { FOLDERS } from '../platform/vault/layout.ts';
import type { PageLimits } from '../reading/providers/page/requests.ts';
import { createFrameRenderer } from '../reading/dicom/render.ts';
import { createReading } from '../reading/providers/page/reading.ts';
import { scanLanguages } from '../reading/providers/page/scan-languages.ts';
import { createProviders } from '../reading/providers/registry.ts';
import { createUsageLog } from '../reading/providers/usage-repository.ts';
import type { Platform } from './open-platform.ts';
import { toolsFor } from './reading-tools.ts';

/** Threads that read pages end after this idle time. */
const READING_IDLE_MS = 60_000;

export type ReadingParts = ReturnType<typeof composeReading>;

/** What is the largest file that is drawn. */
export const pageLimits = (config: Config): PageLimits => ({
  maxPages: config['upload.max_pages'],
  maxPixels: config['upload.max_megapixels'] * 1e6,
});

/** Where language models of this computer are. */
export const modelFolder = (config: Config): string =>
  resolve(config['vault.path'], config['models.path'] || FOLDERS.models);

/** Composes everything that turns files into text and values: knowledge base, names, engines and the pipeline. */
export function composeReading(platform: Platform, documents: () => Documents) {
  const { db, clock, log, root, config, vault, access, events, announce, settings, providerSettings } = platform;
  const knowledge = createKnowledge();
  const language = (): string => config['llm.canonical_language'];
  const names = createNameResolver({ db, clock, access, knowledge, language, events });
  const largeWork = createLargeWork();
  const prompts = createPrompts({ db, clock });
  const modelUsage = createUsageLog({ db, clock });
  const ownPorts = new Set<number>();
  const providers = createProviders({
    ...{ config, clock, largeWork, lists: providerSettings },
    ownPorts: () => [...ownPorts],
    modelFolder: modelFolder(config),
    onUsage: modelUsage.add,
    prompt: (key, text = prompts.text(key)) =>
      text.replaceAll('{canonical_language}', LANGUAGES[config['llm.canonical_language']]),
  });
  const reading = createReading({
    clock,
    idleMs: READING_IDLE_MS,
    largeWork,
    beforeLargeImage: providers.endIdle,
    languages: () => scanLanguages(config['ocr.language']),
    limits: pageLimits(config),
  });
  const frames = createFrameRenderer({ clock, largeWork });
  const toolDeps = {
    ...{ vault, providers, reading, documents, prepareNames: names.prepare },
    translationPrompt: (to: string) => prompts.text('translation_en').replaceAll('{target_language}', to),
    languages: () => scanLanguages(config['ocr.language']) ?? SCAN_LANGUAGES,
  };
  const pipeline = createPipeline({
    db,
    clock,
    log,
    root,
    announce,
    hasProvider: providers.has,
    uploadMode: () =>
      config['pipeline.default_flow'] === 'vision_llm' && providers.has('vision', null) ? 'vision_llm' : 'both',
    queues: providers.queues,
    toolsFor: (job, document, options) => toolsFor(toolDeps, job, document, options),
    rules: () => ({ retryInterval: config['pipeline.retry_interval'], maxRetries: config['pipeline.max_retries'] }),
    watch: () => ({
      enabled: config['pipeline.watch_enabled'] && !platform.isSafeMode,
      pollSeconds: config['pipeline.poll_interval'],
    }),
  });
  settings.onChange((changed) => {
    if (changed.includes('pipeline_watch_enabled') || changed.includes('pipeline_poll_interval'))
      void pipeline.rewatch();
  });
  return { knowledge, language, names, prompts, providers, modelUsage, ownPorts, reading, frames, pipeline, largeWork };
}
