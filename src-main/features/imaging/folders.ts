import type { Database } from '../../platform/database/connection.ts';
import { studyFolder, studyYear, type StudyPlace } from '../../platform/vault/layout.ts';
import { lstatOrNull } from '../../platform/vault/paths.ts';
import { createVaultRepository } from '../../platform/vault/repository.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { findOwner, isBundleShared, isFolderOfStudy } from './folder-repository.ts';
import type { StudyRepository } from './study-repository.ts';

export interface FolderDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  studies: StudyRepository;
}

/** Returns the first of `path`, `path-2`, `path-3` … that no file, row or planned move uses. */
export function freeFolder({ db, vault }: Pick<FolderDeps, 'db' | 'vault'>, path: string): string {
  for (let n = 1; ; n += 1) {
    const folder = n === 1 ? path : `${path}-${n}`;
    const isFree = lstatOrNull(vault.resolve(folder)) === null && !vault.knows(folder);
    if (isFree && !isFolderOfStudy(db, folder)) return folder;
  }
}

/**
 * Moves the files of studies to the folder of their patient, after their document got another one. Part of the caller's
 * transaction. A bundle that studies of the former patient share stays with them.
 */
export function placeStudies(deps: FolderDeps, documentId: number): void {
  for (const study of deps.studies.ofDocument(documentId)) {
    const owner = ownerFolder(deps.db, documentId);
    if (study.folder_path !== null && !study.folder_path.startsWith(`${owner}/`)) {
      const name = study.folder_path.slice(study.folder_path.lastIndexOf('/') + 1);
      moveFolder(deps, study.folder_path, `${studyYear(owner, study.study_date)}/${name}`);
    }
    if (study.bundle_path !== null && !study.bundle_path.startsWith(`${owner}/`) && !isBundleShared(deps.db, study)) {
      const name = study.bundle_path.slice(study.bundle_path.lastIndexOf('/') + 1);
      moveFolder(deps, study.bundle_path, `${owner}/imaging-bundles/${name}`);
    }
  }
}

/** `patients/{slug}`, or `unclassified/user-{id}` as long as no patient is known. */
export function ownerFolder(db: Database, documentId: number): string {
  const row = findOwner(db, documentId);
  return studyFolder({ patientSlug: row?.slug ?? null, uploaderId: row?.uploader ?? null } satisfies StudyPlace);
}

function moveFolder({ db, vault, clock }: FolderDeps, from: string, to: string): void {
  const free = freeFolder({ db, vault }, to);
  vault.journal.planMove(from, free);
  createVaultRepository(db).rewritePaths(from, free, toTimestamp(clock.now()));
}
