import { bindFirst } from '../../../platform/kernel/bind-first.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import type { BytesReply } from '../../../platform/http/bytes.ts';
import { DOCUMENT_FOLDERS } from '../../../platform/vault/layout.ts';
import { lstatOrNull } from '../../../platform/vault/paths.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import { requireDocument } from '../notify.ts';
import { turnOfPage } from '../edit/page-turn.ts';
import type { PageTools } from '../../../reading/providers/page/page-tools.ts';
import type { Thumbnails, ThumbnailSource } from './thumbnails.ts';
import type { DocumentRecord, WriteRepository } from '../write-repository.ts';

export interface PictureDeps {
  vault: Vault;
  repository: WriteRepository;
  pages: PageTools;
  thumbnails: Thumbnails;
}

export type Pictures = ReturnType<typeof createPictures>;

/** Documents as bytes: the stored file, its displayed pages, and its thumbnail. */
export const createPictures = (deps: PictureDeps) =>
  bindFirst(deps, { file: serveFile, pageImage: servePageImage, thumbnail: serveThumbnail, makeThumbnail });

/** @throws `document.not_found`, `document.no_file`, `document.file_missing` */
function requireFile({ vault, repository }: PictureDeps, id: number): DocumentRecord {
  const row = requireDocument(repository, id);
  if (row.file_path === '') throw fail('document.no_file');
  // Only files of document folders are served, never the database or its key, whatever path a row contains.
  if (
    !DOCUMENT_FOLDERS.some((folder) => row.file_path.startsWith(`${folder}/`)) ||
    !lstatOrNull(vault.resolve(row.file_path))?.isFile()
  )
    throw fail('document.file_missing');
  return row;
}

function serveFile(deps: PictureDeps, id: number, download: boolean): BytesReply {
  const row = requireFile(deps, id);
  return {
    kind: 'file',
    path: deps.vault.resolve(row.file_path),
    type: row.mime_type,
    etag: row.file_hash,
    filename: row.original_filename,
    disposition: download ? 'attachment' : 'inline',
  };
}

function servePageImage(deps: PictureDeps, id: number, page: number, width: number): BytesReply {
  const { vault, repository, pages } = deps;
  const row = requireFile(deps, id);
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
}

function thumbnailSource(deps: PictureDeps, id: number): ThumbnailSource {
  const row = requireFile(deps, id);
  return { ...row, turn: turnOfPage(deps.repository, row, 1) };
}

function serveThumbnail(deps: PictureDeps, id: number): BytesReply {
  const source = thumbnailSource(deps, id);
  return { kind: 'made', etag: deps.thumbnails.etag(source), make: () => deps.thumbnails.get(source) };
}

/** Renders the thumbnail again, for the pipeline: file or rotation may have changed. */
async function makeThumbnail(deps: PictureDeps, id: number): Promise<void> {
  await deps.thumbnails.make(thumbnailSource(deps, id));
}
