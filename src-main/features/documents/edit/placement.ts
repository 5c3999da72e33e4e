import { basename, dirname, extname } from 'node:path';
import { documentFolder, documentName } from '../../../platform/vault/layout.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import type { DocumentRecord, WriteRepository } from '../write-repository.ts';

/** Stands among the edited fields when a person chose the name on disk. */
export const OWN_FILE_NAME = 'file_name';
/** The same of the folder: it holds as long as the document stays with its patient. */
const OWN_FOLDER = 'file_folder';

export interface Placement {
  /** Within a transaction: gives the document the path that its fields ask for and promises the move. Answers the path. */
  promiseMove(id: number): string;
  /** The same, unless the file stands in the folder that its fields ask for; then it keeps its name, too. True when it moves. */
  promiseFolder(id: number): boolean;
  /** A person moved the file of this document: it stays there, unless that is where its fields want it anyway. Part of the transaction of the move. */
  keepPlace(id: number): void;
}

export function createPlacement({ vault, repository }: { vault: Vault; repository: WriteRepository }): Placement {
  function folderOf(row: DocumentRecord): string {
    const usual = usualFolder(row);
    const own = dirname(row.file_path);
    const isWithPatient = own.split('/').slice(0, 2).join('/') === usual.split('/').slice(0, 2).join('/');
    return row.edited_fields?.includes(OWN_FOLDER) && isWithPatient ? own : usual;
  }
  const usualName = (row: DocumentRecord): string =>
    documentName({
      eventDate: row.event_date,
      stem: row.filename_stem,
      docType: row.doc_type,
      ext: extname(row.file_path),
    });
  function usualFolder(row: DocumentRecord): string {
    const patient = row.patient_id === null ? undefined : repository.patient(row.patient_id);
    const event = row.event_id === null ? undefined : repository.event(row.event_id);
    return documentFolder({
      patientSlug: patient?.slug ?? null,
      eventDate: row.event_date,
      eventSlug: event?.slug ?? null,
      uploaderId: row.uploaded_by_user_id,
    });
  }
  function moveInto(folder: string, row: DocumentRecord): string {
    const ownName = row.edited_fields?.includes(OWN_FILE_NAME) ? basename(row.file_path) : null;
    const path = vault.freePath(folder, ownName ?? usualName(row), row.file_path);
    if (path !== row.file_path) {
      vault.journal.promise(row.file_path, path);
      repository.update(row.id, { file_path: path });
    }
    return path;
  }
  return {
    promiseMove(id) {
      const row = repository.get(id);
      return row ? moveInto(folderOf(row), row) : '';
    },
    promiseFolder(id) {
      const row = repository.get(id);
      const folder = row && folderOf(row);
      if (!row || folder === undefined || dirname(row.file_path) === folder) return false;
      moveInto(folder, row);
      return true;
    },
    keepPlace(id) {
      const row = repository.get(id);
      if (!row) return;
      const others = (row.edited_fields ?? []).filter((field) => field !== OWN_FOLDER && field !== OWN_FILE_NAME);
      const chosen = [
        ...(dirname(row.file_path) === usualFolder(row) ? [] : [OWN_FOLDER]),
        ...(basename(row.file_path) === usualName(row) && !row.edited_fields?.includes('original_filename')
          ? []
          : [OWN_FILE_NAME]),
      ];
      repository.update(id, { edited_fields: [...others, ...chosen] });
    },
  };
}
