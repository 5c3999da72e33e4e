import { statSync } from 'node:fs';
import PQueue from 'p-queue';
import { MAX_PAGE_TEXT } from '../../../src-shared/contract/share-limits.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import { fail } from '../../platform/kernel/errors.ts';
import type { OcrProvider } from '../../reading/providers/provider.ts';
import type { FileToStamp } from '../../reading/providers/watermark/watermark.ts';
import { recorded, requireFile, type SharedFileDeps, type Viewer } from './shared-files.ts';

/** Pages that wait to be read, for all recipients together; more are refused. */
const MAX_WAITING = 50;
/** Pages whose text is kept, so that nobody waits for OCR again who goes back a page. */
const MAX_KEPT = 100;

export interface SharedTextDeps extends SharedFileDeps {
  /** Reads pages that are scans. */
  ocr: () => Promise<Pick<OcrProvider, 'readPage'>>;
}
interface Deps extends SharedTextDeps {
  /** Pages are read one after the other: the papers of the household come first. */
  reading: PQueue;
  /** By file and page, those that were used last at the end. */
  kept: Map<string, string>;
}

interface PageOfText {
  page: number;
  text: string;
  is_cut: boolean;
}

/** The text of shared pages, as far as the pages show it. */
export const createSharedText = (dependencies: SharedTextDeps) => {
  const deps: Deps = { ...dependencies, reading: new PQueue({ concurrency: 1 }), kept: new Map() };
  return bindFirst(deps, { read: readPage });
};

/**
 * @throws `document.not_found`, `document.page_not_found`, `share.file_not_showable`, `share.too_many_requests`,
 * `share.text_unavailable`
 */
async function readPage(deps: Deps, id: number, page: number, viewer: Viewer): Promise<PageOfText> {
  const file = requireFile(deps, id, viewer.session.share_id);
  if (deps.reading.size >= MAX_WAITING) throw fail('share.too_many_requests');
  const text = await recorded(deps, id, viewer, () => textOf(deps, file, page, viewer));
  // Both may have changed while the page was read.
  if (!deps.seats.isOpen(viewer.session.rowid)) throw fail('share.session_ended');
  if (!deps.records.has(viewer.session.share_id, id)) throw fail('document.not_found');
  return { page, text: text.slice(0, MAX_PAGE_TEXT), is_cut: text.length > MAX_PAGE_TEXT };
}

async function textOf(deps: Deps, file: FileToStamp, page: number, viewer: Viewer): Promise<string> {
  const { signal } = viewer;
  const { kept, reading } = deps;
  const key = keyOf(file, page);
  const known = kept.get(key);
  const text = known ?? (await reading.add(() => visibleText(deps, file, page, viewer), { signal }));
  kept.delete(key);
  kept.set(key, text);
  for (const oldest of kept.keys()) if (kept.size > MAX_KEPT) kept.delete(oldest);
  return text;
}

/** Changes with the file, and with the way up of the page. */
function keyOf({ path, turns }: FileToStamp, page: number): string {
  const { size, mtimeMs } = statSync(path);
  return JSON.stringify([path, size, mtimeMs, page, turns[String(page)] ?? 0]);
}

async function visibleText(
  { watermark, ocr }: Deps,
  file: FileToStamp,
  page: number,
  { session, signal }: Viewer,
): Promise<string> {
  const read = await watermark.readVisibleText(file, page, { ocr: await ocr(), line: session.share_id, signal });
  if (!read.ok) throw fail('share.text_unavailable');
  return read.value.text;
}
