import type { Documents } from '../features/documents/service.ts';
import type { DocumentToRead } from '../reading/pipeline/ports.ts';
import type { Job } from '../reading/pipeline/queue.ts';
import type { JobTools } from '../reading/pipeline/run.ts';
import type { Reading } from '../reading/providers/page/reading.ts';
import type { Providers } from '../reading/providers/registry.ts';
import type { Vault } from '../platform/vault/vault.ts';

export interface ReadingToolDeps {
  vault: Vault;
  providers: Providers;
  reading: Reading;
  /** A function, because the documents feature is created after the pipeline that it feeds. */
  documents: () => Documents;
  prepareNames: () => Promise<void>;
}

/** The tools for the stages of one job: the engines that the request named, and the vault's files. */
export function toolsFor(
  { vault, providers, reading, documents, prepareNames }: ReadingToolDeps,
  job: Job,
  document: DocumentToRead,
  { signal, onPage }: { signal: AbortSignal; onPage: (current: number, total: number) => void },
): JobTools {
  const reader = providers.reader(job.options.llm_provider_id ?? null);
  return {
    provider: reader.type,
    async readFile(file) {
      const ocr = await providers.ocr(job.options.ocr_provider_id ?? null);
      const { isSlow, unreadPageMinutes } = job.options;
      const minutes = unreadPageMinutes ?? null;
      const stored = minutes === null ? [] : await documents().store.loadPages(document.id);
      return reading.readFile(
        { path: vault.resolve(file.file_path), mime: file.mime_type, turns: file.page_turns },
        {
          ...{ ocr, signal, onPage, mustBeQuick: !isSlow },
          known: stored.filter((page) => !page.isUnread),
          ocrPageMs: minutes === null ? undefined : minutes * 60_000,
        },
      );
    },
    async extract(pages, context) {
      // Results are stored in one step together with their names.
      await prepareNames();
      return reader.extract(pages, context, { signal });
    },
    async makeThumbnail() {
      await documents().pictures.makeThumbnail(document.id);
      return { ok: true, value: true };
    },
  };
}
