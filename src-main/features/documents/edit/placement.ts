import { basename, dirname, extname } from 'node:path';
import { documentFolder, documentName } from '../../../platform/vault/layout.ts';
import type { EventBus } from '../../../platform/kernel/events.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import type { DocumentRecord, WriteRepository } from '../write-repository.ts';

/** Listed among the edited fields when a user set the file name in the vault. */
export const OWN_FILE_NAME = 'file_name';
/** Likewise for the folder; applies as long as the document stays with its patient. */
const OWN_FOLDER = 'file_folder';

export interface Placement {
  /** Plans the move of a document to the path for its fields. Part of a transaction; returns the path. */
  planMove(id: number): string;
  /**
   * Moves the file only if its fields require another folder, and otherwise preserves the name. Returns whether it
   * moves.
   */
  planFolderMove(id: number): boolean;
  /**
   * Call when a user moved the file: it stays there unless that is its default path. Part of the transaction of the
   * move.
   */
  keepPlace(id: number): void;
}

interface PlacementDeps {
  vault: Vault;
  events: Pick<EventBus, 'emit'>;
  repository: WriteRepository;
}

/** Determines folder and name of document files from their fields. */
export function createPlacement(deps: PlacementDeps): Placement {
  const { repository } = deps;
  return {
    planMove(id) {
      const row = repository.get(id);
      void deps.events.emit('documentPlaced', { documentId: id });
      return row && row.file_path !== '' ? moveInto(deps, folderOf(deps, row), row) : '';
    },
    planFolderMove(id) {
      const row = repository.get(id);
      const folder = row && folderOf(deps, row);
      if (!row || row.file_path === '' || folder === undefined || dirname(row.file_path) === folder) return false;
      moveInto(deps, folder, row);
      return true;
    },
    keepPlace: (id) => keepPlace(deps, id),
  };
}

function folderOf(deps: PlacementDeps, row: DocumentRecord): string {
  const usual = defaultFolder(deps, row);
  const current = dirname(row.file_path);
  const isWithPatient = current.split('/').slice(0, 2).join('/') === usual.split('/').slice(0, 2).join('/');
  return row.edited_fields?.includes(OWN_FOLDER) && isWithPatient ? current : usual;
}

function defaultFolder({ repository }: PlacementDeps, row: DocumentRecord): string {
  const patient = row.patient_id === null ? undefined : repository.patient(row.patient_id);
  const event = row.event_id === null ? undefined : repository.event(row.event_id);
  return documentFolder({
    patientSlug: patient?.slug ?? null,
    eventDate: row.event_date,
    eventSlug: event?.slug ?? null,
    uploaderId: row.uploaded_by_user_id,
  });
}

const defaultName = (row: DocumentRecord): string =>
  documentName({
    eventDate: row.event_date,
    stem: row.filename_stem,
    docType: row.doc_type,
    ext: extname(row.file_path),
  });

function moveInto({ vault, repository }: PlacementDeps, folder: string, row: DocumentRecord): string {
  const ownName = row.edited_fields?.includes(OWN_FILE_NAME) ? basename(row.file_path) : null;
  const path = vault.freePath(folder, ownName ?? defaultName(row), row.file_path);
  if (path !== row.file_path) {
    vault.journal.planMove(row.file_path, path);
    repository.update(row.id, { file_path: path });
  }
  return path;
}

function keepPlace(deps: PlacementDeps, id: number): void {
  const row = deps.repository.get(id);
  if (!row) return;
  const fields = (row.edited_fields ?? []).filter((field) => field !== OWN_FOLDER && field !== OWN_FILE_NAME);
  if (dirname(row.file_path) !== defaultFolder(deps, row)) fields.push(OWN_FOLDER);
  if (basename(row.file_path) !== defaultName(row) || row.edited_fields?.includes('original_filename'))
    fields.push(OWN_FILE_NAME);
  deps.repository.update(id, { edited_fields: fields });
}
