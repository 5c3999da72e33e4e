import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { PageText, PageWord } from '../../../../src-shared/medical/page.ts';
import { toDisplayBox } from '../../../../src-shared/medical/place-on-page.ts';
import { readVaultFile, writeVaultFile } from '../../../platform/vault/vault-files.ts';
import { FOLDERS } from '../../../platform/vault/layout.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import type { RegionToTranslate } from '../../../reading/pipeline/translation-tools.ts';
import type { PageTools } from '../../../reading/providers/page/page-tools.ts';
import { cutPart } from '../../../reading/providers/page/part-of-picture.ts';
import { textOf } from '../../../reading/providers/page/read-scan.ts';
import type { FailedOutcome, Outcome } from '../../../reading/providers/provider.ts';
import { turnOfPage } from '../edit/page-turn.ts';
import type { DocumentRecord, WriteRepository } from '../write-repository.ts';

export interface RegionDeps {
  vault: Vault;
  ids: () => string;
  repository: WriteRepository;
  pages: PageTools;
}

/** A page of A4 at 300 dpi. */
const PAGE_WIDTH = 2480;
/** Pixels at 300 dpi: less is not even one letter. */
const MIN_SIDE = 16;

const OUT_OF_RANGE: FailedOutcome = { ok: false, reason: 'bad_answer', code: 'translation.page_out_of_range' };
const TOO_SMALL: FailedOutcome = { ok: false, reason: 'bad_answer', code: 'translation.region_too_small' };

/** Where the picture of a part is stored, relative to the vault. */
export const regionPath = (id: number): string => `${FOLDERS.regions}/${id}.png`;

/** Cuts a part out of a page and stores its picture. */
export async function cropRegion(
  { vault, ids, repository, pages }: RegionDeps,
  row: DocumentRecord,
  { id, page, bbox }: RegionToTranslate,
): Promise<Outcome<Buffer>> {
  if (row.page_count !== null && page > row.page_count) return OUT_OF_RANGE;
  const turn = turnOfPage(repository, row, page);
  const picture = await pages.pageImage(vault.resolve(row.file_path), row.mime_type, page, PAGE_WIDTH, turn);
  if (!picture) return OUT_OF_RANGE;
  const png = await cutPart(picture.data, bbox, MIN_SIDE);
  if (!png) return TOO_SMALL;
  const path = vault.resolve(regionPath(id));
  mkdirSync(dirname(path), { recursive: true });
  writeVaultFile(path, png, ids());
  return { ok: true, value: png };
}

/** The stored picture of a part; null if it is not there. */
export async function storedPicture({ vault }: RegionDeps, path: string | null): Promise<Buffer | null> {
  if (!path?.startsWith(`${FOLDERS.regions}/`)) return null;
  try {
    return readVaultFile(vault.resolve(path));
  } catch {
    return null;
  }
}

export const removePicture = ({ vault }: RegionDeps, id: number): void =>
  rmSync(vault.resolve(regionPath(id)), { force: true });

/** What was read in a part of a page: the lines of the words whose middle is in it. */
export function wordsInRegion(page: PageText, { x, y, w, h }: RegionToTranslate['bbox']): string {
  const isInside = (word: PageWord): boolean => {
    const [left, top, width, height] = toDisplayBox([word.x, word.y, word.w, word.h], page.toDisplay);
    const [middle, center] = [left + width / 2, top + height / 2];
    return middle >= x && middle <= x + w && center >= y && center <= y + h;
  };
  return textOf({ ...page, words: page.words.filter(isInside) });
}
