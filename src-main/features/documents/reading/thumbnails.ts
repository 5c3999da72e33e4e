import { rmSync } from 'node:fs';
import type { PageTurn } from '../../../../src-shared/medical/page.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import { readVaultFile, writeVaultFile } from '../../../platform/vault/vault-files.ts';
import { FOLDERS } from '../../../platform/vault/layout.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import type { PageTools, Picture } from '../../../reading/providers/page/page-tools.ts';

/** The file behind a thumbnail, and the rotation of its first page. */
export interface ThumbnailSource {
  file_path: string;
  file_hash: string;
  mime_type: string;
  turn: PageTurn;
}

export type Thumbnails = ReturnType<typeof createThumbnails>;

/** Images of first pages, cached under the content hash, so that a moved file keeps its thumbnail. */
export function createThumbnails({ vault, pages, ids }: { vault: Vault; pages: PageTools; ids: () => string }) {
  const pathOf = (hash: string, turn: PageTurn): string => vault.resolve(`${FOLDERS.thumbnails}/${hash}-${turn}.webp`);
  return {
    /** Identifies an image without rendering it. */
    etag: ({ file_hash, turn }: ThumbnailSource): string => `${file_hash.slice(0, 32)}-t${turn}`,
    async make(source: ThumbnailSource): Promise<Picture> {
      const picture = await pages.thumbnail(vault.resolve(source.file_path), source.mime_type, source.turn);
      writeVaultFile(pathOf(source.file_hash, source.turn), picture.data, ids());
      return picture;
    },
    /** Returns the cached image, or renders a new one. */
    async get(source: ThumbnailSource): Promise<Picture> {
      try {
        return { data: readVaultFile(pathOf(source.file_hash, source.turn)), type: 'image/webp' };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw fail('server.internal_error', undefined, error);
        return this.make(source);
      }
    },
    /** Deletes the cached images of purged content. */
    remove(hash: string): void {
      for (const turn of [0, 90, 180, 270] as const) rmSync(pathOf(hash, turn), { force: true });
    },
  };
}
