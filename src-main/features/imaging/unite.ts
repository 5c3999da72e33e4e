import type { Database } from '../../platform/database/connection.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { Documents } from '../documents/service.ts';
import { isBundleShared } from './folder-repository.ts';
import type { StudyRecord, StudyRepository } from './study-repository.ts';
import {
  copyCorrections,
  deleteStudy,
  filesOfStudy,
  findTwin,
  hasAllFilesOf,
  moveMarks,
  takeBundle,
} from './unite-repository.ts';

export interface UniteDeps {
  db: Database;
  vault: Vault;
  studies: StudyRepository;
  documents: Pick<Documents, 'waitingReports' | 'belonging'>;
}

/**
 * Unites restored studies with those that were filed again meanwhile, if these have all their files: measurements,
 * corrections and what people added to the document go to the study that is there. A study that has files of its own
 * stays beside the other one. Part of the caller's transaction.
 */
export function uniteRestored(deps: UniteDeps, documentIds: readonly number[]): void {
  for (const id of documentIds)
    for (const study of deps.studies.ofDocument(id)) {
      const twin = twinOf(deps, study);
      if (twin && hasAllFilesOf(deps.db, twin.id, study.id)) unite(deps, study, twin);
    }
}

function twinOf({ db, documents }: UniteDeps, study: StudyRecord): StudyRecord | undefined {
  if (study.document_id === null || study.report_status === 'attached') return undefined;
  const uploaderId = documents.belonging(study.document_id)?.uploaderId ?? null;
  return findTwin(db, study, uploaderId);
}

function unite({ db, vault, documents }: UniteDeps, study: StudyRecord, twin: StudyRecord): void {
  const files = filesOfStudy(db, study.id);
  moveMarks(db, study.id, twin.id);
  copyCorrections(db, study, twin);
  if (twin.bundle_path === null) takeBundle(db, study, twin.id);
  else if (study.bundle_path !== null && !isBundleShared(db, study))
    files.push(...filesOfStudy(db, study.id, 'bundle'));
  deleteStudy(db, study.id);
  for (const path of files) vault.journal.planMove(path, null);
  if (study.document_id !== null && twin.document_id !== null)
    documents.waitingReports.replace(study.document_id, twin.document_id);
}
