import { statSync } from 'node:fs';
import { Failure } from '../../platform/kernel/errors.ts';
import type { Watermark } from '../../reading/providers/watermark/watermark.ts';
import type { RecordRepository } from './record-repository.ts';
import { requireFile } from './shared-files.ts';

/** Files whose pages are known, so that they are not opened each time a page asks whether its session goes on. */
const MAX_KEPT = 500;
/** Files of other kinds are shown as one page. */
const WITH_PAGES: ReadonlySet<string> = new Set(['application/pdf', 'image/tiff']);

export interface PageCountDeps {
  records: RecordRepository;
  watermark: Pick<Watermark, 'describeCopy'>;
  resolve(path: string): string;
}

export type PageCounts = ReturnType<typeof createPageCounts>;

/**
 * Counts the pages of shared documents that have not been read yet, or could not be: a recipient who is shown the first
 * page only would take it for all of them.
 */
export function createPageCounts({ records, watermark, resolve }: PageCountDeps) {
  /** By file, those that were counted last at the end; null for one that can't be opened. */
  const kept = new Map<string, number | null>();
  async function countPages(shareId: string, id: number, signal: AbortSignal): Promise<number | null> {
    try {
      const file = requireFile({ records, resolve }, id, shareId);
      if (!WITH_PAGES.has(file.mime)) return null;
      const { size, mtimeMs } = statSync(file.path);
      const key = JSON.stringify([file.path, size, mtimeMs]);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const counted = await countOf(watermark.describeCopy(file, { line: shareId, signal }));
      kept.set(key, counted);
      for (const oldest of kept.keys()) if (kept.size > MAX_KEPT) kept.delete(oldest);
      return counted;
    } catch (error) {
      // The list is shown all the same; opening the document says what is wrong with it.
      if (error instanceof Failure || signal.aborted || isGone(error)) return null;
      throw error;
    }
  }
  return {
    /** The documents with the number of their pages; null where a file can't be opened. */
    async complete<T extends { id: number; page_count: number | null }>(
      shareId: string,
      documents: readonly T[],
      signal: AbortSignal,
    ): Promise<T[]> {
      const complete: T[] = [];
      for (const document of documents)
        complete.push(
          document.page_count === null
            ? { ...document, page_count: await countPages(shareId, document.id, signal) }
            : document,
        );
      return complete;
    },
  };
}

/** What does not pass by itself, as long as the file stays the same. */
const LASTING: ReadonlySet<string> = new Set(['upload.damaged', 'upload.encrypted', 'upload.too_many_pages']);

const countOf = (description: Promise<{ pages: number }>): Promise<number | null> =>
  description.then(
    ({ pages }) => pages,
    (error: unknown) => {
      if (error instanceof Failure && LASTING.has(error.code)) return null;
      throw error;
    },
  );

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
