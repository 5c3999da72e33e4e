import type { ErrorReference } from '../../../src-shared/contract/errors.ts';
import { Failure } from '../../platform/kernel/errors.ts';
import type { Watermark } from '../../reading/providers/watermark/watermark.ts';
import type { ShareRepository } from './repository.ts';
import { fileToStamp } from './shared-files.ts';

export interface UnopenableDeps {
  repository: Pick<ShareRepository, 'files'>;
  watermark: Pick<Watermark, 'describeCopy' | 'canStamp'>;
  /** Returns the absolute path of a vault path; throws if it leaves the vault. */
  resolve(path: string): string;
}

/** What no recipient can be shown, whatever is tried. Others, such as too little memory at the moment, may pass. */
const LASTING: ReadonlySet<string> = new Set([
  'document.file_missing',
  'share.file_not_showable',
  'upload.damaged',
  'upload.encrypted',
  'upload.too_many_pages',
  'upload.too_many_pixels',
]);

/** Documents whose files nobody can be shown, and why, so that their owner learns it before a recipient does. */
export async function findUnopenable(
  { repository, watermark, resolve }: UnopenableDeps,
  documentIds: readonly number[],
  signal: AbortSignal,
): Promise<{ document_id: number; failure: ErrorReference }[]> {
  const found = [];
  for (const { id, path, mime } of repository.files(documentIds)) {
    if (signal.aborted) break;
    try {
      const file = fileToStamp(resolve, { file_path: path, mime_type: mime, page_turns: {} });
      await watermark.describeCopy(file, { signal });
    } catch (error) {
      if (!(error instanceof Failure) || !LASTING.has(error.code)) continue;
      found.push({ document_id: id, failure: { code: error.code, params: error.params } });
    }
  }
  return found;
}
