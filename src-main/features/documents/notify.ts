import type { LiveMessage } from '../../../src-shared/contract/live.ts';
import { orNotFound } from '../../platform/kernel/or-not-found.ts';
import type { DocumentRecord, WriteRepository } from './write-repository.ts';

export interface NotifyDeps {
  repository: WriteRepository;
  announce: (message: LiveMessage) => void;
  /** Clears the cached totals of the lists. */
  changed: () => void;
}

/** Clears cached totals and sends every document's new state to the open pages. Called after the transaction. */
export function notifyChanged({ repository, announce, changed }: NotifyDeps, documentIds: readonly number[]): void {
  if (documentIds.length === 0) return;
  changed();
  for (const row of repository.getMany([...documentIds]))
    announce({
      kind: 'document',
      document_id: row.id,
      patient_id: row.patient_id,
      status: row.status,
      change: 'updated',
    });
}

/** The same for a document that went to the trash; `patientId` is the patient whose document it was. */
export function notifyDeleted({ announce, changed }: NotifyDeps, documentId: number, patientId: number | null): void {
  changed();
  announce({ kind: 'document', document_id: documentId, patient_id: patientId, status: null, change: 'deleted' });
}

/** @throws `document.not_found` */
export const requireDocument = (repository: WriteRepository, id: number): DocumentRecord =>
  orNotFound(repository.get(id), 'document.not_found');
