import { fail } from '../../../platform/kernel/errors.ts';
import type { BytesReply } from '../../../platform/http/bytes.ts';
import { DOCUMENT_FOLDERS } from '../../../platform/vault/layout.ts';
import { lstatOrNull } from '../../../platform/vault/paths.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import { requireDocument } from '../notify.ts';
import { turnOfPage } from '../edit/page-turn.ts';
import type { PageTools } from '../../../reading/providers/page/page-tools.ts';
import type { Thumbnails } from './thumbnails.ts';
import type { DocumentRecord, WriteRepository } from '../write-repository.ts';

export interface PictureDeps {
  vault: Vault;
  repository: WriteRepository;
  pages: PageTools;
  thumbnails: Thumbnails;
}

export type Pictures = ReturnType<typeof createPictures>;

/** Documents as bytes: the stored file, its pages as displayed, its thumbnail. */
export function createPictures({ vault, repository, pages, thumbnails }: PictureDeps) {
  /** @throws `document.not_found`, `document.file_missing` */
  const requireFile = (id: number): DocumentRecord => {
    const row = requireDocument(repository, id);
    // Serves files from document folders only, never the database or its key, whatever path a row contains.
    if (
      !DOCUMENT_FOLDERS.some((folder) => row.file_path.startsWith(`${folder}/`)) ||
      !lstatOrNull(vault.resolve(row.file_path))?.isFile()
    )
      throw fail('document.file_missing');
    return row;
  };
  return {
    file(id: number, download: boolean): BytesReply {
      const row = requireFile(id);
      return {
        kind: 'file',
        path: vault.resolve(row.file_path),
        type: row.mime_type,
        etag: row.file_hash,
        filename: row.original_filename,
        disposition: download ? 'attachment' : 'inline',
      };
    },
    pageImage(id: number, page: number, width: number): BytesReply {
      const row = requireFile(id);
      const turn = turnOfPage(repository, row, page);
      return {
        kind: 'made',
        etag: `${row.file_hash.slice(0, 32)}-p${page}-t${turn}-w${width}`,
        async make() {
          const picture = await pages.pageImage(vault.resolve(row.file_path), row.mime_type, page, width, turn);
          if (!picture) throw fail('document.page_not_found', { page });
          return picture;
        },
      };
    },
    thumbnail(id: number): BytesReply {
      const row = requireFile(id);
      const source = { ...row, turn: turnOfPage(repository, row, 1) };
      return { kind: 'made', etag: thumbnails.etag(source), make: () => thumbnails.get(source) };
    },
    /** Renders the thumbnail again, for the pipeline: file or rotation may have changed. */
    async makeThumbnail(id: number): Promise<void> {
      const row = requireFile(id);
      await thumbnails.make({ ...row, turn: turnOfPage(repository, row, 1) });
    },
  };
}
